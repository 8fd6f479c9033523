import { sql } from 'kysely'
import type { Db, UnscopedDb } from '#db/db'

/** The device a signal came from, with its place as of now: records keep this snapshot (domain 2.4). */
export type SignalSource = {
  /** Database clock, read under the device's lock. */
  now: Date
  deviceId: number
  deptId: number
  schoolId: number | null
  schoolName: string | null
  schoolDeviceId: number | null
  placeId: number | null
  building: string | null
  floor: string | null
  room: string | null
  placePath: string | null
  lng: number | null
  lat: number | null
  silent: boolean
  /** Skew measured on an earlier message; null when never. */
  skewMs: number | null
}

/** First keys of the advisory locks of devices and schools; the two-key space is used for nothing else. */
const DEVICE_TURN = 7701
const SCHOOL_TURN = 7702

/** In the order of the ids, so that two that want several of them cannot wait for each other. */
const turns = (kind: number, ids: readonly number[]) => sql`
  select count(*) as taken from (
    select pg_advisory_xact_lock(${sql.lit(kind)}, key) from (
      select distinct (id % 2147483648)::int as key from unnest(${ids}::bigint[]) as id order by key
    ) as keys
  ) as turns`

/**
 * Until the transaction ends nothing else about this device is taken in: repeats are recognised, presses counted and
 * order is judged by what is committed. Taken before any row lock, everywhere.
 */
export const lockDevice = async (trx: Db, deviceId: number): Promise<void> => {
  await turns(DEVICE_TURN, [deviceId]).execute(trx)
}

/** The same for what devices of a school share: a record, a count of repeats. After the turns of the devices. */
export const lockSchools = async (all: UnscopedDb, schoolIds: readonly number[]): Promise<void> => {
  if (schoolIds.length > 0) await turns(SCHOOL_TURN, schoolIds).execute(all)
}

/** A batch that waits longer than this for somebody's lock is taken apart: who is waited for hurts one press only. */
const TOGETHER_WAIT = '1s'

/**
 * Takes the turns of different devices and reads where each hangs, in one round trip. A device that is nowhere alarms
 * all the same. Each lookup is a lateral one: kept plans must not depend on how small a table once was.
 * @returns them in the order asked for.
 * @throws when a device does not exist.
 */
export const loadSources = async (all: UnscopedDb, deviceIds: readonly number[]): Promise<SignalSource[]> => {
  const patience = deviceIds.length > 1 ? sql`set_config('lock_timeout', ${sql.lit(TOGETHER_WAIT)}, true)` : sql`''`
  const { rows } = await sql<SignalSource>`
    with recursive patient as materialized (
      select ${patience} as patience
    ), turned as materialized (
      select taken from patient cross join lateral (${turns(DEVICE_TURN, deviceIds)} offset 0) as turns
      where patience is not null
    ), clock as materialized (
      select date_trunc('milliseconds', clock_timestamp()) as now from turned where taken > 0
    ), site as materialized (
      select device_id, id, school_id, place_id, lng, lat, silent from school_device
      where device_id = any(${deviceIds}) and valid_to is null
    ), up as (
      select site.device_id, p.*, 0 as depth from site cross join lateral (
        select id, parent_id, kind, name, lng, lat from place where place.id = site.place_id limit 1
      ) as p
      union all
      select up.device_id, p.*, up.depth + 1 from up cross join lateral (
        select id, parent_id, kind, name, lng, lat from place where place.id = up.parent_id limit 1
      ) as p where up.depth < 20
    ), found as (
      select device_id,
        left(string_agg(name, ' / ' order by depth desc) filter (where kind <> 'CAMPUS'), 300) as place_path,
        (array_agg(name order by depth) filter (where kind = 'BUILDING'))[1] as building,
        (array_agg(name order by depth) filter (where kind = 'FLOOR'))[1] as floor,
        (array_agg(name) filter (where depth = 0 and kind in ('ROOM', 'ZONE', 'GATE', 'OUTDOOR')))[1] as room,
        (array_agg(lng order by depth) filter (where lng is not null and lat is not null))[1] as lng,
        (array_agg(lat order by depth) filter (where lng is not null and lat is not null))[1] as lat
      from up group by device_id
    )
    select clock.now, d.id as device_id, coalesce(s.dept_id, d.dept_id) as dept_id, s.id as school_id,
      s.name as school_name, site.id as school_device_id, site.place_id, found.place_path, found.building, found.floor,
      found.room, coalesce(site.silent, false) as silent, state.skew_ms,
      case when site.lng is not null and site.lat is not null then site.lng else coalesce(found.lng, s.lng) end as lng,
      case when site.lng is not null and site.lat is not null then site.lat else coalesce(found.lat, s.lat) end as lat
    from clock cross join device d
      left join site on site.device_id = d.id
      left join found on found.device_id = d.id
      left join lateral (
        select id, dept_id, name, lng, lat from school where school.id = coalesce(site.school_id, d.school_id) limit 1
      ) as s on true
      left join lateral (select skew_ms from device_state where device_id = d.id limit 1) as state on true
    where d.id = any(${deviceIds})`.execute(all)
  const sources = new Map(rows.map((row) => [row.deviceId, row]))
  return deviceIds.map((id) => {
    const source = sources.get(id)
    if (!source) throw new Error(`device ${id} does not exist`)
    return source
  })
}
