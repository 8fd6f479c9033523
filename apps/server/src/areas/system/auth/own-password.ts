import { sql } from 'kysely'
import type { Db } from '#db/db'
import { announce } from '#db/event'
import type { Origin } from '#http/route'
import { audit } from '../audit.ts'
import { patiently } from '../user/lock.ts'
import { all, type Proven } from './enter.ts'
import { endSessionsOf } from './session.ts'

/** A password chosen by somebody who proved himself without the old one; all his sessions end. */
export const setOwnPassword = async (
  trx: Db,
  user: Proven,
  { passwordHash, action, origin }: { passwordHash: string; action: string; origin: Origin },
): Promise<void> => {
  const his = all(trx).selectFrom('users').select('mustChangePassword').where('id', '=', user.id)
  const before = await patiently(trx, () => his.forUpdate().executeTakeFirstOrThrow())
  await all(trx)
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
  await announce(trx, { type: 'permission.changed', userId: user.id })
  const actor = { userId: user.id, username: user.username, deptId: user.deptId, sessionId: null }
  await audit(trx, {
    actor,
    origin,
    action,
    subject: 'users',
    subjectId: user.id,
    before,
    after: { mustChangePassword: false },
  })
}
