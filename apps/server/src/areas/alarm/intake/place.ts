import { sql } from 'kysely'
import type { AllDb, Db } from '#db/db'

/** The device a signal came from, with its place as of now: records keep this snapshot (domain 2.4). */
export type Source = {
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

/** First key of the advisory locks of devices; the two-key space is used for nothing else. */
const DEVICE_TURN = 7701

const turn = (deviceId: number) => sql`pg_advisory_xact_lock(${DEVICE_TURN}, (${deviceId}::bigint % 2147483648)::int)`

/**
 * Until the transaction ends nothing else about this device is taken in: repeats are recognised, presses counted and
 * order is judged by what is committed. Taken before any row lock, everywhere.
 */
export const takeTurn = async (trx: Db, deviceId: number): Promise<void> => {
  await sql`select ${turn(deviceId)}`.execute(trx)
}

/** Takes the device's turn and reads where it hangs, in one round trip. A device that is nowhere alarms all the same. */
export const findSource = async (all: AllDb, deviceId: number): Promise<Source> => {
  const { rows } = await sql<Source & { turn: unknown }>`
    with recursive site as (
      select id, school_id, place_id, lng, lat, silent from school_device
      where device_id = ${deviceId} and valid_to is null
    ), up as (
      select p.id, p.parent_id, p.kind, p.name, p.lng, p.lat, 0 as depth
      from place p join site on site.place_id = p.id
      union all
      select p.id, p.parent_id, p.kind, p.name, p.lng, p.lat, up.depth + 1
      from place p join up on p.id = up.parent_id where up.depth < 20
    ), found as (
      select
        (select left(string_agg(name, ' / ' order by depth desc), 300) from up where kind <> 'CAMPUS') as place_path,
        (select name from up where kind = 'BUILDING' order by depth limit 1) as building,
        (select name from up where kind = 'FLOOR' order by depth limit 1) as floor,
        (select name from up where depth = 0 and kind in ('ROOM', 'ZONE', 'GATE', 'OUTDOOR')) as room,
        (select array[lng, lat] from up where lng is not null and lat is not null order by depth limit 1) as point
    )
    select ${turn(deviceId)} as turn, date_trunc('milliseconds', clock_timestamp()) as now,
      d.id as device_id, coalesce(s.dept_id, d.dept_id) as dept_id, s.id as school_id, s.name as school_name,
      site.id as school_device_id, site.place_id, found.place_path, found.building, found.floor, found.room,
      case when site.lng is not null and site.lat is not null then site.lng else coalesce(found.point[1], s.lng) end as lng,
      case when site.lng is not null and site.lat is not null then site.lat else coalesce(found.point[2], s.lat) end as lat,
      coalesce(site.silent, false) as silent, state.skew_ms
    from device d
      cross join found
      left join site on true
      left join school s on s.id = coalesce(site.school_id, d.school_id)
      left join device_state state on state.device_id = d.id
    where d.id = ${deviceId}`.execute(all)
  const [row] = rows
  if (!row) throw new Error(`device ${deviceId} does not exist`)
  const { turn: _turn, ...source } = row
  return source
}
