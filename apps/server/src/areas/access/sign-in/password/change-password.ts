import { type Code, codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { emitEvents, wakeSequencer } from '#db/event'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor, RequestInfo } from '#http/route'
import { invalidateSessionCache } from '#http/session-auth'
import { writeAudit } from '#areas/audit/audit'
import { withLockTimeout } from '../../people/lock.ts'
import { clearAttempts, countAttempt } from '../login-throttle.ts'
import { checkNewPassword, verifyPassword, hashPassword } from './password.ts'
import { endSessionsOf } from '../session.ts'

type Change = { actor: Actor; origin: RequestInfo; oldPassword: string; newPassword: string }

/**
 * Whether this is the caller's own password. Attempts are limited, because an unattended screen must not allow
 * guessing. Throws the given error. @returns its hash.
 */
export const checkOwnPassword = async (db: Db, actor: Actor, password: string, wrong: Code): Promise<string | null> => {
  const key = passwordKey(actor)
  const attempt = await countAttempt(db, key)
  if (!attempt.allowed) throw new BusinessError(codes.slowDown, { seconds: attempt.seconds })
  const { passwordHash } = await scoped(db, actor)
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', actor.userId)
    .executeTakeFirstOrThrow()
  if (!(await verifyPassword(passwordHash, password))) throw new BusinessError(wrong)
  await clearAttempts(db, key)
  return passwordHash
}

/** The key under which attempts at an open screen are counted. */
export const passwordKey = ({ userId }: Pick<Actor, 'userId'>) => `password:${userId}`

/** Changes the own password; every other session of the account ends, this one continues. */
export const changePassword = async (db: Db, change: Change): Promise<true> => {
  const { actor, origin, oldPassword, newPassword } = change
  const known = await checkOwnPassword(db, actor, oldPassword, codes.oldPassword)
  if (newPassword === oldPassword) throw new BusinessError(codes.passwordUnchanged)
  checkNewPassword(newPassword, actor.username)
  const passwordHash = await hashPassword(newPassword)
  await db.transaction().execute(async (trx) => {
    const mine = scoped(trx, actor)
      .selectFrom('users')
      .select(['mustChangePassword', 'passwordHash'])
      .where('id', '=', actor.userId)
    const { passwordHash: now, ...before } = await withLockTimeout(trx, () =>
      mine.forUpdate().executeTakeFirstOrThrow(),
    )
    // Another request changed the password while this one was verified; a caller who knows only the old one must not
    // undo that.
    if (now !== known) throw new BusinessError(codes.oldPassword)
    await scoped(trx, actor)
      .updateTable('users')
      .set({ passwordHash, mustChangePassword: false, updateTime: sql`now()`, updater: actor.userId })
      .where('id', '=', actor.userId)
      .execute()
    await endSessionsOf(trx, actor.userId, 'PASSWORD', actor.sessionId)
    await emitEvents(trx, { type: 'permission.changed', userId: actor.userId })
    await writeAudit(trx, {
      actor,
      origin,
      action: 'system:user:change-password',
      subject: 'users',
      subjectId: actor.userId,
      before,
      after: { mustChangePassword: false },
    })
  })
  invalidateSessionCache({ userId: actor.userId })
  wakeSequencer()
  return true
}
