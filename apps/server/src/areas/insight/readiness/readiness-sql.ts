import { LOW_BATTERY_PCT } from '@tocsin/contract/device/maintenance'
import {
  BATTERY_AHEAD_DAYS,
  GOOD_READINESS,
  LOW_READINESS,
  NEVER,
  type ReadinessCode,
  readinessCodes,
} from '@tocsin/contract/insight/readiness'
import type { Bands, Weights } from '@tocsin/contract/insight/weights/readiness-weights'
import { type RawBuilder, sql } from 'kysely'
import { batteryDaysLeft } from '#areas/device/battery'
import type { UnscopedDb } from '#db/db'

/** What to compute: every device, or those of these ids and schools. */
export type RefreshTarget = 'ALL' | { deviceIds: readonly number[]; schoolIds: readonly number[] }

export type FactsInput = {
  target: RefreshTarget
  now: Date
  /** Schools where nobody is on duty now. */
  uncovered: readonly number[]
  /** Schools where nobody is on duty at some time of the next 24 hours. */
  uncoveredSoon: readonly number[]
}

/** The weights that values are computed by. */
export type UsedWeights = { version: number; weights: Weights }

/** Seconds without connection in the last seven days, from the changes of the connection. */
const offlineSeconds = (now: Date) => sql`(
  with change as (
    select at, from_state, to_state, lead(at, 1, ${now}::timestamptz) over (order by at) as until,
      row_number() over (order by at) as n
    from device_connectivity c
    where c.device_id = d.id and c.at > ${now}::timestamptz - interval '7 days' and c.at <= ${now}::timestamptz
  )
  select sum(case when to_state = 'OFFLINE' then extract(epoch from until - at) else 0 end
    + case when n = 1 and from_state = 'OFFLINE'
      then extract(epoch from at - (${now}::timestamptz - interval '7 days')) else 0 end)
  from change)`

/** When a press or a test last proved that the device raises alarms. */
const provenAt = sql`greatest(
  i.last_test_at,
  (select max(coalesce(t.at, p.closed_at)) from test_result t join test_plan p on p.id = t.plan_id
    where t.device_id = d.id and t.result = 'PASSED'),
  (select max(s.received_at) from signal s
    where s.device_id = d.id and s.kind = 'ALARM' and s.code = any(device_model.alarm_codes)))`

/** Two index scans; a condition with "or" over both columns reads every installation. */
const isInstalledIn = (target: RefreshTarget) =>
  target === 'ALL'
    ? sql`true`
    : sql`i.id in (
        select id from school_device where device_id = any(${target.deviceIds}::bigint[]) and valid_to is null
        union select id from school_device where school_id = any(${target.schoolIds}::bigint[]) and valid_to is null)`

const isScoredIn = (target: RefreshTarget) =>
  target === 'ALL'
    ? sql`true`
    : sql`r.device_id in (
        select unnest(${target.deviceIds}::bigint[])
        union select device_id from device_readiness where school_id = any(${target.schoolIds}::bigint[]))`

/** The release of the last completed rollout; a device that never reported its firmware is not judged. */
const hasOldFirmware = sql`device_state.fw <> (
  select package.release from rollout join program_package package on package.id = rollout.package_id
  where rollout.model_id = d.model_id and rollout.kind = 'FIRMWARE' and rollout.state = 'COMPLETED'
  order by rollout.ended_at desc limit 1)`

/** Alarm codes that a rule puts into a class without a published response plan. Computed once for all devices. */
const unplannedCodes = sql`array(
  select distinct code from warn_rule rule cross join unnest(rule.match_codes) code
  where rule.enabled and not rule.shadow and not exists (
    select from procedure join procedure_version v on v.procedure_id = procedure.id and v.no = procedure.version_no
    where procedure.kind = 'RESPONSE' and procedure.status = 'PUBLISHED' and v.class = rule.class))`

const ifTrue = (condition: RawBuilder<unknown>) => sql`case when ${condition} then 1 else 0 end`

