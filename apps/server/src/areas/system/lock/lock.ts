import { codes } from '@tocsin/contract/codes'
import { type Lock, locks } from '@tocsin/contract/system/sign-in/lock'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { announce } from '#db/event'
import { scoped } from '#db/scope'
import { Refusal } from '#http/refusal'
import { type Route, route } from '#http/route'
import { audit } from '../audit.ts'
import { passwordKey } from '../auth/change-password.ts'
import { forgive, takeTry } from '../auth/guard.ts'
import { fits, hashPassword } from '../auth/password.ts'
import { committed, type Who } from '../edit.ts'

/** Writes the session and tells its sockets, on whichever node they are: they look again who may hear what. */
const turn = (db: Db, who: Who, verb: 'lock' | 'unlock', lockHash: string | null): Promise<true> =>
  committed(db, { userId: who.actor.userId }, async (trx) => {
    const { sessionId, userId } = who.actor
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
    await announce(trx, { type: 'permission.changed', userId })
    // One that is open may be opened again.
    const states = { before: { locked: was.lockedAt !== null }, after: { locked: verb === 'lock' } }
    await audit(trx, { ...who, action: `system:session:${verb}`, subject: 'session', subjectId: sessionId, ...states })
    return true as const
  })

const lockSession = async (db: Db, { password }: Lock, who: Who): Promise<true> =>
  turn(db, who, 'lock', password ? await hashPassword(password) : null)

/** The session's own password, or the account's: tries count together with those of the account's password. */
const unlockSession = async (db: Db, password: string, who: Who): Promise<true> => {
  const { actor } = who
  const attempt = await takeTry(db, passwordKey(actor))
  if (!attempt.allowed) throw new Refusal(codes.slowDown, { seconds: attempt.seconds })
  const { lockHash, passwordHash } = await scoped(db, actor)
    .selectFrom('session')
    .innerJoin('users', 'users.id', 'session.userId')
    .select(['session.lockHash', 'users.passwordHash'])
    .where('session.id', '=', actor.sessionId)
    .executeTakeFirstOrThrow()
  const fitting = (lockHash !== null && (await fits(lockHash, password))) || (await fits(passwordHash, password))
  if (!fitting) throw new Refusal(codes.lockPassword)
  await forgive(db, passwordKey(actor))
  return turn(db, who, 'unlock', null)
}

export const lockRoutes = ({ db }: { db: Db }): Route[] => [
  route(locks.lock, ({ body, actor, origin }) => lockSession(db, body, { actor, origin })),
  route(locks.unlock, ({ body, actor, origin }) => unlockSession(db, body.password, { actor, origin })),
]
