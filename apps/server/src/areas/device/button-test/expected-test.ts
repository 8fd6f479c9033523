import { sql } from 'kysely'
import type { UnscopedDb } from '#db/db'

/**
 * The running test that expects a press of a device: its police station was notified, and the device has not been
 * pressed in its window. Only for unscoped reads. For a query with `d` the device, `s` its school and `clock` the time.
 */
export const expectedTest = (_all: UnscopedDb) => sql`(
  select plan.id from test_plan plan join test_result result on result.plan_id = plan.id
  where plan.school_id = s.id and plan.window_from <= clock.now and plan.window_to > clock.now
    and plan.closed_at is null and plan.station_told_at is not null
    and result.device_id = d.id and result.result = 'PENDING'
    and not exists (
      select from signal pressed where pressed.device_id = d.id and pressed.kind = 'ALARM'
        and pressed.received_at >= plan.window_from)
  limit 1)`