/** The value of each reason; the weights turn it into points. */
const values = ({
  now,
  uncovered,
  uncoveredSoon,
}: Omit<FactsInput, 'target'>): Record<ReadinessCode, RawBuilder<unknown>> => ({
  OFFLINE: ifTrue(sql`coalesce(device_state.connectivity, 'NEVER_SEEN') in ('OFFLINE', 'NEVER_SEEN')`),
  PRESS: sql`case when cardinality(device_model.alarm_codes) = 0 then 0
    else least(${sql.lit(NEVER)}, floor(extract(epoch from ${now}::timestamptz - ${provenAt}) / 86400)) end`,
  STATION: ifTrue(sql`cardinality(device_model.alarm_codes) > 0 and 'POLICE_STATION' = any(lacks.codes)`),
  RECIPIENT: ifTrue(sql`cardinality(device_model.alarm_codes) > 0 and 'RECIPIENT' = any(lacks.codes)`),
  BATTERY: sql`case when device_model.power = 'BATTERY' and device_state.battery_pct between 0 and 100
    then 100 - device_state.battery_pct else 0 end`,
  // A battery that is low already is another reason.
  BATTERY_AHEAD: sql`case when device_state.battery_pct >= ${sql.lit(LOW_BATTERY_PCT)}
    then greatest(0, ${sql.lit(BATTERY_AHEAD_DAYS)} - coalesce(${batteryDaysLeft}, ${sql.lit(BATTERY_AHEAD_DAYS)}))
    else 0 end`,
  HEARTBEAT: sql`round(100 * coalesce(${offlineSeconds(now)}, 0) / 604800)`,
  FLAPPING: ifTrue(sql`coalesce(device_state.flapping, false)`),
  SHIFT: ifTrue(sql`cardinality(device_model.alarm_codes) > 0 and i.school_id = any(${uncovered}::bigint[])`),
  SHIFT_AHEAD: ifTrue(sql`cardinality(device_model.alarm_codes) > 0 and i.school_id = any(${uncoveredSoon}::bigint[])`),
  CLOCK: sql`round(abs(coalesce(device_state.skew_ms, 0)) / 1000.0)`,
  PLACE: ifTrue(sql`i.lng is null and i.plan_x is null and place.lng is null and place.polygon is null`),
  FIRMWARE: ifTrue(hasOldFirmware),
  PROCEDURE: ifTrue(sql`device_model.alarm_codes && ${unplannedCodes}`),
})

/** Parameters, so that the text of the statement is the same for all weights. */
const pointsFor = (steps: Weights[ReadinessCode], value: RawBuilder<unknown>) =>
  sql`case ${sql.join(
    steps.map(({ over, points }) => sql`when ${value} > ${over}::int then ${points}::int`),
    sql` `,
  )} else 0 end`

const valueColumn = (code: ReadinessCode) => sql.ref(`value_${code.toLowerCase()}`)

/** Accepted installations with the value of each reason. */
const factsOf = ({ target, ...input }: FactsInput) => {
  const value = values(input)
  return sql`
    select d.id as device_id, i.school_id,
      ${sql.join(readinessCodes.map((code) => sql`(${value[code]})::int as ${valueColumn(code)}`))}
    from school_device i
    join device d on d.id = i.device_id
    join device_model on device_model.id = d.model_id
    join place on place.id = i.place_id
    left join device_state on device_state.device_id = d.id
    left join (select school_id, array_agg(lack) as codes from lacking_schools() group by school_id) lacks
      on lacks.school_id = i.school_id
    where i.valid_to is null and i.status = 'ACCEPTED' and ${isInstalledIn(target)}`
}

/** The facts, and `result`: the score and the reasons of each device. */
const resultOf = (input: FactsInput, weights: Weights) => {
  const reasonRows = readinessCodes.map(
    (code) => sql`select ${sql.lit(code)} as code, fact.${valueColumn(code)} as value,
      ${pointsFor(weights[code], sql`fact.${valueColumn(code)}`)} as points`,
  )
  return sql`fact as materialized (${factsOf(input)}), result as (
      select fact.device_id, fact.school_id, greatest(0, 100 - coalesce(sum(reason.points), 0))::int as score,
        coalesce(
          jsonb_agg(jsonb_build_object('code', reason.code, 'points', reason.points, 'value', reason.value)
            order by reason.points desc, reason.code) filter (where reason.points > 0), '[]') as reasons
      from fact cross join lateral (${sql.join(reasonRows, sql` union all `)}) reason
      group by fact.device_id, fact.school_id
    )`
}

/** How many schools would be in each band by other weights; stores nothing. */
export const countBands = async (all: UnscopedDb, input: FactsInput, weights: Weights): Promise<Bands> => {
  const { rows } = await sql<Bands>`
    with ${resultOf(input, weights)}, school_score as (
      select floor(avg(score))::int as score from result group by school_id
    )
    select (count(*) filter (where score < ${sql.lit(LOW_READINESS)}))::int as low,
      (count(*) filter (where score >= ${sql.lit(LOW_READINESS)} and score < ${sql.lit(GOOD_READINESS)}))::int as fair,
      (count(*) filter (where score >= ${sql.lit(GOOD_READINESS)}))::int as good
    from school_score`.execute(all)
  return rows[0] ?? { low: 0, fair: 0, good: 0 }
}

