import { sql } from 'kysely'
import type { UnscopedDb } from '#db/db'
import { provingPresses } from '../installation/press-proof.ts'

/**
 * The running test that expects a press of a device where it hangs: its police station was notified, and the button has
 * not been proven in its window. Only for unscoped reads. For a query with `d` the device, `site` its installation, `s` its
 * school and `clock` the time.
 */
export const expectedTest = (_all: UnscopedDb) => sql`(
  select plan.window_from, model.alarm_codes from test_plan plan join test_result result on result.plan_id = plan.id
    cross join lateral (select alarm_codes from device_model where device_model.id = d.model_id limit 1) as model
  where plan.school_id = s.id and plan.window_from <= clock.now and plan.window_to > clock.now
    and plan.closed_at is null and plan.station_told_at is not null
    and result.device_id = d.id and result.school_device_id = site.id and result.result = 'PENDING'
    and not exists (${provingPresses(sql.ref('site.id'), {
      from: sql.ref<Date>('plan.window_from'),
      to: sql.ref<Date>('plan.window_to'),
    })})
  limit 1)`
