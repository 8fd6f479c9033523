import { sql } from 'kysely'
import type { OutageGroup } from '#areas/alarm/outage/open-outage'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { derivedConnectivity, FLAP_CHANGES } from './connectivity-sql.ts'

/** More than this share of a group, and at least so many, went offline within two minutes (domain 6.4). */
const SHARE = 0.3
const AT_LEAST = 5
const AT_LEAST_IN_DISTRICT = 20
const SCHOOLS_IN_DISTRICT = 3
/** So many are an outage whatever their share: the first sweep of a large outage sees only its beginning. */
const MANY_IN_SCHOOL = 20
const MANY_IN_DISTRICT = 50
const WINDOW = sql`interval '120 seconds'`
/** Rows of one statement. */
const BATCH = 1000

const allOf = (db: Db) => unscoped(db, 'connectivity of all devices')

const isWatched = sql`device.lifecycle in ('COMMISSIONING', 'IN_SERVICE') and state.last_seen_at is not null`
const isFalling = sql`${isWatched} and outcome.next = 'OFFLINE' and state.connectivity <> 'OFFLINE'
  and not state.flapping`

/** The district of a school is the department above its own. */
const districtOf = sql`(select own.parent_id from school join dept own on own.id = school.dept_id
  where school.id = device.school_id)`

/** The widest outage that includes the device and whose alarm is open: a closed one would hide it. */
const openOutageOf = sql`(
  select outage.id from outage join warn_record record on record.id = outage.record_id and record.open
  where outage.ended_at is null and case outage.kind
    when 'DISTRICT' then outage.subject_id = ${districtOf}
    when 'SCHOOL' then outage.subject_id = device.school_id
    else outage.subject_id in (device.gateway_id, device.id) end
  order by array_position(array['DISTRICT', 'SCHOOL', 'GATEWAY'], outage.kind::text) limit 1)`

/** @returns of these devices those that go offline now, and those that an outage stands for and that return. */
export const findChangingDevices = async (db: Db, deviceIds: readonly number[]) => {
  const { rows } = await sql<{ deviceId: number; falls: boolean }>`
    select state.device_id, ${isFalling} as falls from ${derivedConnectivity}
    where state.device_id = any(${deviceIds}) and (${isFalling} or outcome.next <> 'OFFLINE' and exists (
      select from outage_device member where member.device_id = state.device_id
        and member.restored_at is null and member.raised_at is null))`.execute(allOf(db))
  return {
    falling: rows.flatMap(({ deviceId, falls }) => (falls ? [deviceId] : [])),
    returning: rows.flatMap(({ deviceId, falls }) => (falls ? [] : [deviceId])),
  }
}

/**
 * The groups of these devices that went offline together, the widest first; a group inside another is left out. A
 * gateway that is offline takes its devices with it, however few they are (domain 6.5).
 */
export const findGroups = async (db: Db, deviceIds: readonly number[]): Promise<OutageGroup[]> => {
  const { rows } = await sql<OutageGroup>`
    with concerned as materialized (
      select distinct school.id as school_id, own.parent_id as district_id
      from device join school on school.id = device.school_id join dept own on own.id = school.dept_id
      where device.id = any(${deviceIds})
    ), part as materialized (
      select device.id, device.sn, device.school_id, device.gateway_id, device.dept_id, own.parent_id as district_id,
        outcome.next = 'OFFLINE' as off,
        outcome.next = 'OFFLINE' and (state.connectivity <> 'OFFLINE' or state.since > now() - ${WINDOW}) as fell
      from ${derivedConnectivity}
      join school on school.id = device.school_id join dept own on own.id = school.dept_id
      where ${isWatched} and (own.parent_id in (select district_id from concerned)
        or device.school_id in (select school_id from concerned))
    ), district as (
      select district_id as id, min(id) filter (where fell) as device_id, (count(*) filter (where fell))::int as devices
      from part where district_id is not null group by district_id
      having count(*) filter (where fell) >= ${AT_LEAST_IN_DISTRICT}
        and count(*) filter (where fell) > least(${SHARE}::float8 * count(*), ${MANY_IN_DISTRICT})
        and count(distinct school_id) filter (where fell) >= ${SCHOOLS_IN_DISTRICT}
    ), campus as (
      select school_id as id, min(id) filter (where fell) as device_id, (count(*) filter (where fell))::int as devices
      from part where district_id is null or district_id not in (select id from district) group by school_id
      having count(*) filter (where fell) >= ${AT_LEAST}
        and count(*) filter (where fell) > least(${SHARE}::float8 * count(*), ${MANY_IN_SCHOOL})
    ), hub as (
      select part.gateway_id as id, (count(*) filter (where part.fell))::int as devices
      from part left join part gateway on gateway.id = part.gateway_id
      where part.gateway_id is not null and part.school_id not in (select id from campus)
        and (part.district_id is null or part.district_id not in (select id from district))
      group by part.gateway_id
      having bool_or(gateway.off) and bool_or(part.fell or gateway.fell and part.off)
        or count(*) filter (where part.fell) >= ${AT_LEAST}
          and count(*) filter (where part.fell) > ${SHARE}::float8 * count(*)
    )
    select 'DISTRICT' as kind, district.id as subject_id, dept.name, device_id, null::bigint as school_id,
      dept.id as dept_id, devices from district join dept on dept.id = district.id
    union all
    select 'SCHOOL', campus.id, school.name, device_id, school.id, school.dept_id, devices
    from campus join school on school.id = campus.id
    union all
    select 'GATEWAY', hub.id, device.sn, device.id, device.school_id, device.dept_id, devices
    from hub join device on device.id = hub.id`.execute(allOf(db))
  return rows
}