/**
 * Computes and stores the scores of devices; rows without a change are not written. @returns the schools whose devices
 * changed.
 */
export const computeDevices = async (
  all: UnscopedDb,
  input: FactsInput,
  { version, weights }: UsedWeights,
): Promise<number[]> => {
  const { target, now } = input
  const low = sql.lit(LOW_READINESS)
  const { rows } = await sql<{ schoolId: number }>`
    with ${resultOf(input, weights)}, removed as (
      delete from device_readiness r
      where ${isScoredIn(target)} and not exists (select from fact where fact.device_id = r.device_id)
      returning r.school_id
    ), written as (
      insert into device_readiness as r (device_id, school_id, score, reasons, low_since, weights_version, computed_at)
      select device_id, school_id, score, reasons, case when score < ${low} then ${now}::timestamptz end,
        ${version}, ${now}::timestamptz
      from result
      on conflict (device_id) do update set school_id = excluded.school_id, score = excluded.score,
        reasons = excluded.reasons, weights_version = excluded.weights_version, computed_at = excluded.computed_at,
        low_since = case when excluded.score < ${low} then coalesce(r.low_since, excluded.computed_at) end
      where (r.school_id, r.score, r.reasons, r.weights_version)
        is distinct from (excluded.school_id, excluded.score, excluded.reasons, excluded.weights_version)
      returning r.device_id, r.school_id
    )
    select school_id from removed union select school_id from written
    union select before.school_id from device_readiness before join written using (device_id)`.execute(all)
  return rows.map(({ schoolId }) => schoolId)
}

/**
 * Recomputes schools from the scores of their devices. Grouped twice and not joined: after an import the planner knows
 * nothing of the new rows, and nested loops took minutes. A part without a code stands for the school.
 * @returns the schools whose value changed
 */
export const computeSchools = async (
  all: UnscopedDb,
  schoolIds: readonly number[],
  now: Date,
): Promise<{ schoolId: number; deptId: number }[]> => {
  const { rows } = await sql<{ schoolId: number; deptId: number }>`
    with part as (
      select device.school_id, reason.code, count(*)::int as devices, sum(reason.points) as points,
        max(reason.value) as value, floor(avg(device.score))::int as score,
        (count(*) filter (where device.score < ${sql.lit(LOW_READINESS)}))::int as low,
        min(device.weights_version) as version
      from device_readiness device cross join lateral (
        select null::text as code, null::int as points, null::int as value
        union all select code, points, value
        from jsonb_to_recordset(device.reasons) as r(code text, points int, value int)) reason
      where device.school_id = any(${schoolIds}::bigint[])
      group by device.school_id, reason.code
    ), counted as (
      select part.*, max(devices) filter (where code is null) over (partition by school_id) as of_school from part
    ), result as (
      select school_id, max(score) filter (where code is null) as score, max(of_school) as devices,
        max(low) filter (where code is null) as low, min(version) as version,
        coalesce(jsonb_agg(jsonb_build_object('code', code, 'devices', devices,
          'points', round(points::numeric / of_school), 'value', value)
          order by points desc, code) filter (where code is not null), '[]') as reasons
      from counted group by school_id
    ), removed as (
      delete from school_readiness r where r.school_id = any(${schoolIds}::bigint[])
        and r.school_id not in (select school_id from result)
      returning r.school_id
    ), written as (
      insert into school_readiness as r (school_id, score, devices, low, reasons, weights_version, computed_at)
      select school_id, score, devices, low, reasons, version, ${now}::timestamptz from result
      on conflict (school_id) do update set score = excluded.score, devices = excluded.devices, low = excluded.low,
        reasons = excluded.reasons, weights_version = excluded.weights_version, computed_at = excluded.computed_at
      where (r.score, r.devices, r.low, r.reasons, r.weights_version)
        is distinct from (excluded.score, excluded.devices, excluded.low, excluded.reasons, excluded.weights_version)
      returning r.school_id
    )
    select changed.school_id, school.dept_id
    from (select school_id from removed union select school_id from written) changed
    join school on school.id = changed.school_id`.execute(all)
  return rows
}
