import { sql } from 'kysely'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import type { RequestInfo } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import { withLockTimeout } from '../../people/lock.ts'
import { unscopedForSignIn, type VerifiedUser } from '../complete-sign-in.ts'
import { endSessionsOf } from '../session.ts'

/** Sets a password chosen by a user verified without the old one; all the user's sessions end. */
export const resetOwnPassword = async (
  trx: Db,
  user: VerifiedUser,
  { passwordHash, action, origin }: { passwordHash: string; action: string; origin: RequestInfo },
): Promise<void> => {
  const his = unscopedForSignIn(trx).selectFrom('users').select('mustChangePassword').where('id', '=', user.id)
  const before = await withLockTimeout(trx, () => his.forUpdate().executeTakeFirstOrThrow())
  await unscopedForSignIn(trx)
    .updateTable('users')
    .set({
      passwordHash,
      mustChangePassword: false,
      version: sql<number>`version + 1`,
      updateTime: sql<Date>`now()`,
      updater: user.id,
    })
    .where('id', '=', user.id)
    .execute()
  await endSessionsOf(trx, user.id, 'PASSWORD')
  await emitEvents(trx, { type: 'permission.changed', userId: user.id })
  const actor = { userId: user.id, username: user.username, deptId: user.deptId, sessionId: null }
  await writeAudit(trx, {
    actor,
    origin,
    action,
    subject: 'users',
    subjectId: user.id,
    before,
    after: { mustChangePassword: false },
  })
}
