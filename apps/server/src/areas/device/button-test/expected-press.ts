import { type RawBuilder, sql } from 'kysely'
import { isOpenByState } from './open-records.ts'
import type { UnscopedDb } from '#db/db'
import { selectProvingPresses } from '../installation/press-proof.ts'

/** Both parts are for a query with `d` the device, `site` its installation, `s` its school and `clock` the time. */
type ExpectedPress = RawBuilder<unknown>

const noLock = sql``

/** While an alarm of the device is open, every press rings and joins it or is linked with it (decision 063). */
const hasOpenAlarm = sql`exists (
  select from warn_record where device_id = d.id and ${isOpenByState} and mode = 'LIVE' and class <> 'DEVICE_HEALTH')`

/** A fitter proves a button soon after its mounting. Later a press may be a call for help. */
const EXPECTED_HOURS = 24

/**
 * The running test that expects a press of a device where it hangs: its police station was notified, and the button has
 * not been proven in its window. Only for unscoped reads.
 */
export const expectedTest = (_all: UnscopedDb, lock = noLock): ExpectedPress => sql`(
  select plan.id as plan_id, plan.window_from as since, model.alarm_codes from test_plan plan
    join test_result result on result.plan_id = plan.id
    cross join lateral (select alarm_codes from device_model where device_model.id = d.model_id limit 1) as model
  where plan.school_id = s.id and plan.window_from <= clock.now and plan.window_to > clock.now
    and plan.closed_at is null and plan.station_told_at is not null
    and result.device_id = d.id and result.school_device_id = site.id and result.result = 'PENDING'
    and not ${hasOpenAlarm}
    and not exists (${selectProvingPresses(sql.ref('site.id'), {
      from: sql.ref<Date>('plan.window_from'),
      to: sql.ref<Date>('plan.window_to'),
    })})
  limit 1 ${lock})`

/**
 * The installation that expects its first press, because it was mounted within the last 24 hours and is not accepted yet (decision 067). Any
 * alarm of the device since then, readable or not, ends that; a cancel alone is no alarm.
 */
export const expectedInstallation = (_all: UnscopedDb, lock = noLock): ExpectedPress => sql`(
  select coalesce(hung.installed_at, hung.valid_from) as since, model.alarm_codes from school_device hung
    cross join lateral (select alarm_codes from device_model where device_model.id = d.model_id limit 1) as model
  where hung.id = site.id and site.status = 'INSTALLED' and hung.status = 'INSTALLED' and hung.valid_to is null
    and d.lifecycle = 'COMMISSIONING' and not ${hasOpenAlarm}
    and coalesce(hung.installed_at, hung.valid_from) > clock.now - make_interval(hours => ${sql.lit(EXPECTED_HOURS)})
    and not exists (
      select from signal where signal.device_id = d.id and signal.kind in ('ALARM', 'UNPARSABLE')
        and signal.code <> 'CANCEL' and signal.received_at >= coalesce(hung.installed_at, hung.valid_from)
    )
  limit 1 ${lock})`

/**
 * Reads again, under the locks of the intake, in which of these installations a press is still expected. The first read may have been
 * made before a press that it waited for. Locks the plan or the installation until the press is stored, so that whoever
 * ends them also ends its record; one that is being changed right now expects nothing, since a press waits for nobody.
 * @returns the test that expects it by installation; null: the installation itself expects it.
 */
export const lockExpectedPresses = async (
  all: UnscopedDb,
  installationIds: readonly number[],
): Promise<Map<number, number | null>> => {
  const { rows } = await sql<{ id: number; testPlanId: number | null }>`
    select site.id, tested.plan_id as test_plan_id
    from school_device site join device d on d.id = site.device_id
      join school s on s.id = site.school_id
      cross join lateral (select clock_timestamp() as now) as clock
      left join lateral ${expectedTest(all, sql`for share of plan skip locked`)} as tested on true
      left join lateral ${expectedInstallation(all, sql`for share of hung skip locked`)} as installed on true
    where site.id = any(${installationIds}) and site.valid_to is null
      and (tested.since is not null or installed.since is not null)`.execute(all)
  return new Map(rows.map(({ id, testPlanId }) => [id, testPlanId]))
}