/** Tells the screens that the counts of outages changed. */
const touched = (changed: string) => sql`
  touched as (
    update outage set changed_at = now() where id in (select outage_id from ${sql.raw(changed)})
    returning record_id, school_id, dept_id
  ), told_outage as (
    insert into event (type, ref, school_id, dept_id)
    select 'alarm.changed', record_id, school_id, dept_id from touched where record_id is not null
  )`

/**
 * Sets devices of open outages offline in one statement: they raise no signal of their own. Locked rows are left for
 * the next sweep, and so are devices that are about to be flapping.
 * @returns how many.
 */
export const attachToOutages = async (db: Db, deviceIds: readonly number[]): Promise<number> => {
  const { rows } = await sql`
    with judged as (
      select state.device_id, state.connectivity, coalesce(fact.lost, false) as lost, device.school_id, device.dept_id,
        ${openOutageOf} as outage_id
      from ${derivedConnectivity}
      where state.device_id = any(${deviceIds}) and ${isFalling}
      order by state.device_id limit ${BATCH}
      for no key update of state skip locked
    ), falling as (
      select judged.*, recent.count + 1 as count, least(recent.first, now()) as first
      from judged cross join lateral (
        select count(*)::integer as count, min(at) as first from device_connectivity earlier
        where earlier.device_id = judged.device_id and earlier.at > now() - interval '10 minutes'
      ) recent where outage_id is not null and recent.count + 1 < ${FLAP_CHANGES}
    ), history as (
      insert into device_connectivity (device_id, at, from_state, to_state, reason)
      select device_id, now(), connectivity, 'OFFLINE', case when lost then 'LINK_LOST' else 'SILENCE' end from falling
    ), told as (
      insert into event (type, ref, school_id, dept_id) select 'device.status', device_id, school_id, dept_id from falling
    ), member as (
      insert into outage_device (outage_id, device_id, school_id, dept_id)
      select outage_id, device_id, school_id, dept_id from falling
      on conflict (outage_id, device_id) do update set since = now(), restored_at = null, raised_at = null
    ), ${touched('falling')}
    update device_state state
    set connectivity = 'OFFLINE', since = now(), change_count = falling.count, changes_since = falling.first
    from falling where state.device_id = falling.device_id
    returning state.device_id`.execute(allOf(db))
  return rows.length
}

/** Sets devices of outages online or late again, in one statement and without a signal. @returns how many. */
export const restoreFromOutages = async (db: Db, deviceIds: readonly number[]): Promise<number> => {
  const { rows } = await sql`
    with back as (
      select state.device_id, state.connectivity, outcome.next, device.school_id, device.dept_id, member.outage_id
      from ${derivedConnectivity} join outage_device member on member.device_id = state.device_id
        and member.restored_at is null and member.raised_at is null
      where state.device_id = any(${deviceIds}) and outcome.next <> 'OFFLINE' and not state.flapping
      order by state.device_id limit ${BATCH}
      for no key update of state, member skip locked
    ), history as (
      insert into device_connectivity (device_id, at, from_state, to_state, reason)
      select device_id, now(), connectivity, next, 'SEEN' from back where connectivity <> next
    ), told as (
      insert into event (type, ref, school_id, dept_id) select 'device.status', device_id, school_id, dept_id from back
    ), restored as (
      update outage_device member set restored_at = now() from back
      where member.outage_id = back.outage_id and member.device_id = back.device_id
    ), ${touched('back')}
    update device_state state set connectivity = back.next, since = now()
    from back where state.device_id = back.device_id
    returning state.device_id`.execute(allOf(db))
  return rows.length
}

/** Of these devices those that an open outage includes: they wait for it instead of raising alarms of their own. */
export const findInOutages = async (db: Db, deviceIds: readonly number[]): Promise<Set<number>> => {
  const { rows } = await sql<{ deviceId: number }>`
    select state.device_id from ${derivedConnectivity} cross join lateral (
      select count(*) + 1 as count from device_connectivity earlier
      where earlier.device_id = state.device_id and earlier.at > now() - interval '10 minutes'
    ) recent
    where state.device_id = any(${deviceIds}) and ${openOutageOf} is not null
      and recent.count < ${FLAP_CHANGES}`.execute(allOf(db))
  return new Set(rows.map(({ deviceId }) => deviceId))
}
