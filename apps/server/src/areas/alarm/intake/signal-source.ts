import { sql } from 'kysely'
import { expectedInstallation, expectedTest } from '#areas/device/button-test/expected-press'
import { rowsFromJson } from '#db/bulk-rows'
import type { Db, UnscopedDb } from '#db/db'

/** The device of a signal with its current place. Records store this snapshot (domain 2.4). */
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
  /** Start of the installation; null where the device is not installed. */
  installedFrom: Date | null
  /** When the device left this place; null while it is there. */
  installedTo: Date | null
  /** Skew measured on an earlier message, the boot of that message, and the clock at that boot; null when never. */
  skewMs: number | null
  skewBoot: number | null
  bootClockMs: number | null
  /** Whether the button was latched before this signal; null when unknown. */
  latched: boolean | null
  /** Since when a button test or an installation expects a press of the device; null where nothing does. */
  expectedFrom: Date | null
  /** The codes of its model. */
  expectedCodes: string[] | null
  /** The test that expects it; null for an installation that is not accepted yet. */
  testPlanId: number | null
}

/** The snapshot that a record stores. */
export const toPlaceColumns = (source: SignalSource) => ({
  deviceId: source.deviceId,
  deptId: source.deptId,
  schoolId: source.schoolId,
  schoolName: source.schoolName,
  schoolDeviceId: source.schoolDeviceId,
  placeId: source.placeId,
  building: source.building,
  floor: source.floor,
  room: source.room,
  placePath: source.placePath,
  lng: source.lng,
  lat: source.lat,
})

/** First keys of the advisory locks of devices and schools. The two-key space has no other use. */
const DEVICE_LOCK = 7701
const SCHOOL_LOCK = 7702

/** Locks in the order of ids, so that two transactions with several locks cannot deadlock. */
const advisoryLocks = (kind: number, ids: readonly number[]) => sql`
  select count(*) as taken from (
    select pg_advisory_xact_lock(${sql.lit(kind)}, key) from (
      select distinct (id % 2147483648)::int as key from unnest(${ids}::bigint[]) as id order by key
    ) as keys
  ) as turns`

/**
 * Blocks other signals of this device until the transaction ends: duplicates, bursts and order are decided by committed
 * rows. It is acquired before any row lock, everywhere.
 */
export const lockDevice = async (trx: Db, deviceId: number): Promise<void> => {
  await advisoryLocks(DEVICE_LOCK, [deviceId]).execute(trx)
}

/** The same for what devices of a school share: a record, a count of repeats. After the turns of the devices. */
export const lockSchools = async (all: UnscopedDb, schoolIds: readonly number[]): Promise<void> => {
  if (schoolIds.length > 0) await advisoryLocks(SCHOOL_LOCK, schoolIds).execute(all)
}

/** A batch that waits longer than this for a lock is split, so that one locked record delays one press only. */
const TOGETHER_WAIT = '1s'

/** A device at a moment of the past. */
export type PastMoment = { deviceId: number; at: Date }

const siteColumns = sql`device_id, id, school_id, place_id, lng, lat, silent, valid_from, valid_to, status`
const pastRows = rowsFromJson({ device: 'bigint', at: 'timestamptz' })
const currentSites = (deviceIds: readonly number[]) => sql`
  select ${siteColumns} from school_device where device_id = any(${deviceIds}) and valid_to is null`
/** Where it hung nowhere, its school is known if it was in no other school before. */
const pastSites = (moments: readonly PastMoment[]) => sql`
  select device.id as device_id, past.id, past.place_id, past.lng, past.lat, past.silent, past.valid_from, past.valid_to,
    past.status,
    case when past.id is not null then past.school_id
      when before.school_id is null or before.school_id = device.school_id then device.school_id end as school_id
  from (select * from ${pastRows(moments.map(({ deviceId, at }) => ({ device: deviceId, at })))}) as asked
    join device on device.id = asked.device
    left join lateral (
      select * from school_device where device_id = asked.device and valid_from <= asked.at and valid_to > asked.at limit 1
    ) as past on true
    left join lateral (
      select school_id from school_device where device_id = asked.device and valid_to <= asked.at
      order by valid_to desc limit 1
    ) as before on true`

