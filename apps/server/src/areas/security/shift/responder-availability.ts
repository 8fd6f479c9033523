import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import type { StoredShift } from './shift-rows.ts'

/**
 * The person of a shift can be sent to alarms from the check-in to the end, as if the person had said so. Only these two
 * moments change it: who says “off duty” in between stays off.
 */
export const setAvailable = async (
  trx: Db,
  { id, employeeId }: Pick<StoredShift, 'id' | 'employeeId'>,
  onDuty: boolean,
): Promise<void> => {
  const all = unscoped(trx, 'the person of a shift that was locked')
  const account = await all
    .selectFrom('employee')
    .innerJoin('users', 'users.id', 'employee.userId')
    .select(['users.id', 'users.deptId'])
    .where('employee.id', '=', employeeId)
    .executeTakeFirst()
  if (!account) return
  const { id: userId, deptId } = account
  if (!onDuty) {
    // The end of a shift that nobody ended may come after the check-in to the next one.
    const next = await all
      .selectFrom('shift')
      .select('id')
      .where('employeeId', '=', employeeId)
      .where('state', '=', 'CHECKED_IN')
      .where('id', '<>', id)
      .executeTakeFirst()
    if (next) return
  }
  await trx
    .insertInto('responderDuty')
    .values({ userId, onDuty })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({ onDuty, since: new Date() }).where('responderDuty.onDuty', '!=', onDuty),
    )
    .execute()
  await emitEvents(trx, { type: 'assignment.changed', deptId, userId })
}
