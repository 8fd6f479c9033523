import { codes } from '@tocsin/contract/codes'
import { type Lock, locks } from '@tocsin/contract/access/sign-in/lock'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Route, route, type Caller } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import { passwordKey } from '../../sign-in/password/change-password.ts'
import { clearAttempts, countAttempt } from '../../sign-in/login-throttle.ts'
import { verifyPassword, hashPassword } from '../../sign-in/password/password.ts'
import { runEdit } from '#areas/audit/edit-transaction'

/** Writes the session and notifies its sockets on every node, which check again who may receive what. */
const turn = (db: Db, caller: Caller, verb: 'lock' | 'unlock', lockHash: string | null): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { sessionId, userId } = caller.actor
    const was = await trx
      .selectFrom('session')
      .select('lockedAt')
      .where('id', '=', sessionId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    await trx
      .updateTable('session')
      .set({ lockedAt: verb === 'lock' ? sql<Date>`now()` : null, lockHash })
      .where('id', '=', sessionId)
      .where('endedAt', 'is', null)
      .execute()
    await emitEvents(trx, { type: 'permission.changed', userId })
    // Unlocking an unlocked session succeeds.
    const states = { before: { locked: was.lockedAt !== null }, after: { locked: verb === 'lock' } }
    await writeAudit(trx, {
      ...caller,
      action: `system:session:${verb}`,
      subject: 'session',
      subjectId: sessionId,
      ...states,
    })
    return true as const
  })

const lockSession = async (db: Db, { password }: Lock, caller: Caller): Promise<true> =>
  turn(db, caller, 'lock', password ? await hashPassword(password) : null)

/** The session's own password, or the account's: attempts count together with those of the account's password. */
const unlockSession = async (db: Db, password: string, caller: Caller): Promise<true> => {
  const { actor } = caller
  const attempt = await countAttempt(db, passwordKey(actor))
  if (!attempt.allowed) throw new BusinessError(codes.slowDown, { seconds: attempt.seconds })
  const { lockHash, passwordHash } = await scoped(db, actor)
    .selectFrom('session')
    .innerJoin('users', 'users.id', 'session.userId')
    .select(['session.lockHash', 'users.passwordHash'])
    .where('session.id', '=', actor.sessionId)
    .executeTakeFirstOrThrow()
  const fitting =
    (lockHash !== null && (await verifyPassword(lockHash, password))) || (await verifyPassword(passwordHash, password))
  if (!fitting) throw new BusinessError(codes.lockPassword)
  await clearAttempts(db, passwordKey(actor))
  return turn(db, caller, 'unlock', null)
}

export const lockRoutes = ({ db }: { db: Db }): Route[] => [
  route(locks.lock, ({ body, caller }) => lockSession(db, body, caller)),
  route(locks.unlock, ({ body, caller }) => unlockSession(db, body.password, caller)),
]