type SourceQuery = { deviceIds: readonly number[]; sites: ReturnType<typeof sql>; school: ReturnType<typeof sql> }

/** Each lookup is a lateral one: kept plans must not depend on how small a table once was. */
const selectSources = async (all: UnscopedDb, { deviceIds, sites, school }: SourceQuery): Promise<SignalSource[]> => {
  const lockTimeout = deviceIds.length > 1 ? sql`set_config('lock_timeout', ${sql.lit(TOGETHER_WAIT)}, true)` : sql`''`
  const { rows } = await sql<SignalSource>`
    with recursive patient as materialized (
      select ${lockTimeout} as patience
    ), turned as materialized (
      select taken from patient cross join lateral (${advisoryLocks(DEVICE_LOCK, deviceIds)} offset 0) as turns
      where patience is not null
    ), clock as materialized (
      select date_trunc('milliseconds', clock_timestamp()) as now from turned where taken > 0
    ), site as materialized (${sites}), up as (
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
      found.room, coalesce(site.silent, false) as silent, site.valid_from as installed_from,
      site.valid_to as installed_to, state.skew_ms, state.skew_boot, state.boot_clock_ms,
      state.latched, coalesce(tested.since, installed.since) as expected_from, tested.plan_id as test_plan_id,
      coalesce(tested.alarm_codes, installed.alarm_codes) as expected_codes,
      case when site.lng is not null and site.lat is not null then site.lng else coalesce(found.lng, s.lng) end as lng,
      case when site.lng is not null and site.lat is not null then site.lat else coalesce(found.lat, s.lat) end as lat
    from clock cross join device d
      left join site on site.device_id = d.id left join found on found.device_id = d.id
      left join lateral (
        select id, dept_id, name, lng, lat from school where school.id = ${school} limit 1
      ) as s on true
      left join lateral (
        select skew_ms, skew_boot, boot_clock_ms, latched from device_state where device_id = d.id limit 1
      ) as state on true
      left join lateral ${expectedTest(all)} as tested on true
      left join lateral ${expectedInstallation(all)} as installed on true
    where d.id = any(${deviceIds})`.execute(all)
  const sources = new Map(rows.map((row) => [row.deviceId, row]))
  return deviceIds.map((id) => {
    const source = sources.get(id)
    if (!source) throw new Error(`device ${id} does not exist`)
    return source
  })
}

/**
 * Takes the turns of different devices and reads where each hangs, in one round trip. A device that is nowhere alarms
 * all the same.
 * @returns them in the order asked for.
 * @throws when a device does not exist.
 */
export const loadSources = (all: UnscopedDb, deviceIds: readonly number[]): Promise<SignalSource[]> => {
  const school = sql`coalesce(site.school_id, d.school_id)`
  return selectSources(all, { deviceIds, sites: currentSites(deviceIds), school })
}

/**
 * Where devices hung at moments of the past, before their present installation. Without an installation the place is
 * unknown.
 */
export const loadPastSources = (all: UnscopedDb, moments: readonly PastMoment[]): Promise<SignalSource[]> => {
  const deviceIds = moments.map(({ deviceId }) => deviceId)
  return selectSources(all, { deviceIds, sites: pastSites(moments), school: sql`site.school_id` })
}

/** What a signal concerns when it is more than its device: the school of the device, or a department. */
export type SignalExtent = { kind: 'SCHOOL' } | { kind: 'DISTRICT'; deptId: number }

const nowhere = {
  schoolDeviceId: null,
  placeId: null,
  building: null,
  floor: null,
  room: null,
  placePath: null,
} as const

/** The source of such a signal: its record names no room, and for a department no school. */
export const widenSource = (source: SignalSource, extent: SignalExtent | undefined): SignalSource => {
  if (!extent) return source
  if (extent.kind === 'SCHOOL') return { ...source, ...nowhere }
  return { ...source, ...nowhere, deptId: extent.deptId, schoolId: null, schoolName: null, lng: null, lat: null }
}
