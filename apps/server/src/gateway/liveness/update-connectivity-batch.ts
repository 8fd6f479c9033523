import { sql } from 'kysely'
import type { Db } from '#db/db'
import { wakeSequencer } from '#db/event'
import { unscoped } from '#db/scope'
import { derivedConnectivity, FLAP_CHANGES } from './connectivity-sql.ts'

/**
 * Updates in one statement the devices whose change raises no signal: neither to nor from OFFLINE, and no flapping. When
 * the power of a school returns all its devices change at once, and alarms must not wait for that. Locked rows are left
 * for the next sweep.
 * @returns the devices that changed.
 */
export const updateConnectivityBatch = async (db: Db, deviceIds: readonly number[]): Promise<number[]> => {
  const { rows } = await sql<{ deviceId: number }>`
    with judged as (
      select state.device_id, state.connectivity, outcome.next, device.school_id, device.dept_id from ${derivedConnectivity}
      where state.device_id = any(${deviceIds}) and state.last_seen_at is not null and device.lifecycle <> 'RETIRED'
        and outcome.next <> state.connectivity and 'OFFLINE' not in (outcome.next, state.connectivity)
        and not state.flapping
      for update of state skip locked
    ), counted as (
      select judged.*, recent.count + 1 as count, least(recent.first, now()) as first
      from judged cross join lateral (
        select count(*)::integer as count, min(at) as first from device_connectivity earlier
        where earlier.device_id = judged.device_id and earlier.at > now() - interval '10 minutes'
      ) recent
    ), quiet as (
      select * from counted where count < ${FLAP_CHANGES}
    ), history as (
      insert into device_connectivity (device_id, at, from_state, to_state, reason)
      select device_id, now(), connectivity, next, case next when 'ONLINE' then 'SEEN' else 'SILENCE' end from quiet
    ), told as (
      insert into event (type, ref, school_id, dept_id) select 'device.status', device_id, school_id, dept_id from quiet
    )
    update device_state state
    set connectivity = quiet.next, since = now(), change_count = quiet.count, changes_since = quiet.first
    from quiet where state.device_id = quiet.device_id
    returning state.device_id`.execute(unscoped(db, 'connectivity of all devices'))
  if (rows.length > 0) wakeSequencer()
  return rows.map(({ deviceId }) => deviceId)
}
