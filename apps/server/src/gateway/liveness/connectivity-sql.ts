import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { clusterListeningSince } from './node-presence.ts'

/** A device that does not return this long after its will is offline (domain 2.7). */
const RETURN = sql`interval '15 seconds'`
const CALM = sql`interval '30 minutes'`
/** Changes in ten minutes, the present one included, from which on a device is flapping (domain 2.7). */
export const FLAP_CHANGES = 6
/** Losses of the connection in an hour, the present one included, from which on a slower one is flapping too. */
export const FLAP_LOSSES = 6

/**
 * The connectivity in SQL. `facts` assumes that the server always listened; `fair` counts silence only while all nodes
 * listened. When the two differ the state stays as it is: a restart or stall of the server makes no device offline, and
 * no device comes online without a message.
 */
export const derivedConnectivity = sql`
  device_state state
  join device on device.id = state.device_id
  join device_model model on model.id = device.model_id
  cross join lateral (select
    now() - state.last_seen_at as silence,
    now() - greatest(state.last_seen_at, ${clusterListeningSince}) as fair_silence,
    now() - ${clusterListeningSince} > make_interval(secs => model.offline_after_sec) as heard_long,
    state.link_lost_at >= state.last_seen_at and now() - state.link_lost_at > ${RETURN} as lost,
    make_interval(secs => model.heartbeat_sec * 1.5) as late_after,
    make_interval(secs => model.offline_after_sec) as offline_after
  ) fact
  cross join lateral (select
    case when lost or silence > offline_after then 3 when silence > late_after then 2 else 1 end as facts,
    case when heard_long and (lost or fair_silence > offline_after) then 3
      when fair_silence > late_after then 2 else 1 end as fair,
    array_position(array['ONLINE', 'LATE', 'OFFLINE'], state.connectivity::text) as present
  ) rank
  cross join lateral (
    select (array['ONLINE', 'LATE', 'OFFLINE'])[greatest(fair, least(facts, coalesce(present, 0)))] as next
  ) outcome`

/** No change for half an hour ends flapping. */
export const hasStoppedFlapping = sql`(state.flapping and state.since < now() - ${CALM})`

/** Devices whose stored state is outdated, at most `limit` of them. */
export const findOutdatedDevices = async (db: Db, limit: number): Promise<number[]> => {
  const { rows } = await sql<{ deviceId: number }>`
    select state.device_id from ${derivedConnectivity}
    where state.last_seen_at is not null and device.lifecycle <> 'RETIRED'
      and (outcome.next <> state.connectivity or ${hasStoppedFlapping})
    limit ${limit}`.execute(unscoped(db, 'connectivity of all devices'))
  return rows.map(({ deviceId }) => deviceId)
}
