import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { activeFaults, today } from './cause-sql.ts'
import { recordChange } from './create-order.ts'

/** The next search finds the remaining ones. */
const MOST = 200

const ordersOf = (trx: Db) => unscoped(trx, 'the server looks for orders that it opened by itself')

/**
 * Orders of the server whose fault was cleared, or whose button was tested or taken down, since. Those that people opened by
 * hand stay: their cause is what these people saw. One that somebody works on at this moment is found by the next search.
 */
const lockEnded = (trx: Db): Promise<Row<'maintenanceOrder'>[]> => {
  const all = ordersOf(trx)
  return (
    all
      .selectFrom('maintenanceOrder')
      .selectAll()
      .where('creator', 'is', null)
      .where('state', '<>', 'DONE')
      // As the index of open orders says it.
      .where(sql<boolean>`state not in ('VERIFIED', 'CANCELLED')`)
      .where(
        sql<boolean>`case cause
        when 'FAULT' then not exists (
          select from (${activeFaults(all, sql`maintenance_order.create_time`)}) fault where fault.device_id = maintenance_order.device_id)
        when 'TEST_OVERDUE' then not exists (
          select from school_device hung where hung.device_id = maintenance_order.device_id and hung.valid_to is null
            and hung.next_test_due < ${today()})
        else false end`,
      )
      .where(sql<boolean>`not exists (select from maintenance_log entry
      where entry.order_id = maintenance_order.id and entry.verb = 'recover')`)
      .orderBy('id')
      .limit(MOST)
      .forUpdate()
      .skipLocked()
      .execute()
  )
}

/** Nobody has the work yet: the order ends. */
const cancel = (trx: Db, { id }: Row<'maintenanceOrder'>) =>
  ordersOf(trx)
    .updateTable('maintenanceOrder')
    .set({ state: 'CANCELLED', version: sql<number>`version + 1`, updateTime: sql<Date>`now()`, updater: null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/**
 * Cancels orders that nobody was given, and notes the end of the cause, once, on those with an assignee, who decides.
 * @returns how many.
 */
export const closeEndedOrders = async (trx: Db): Promise<number> => {
  const ended = await lockEnded(trx)
  for (const before of ended) {
    const { id: orderId, state } = before
    const entry = { orderId, userId: null, fromState: state, assigneeName: null, note: null }
    await trx
      .insertInto('maintenanceLog')
      .values({ ...entry, verb: 'recover', toState: state })
      .execute()
    if (state !== 'OPEN') {
      await recordChange(trx, null, { action: 'note', before, after: before })
      continue
    }
    const after = await cancel(trx, before)
    await trx
      .insertInto('maintenanceLog')
      .values({ ...entry, verb: 'cancel', toState: after.state })
      .execute()
    await recordChange(trx, null, { action: 'cancel', before, after })
  }
  return ended.length
}
