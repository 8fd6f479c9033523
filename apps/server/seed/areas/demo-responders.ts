import type { Db } from '#db/db'
import { unscoped } from '#db/scope'

/** Guards and safety officers who have just started their shift, so that a desk has somebody to send. */
export const buildResponders = async (db: Db, usernames: readonly string[]): Promise<void> => {
  const users = await unscoped(db, 'demo data is made for nobody in particular')
    .selectFrom('users')
    .select('id')
    .where('username', 'in', [...usernames])
    .execute()
  await db
    .insertInto('responderDuty')
    .values(users.map(({ id: userId }) => ({ userId, onDuty: true })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
