import {
  BATTERY_ORDER_DAYS,
  LOW_BATTERY_PCT,
  type MaintenanceCause,
  OFFLINE_HOURS,
  TEST_OVERDUE_DAYS,
} from '@tocsin/contract/device/maintenance'
import { zone } from '@tocsin/contract/time-zone'
import { type RawBuilder, sql } from 'kysely'
import type { Db, UnscopedDb } from '#db/db'
import { unscoped } from '#db/scope'
import type { TimerHandler } from '#timer/scheduler'
import { batteryDaysLeft } from '../battery.ts'
import { insertOrder } from './create-order.ts'
import { activeFaults, today } from './cause-sql.ts'
import { closeEndedOrders } from './ended-orders.ts'

/** The timer of the search for devices that need work: one subject, one step; the epoch counts the searches. */
export const MAINTENANCE_TIMER = 'maintenance'
const SUBJECT = 1
const STEP = 'SEARCH'
const EVERY_SEC = 600
/** The next search finds the remaining ones. */
const MAX_NEW = 200
/** Pause after an order for a low battery, done or cancelled. */
const BATTERY_PAUSE = sql`interval '7 days'`

type Need = {
  deviceId: number
  schoolId: number | null
  deptId: number
  cause: 'OFFLINE' | 'LOW_BATTERY' | 'TEST_FAILED' | 'TEST_OVERDUE' | 'FAULT'
  batteryPct: number | null
  batteryDays: number | null
  /** Of a fault that the device named. */
  faults: string | null
  daysOverdue: number | null
}

/**
 * Whether a device is part of an open outage: its cause is not in the device, and the outage has one alarm for all
 * (decision 052). The list is read once and hashed, whatever the statistics say: searched for each device, it took a
 * quadratic time while a district was offline.
 */
export const isInOutage = (deviceId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`${deviceId} in (select device_id from outage_device where restored_at is null and raised_at is null)`

/**
 * Installed devices in service that need work and had no order for it since: a cause that lasts is not ordered again
 * after somebody cancelled or finished its order.
 */
const findNeeds = async (all: UnscopedDb): Promise<Need[]> => {
  const { rows } = await sql<Need>`
    with fault as (${activeFaults(all, sql`now()`)}), installed as (
      select d.id as device_id, d.school_id, d.dept_id, device_state.connectivity, device_state.since,
        device_state.battery_pct, device_model.power, ${batteryDaysLeft} as battery_days,
        case when cardinality(device_model.alarm_codes) > 0 then installed_at.next_test_due end as test_due,
        fault.since as fault_since, fault.names as faults
      from device d join device_model on device_model.id = d.model_id
      join school_device installed_at on installed_at.device_id = d.id and
        installed_at.valid_to is null and installed_at.status = 'ACCEPTED'
      left join device_state on device_state.device_id = d.id
      left join fault on fault.device_id = d.id
      where d.lifecycle = 'IN_SERVICE'
    ), need as (
      select installed.*, 'OFFLINE' as cause, since as need_since from installed
      where connectivity = 'OFFLINE' and since < now() - make_interval(hours => ${OFFLINE_HOURS})
        and not (${isInOutage(sql`installed.device_id`)})
      union all
      select installed.*, 'LOW_BATTERY', now() - ${BATTERY_PAUSE} from installed
      where power = 'BATTERY' and (battery_pct < ${LOW_BATTERY_PCT} or battery_days < ${BATTERY_ORDER_DAYS})
      union all
      select installed.*, 'TEST_FAILED', last.closed_at from installed
      join (
        select distinct on (result.device_id) result.device_id, result.result, plan.closed_at
        from test_result result join test_plan plan on plan.id = result.plan_id
        where plan.closed_at is not null order by result.device_id, plan.closed_at desc
      ) last on last.device_id = installed.device_id and last.result = 'NOT_RECEIVED'
      union all
      select installed.*, 'TEST_OVERDUE', test_due::timestamp at time zone ${zone.name} from installed
      where test_due < ${today()} - ${TEST_OVERDUE_DAYS}::int
      union all
      select installed.*, 'FAULT', fault_since from installed where fault_since is not null
    )
    select need.device_id, need.school_id, need.dept_id, need.cause, need.battery_pct, need.battery_days, need.faults,
      ${today()} - need.test_due as days_overdue
    from need where not exists (
      select from maintenance_order o where o.device_id = need.device_id
        and (o.state not in ('VERIFIED', 'CANCELLED') or o.create_time >= need.need_since)
        -- A test that passes settles both the failed and the overdue one.
        and (o.cause = need.cause or need.cause = 'TEST_OVERDUE' and o.cause = 'TEST_FAILED'))
    order by need.device_id limit ${MAX_NEW}`.execute(all)
  return rows
}

const describe = ({ cause, batteryPct, batteryDays, faults, daysOverdue }: Need): string => {
  if (cause === 'OFFLINE') return `离线超过 ${OFFLINE_HOURS} 小时，系统自动开单`
  if (cause === 'TEST_FAILED') return '按钮测试未收到信号，系统自动开单'
  if (cause === 'TEST_OVERDUE') return `按钮测试逾期 ${daysOverdue} 天，系统自动开单`
  if (cause === 'FAULT') return `设备报告故障${faults ? ` ${faults}` : ''}，系统自动开单`.slice(0, 500)
  return batteryPct !== null && batteryPct < LOW_BATTERY_PCT
    ? `电量低于 ${LOW_BATTERY_PCT}%，系统自动开单`
    : `电池预计 ${batteryDays} 天后耗尽，系统自动开单`
}
const priorityFor = (cause: MaintenanceCause) =>
  cause === 'LOW_BATTERY' || cause === 'TEST_OVERDUE' ? 'NORMAL' : 'HIGH'

/** Opens the missing orders, each once: the index decides between two concurrent searches. @returns how many. */
export const openNeededOrders = async (trx: Db): Promise<number> => {
  let opened = 0
  for (const need of await findNeeds(unscoped(trx, 'the server looks for work by itself'))) {
    const { deviceId: id, schoolId, deptId, cause } = need
    const device = { id, schoolId, deptId }
    const draft = { device, cause, priority: priorityFor(cause), description: describe(need) } as const
    if (await insertOrder(trx, null, draft)) opened += 1
  }
  return opened
}

const insertSearch = (trx: Db, epoch: number) =>
  trx
    .insertInto('timer')
    .values({
      kind: MAINTENANCE_TIMER,
      subjectId: SUBJECT,
      step: STEP,
      epoch,
      dueAt: sql<Date>`now() + make_interval(secs => ${EVERY_SEC})`,
    })
    .onConflict((conflict) => conflict.constraint('timer_step_key').doNothing())
    .execute()

/** At every start: schedules the first search, or the next one when the last did not. */
export const scheduleSearch = async (db: Db): Promise<void> => {
  const last = await db
    .selectFrom('timer')
    .select(['epoch', 'doneAt'])
    .where('kind', '=', MAINTENANCE_TIMER)
    .orderBy('epoch', 'desc')
    .executeTakeFirst()
  if (!last || last.doneAt !== null) await insertSearch(db, (last?.epoch ?? 0) + 1)
}

export const maintenanceTimerHandlers: Record<typeof MAINTENANCE_TIMER, TimerHandler> = {
  [MAINTENANCE_TIMER]: {
    most: 1,
    execute: async (trx, keys) => {
      await closeEndedOrders(trx)
      await openNeededOrders(trx)
      for (const { epoch } of keys) await insertSearch(trx, epoch + 1)
    },
  },
}
