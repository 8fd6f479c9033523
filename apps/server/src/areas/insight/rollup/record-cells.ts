import type { WarnClass } from '@tocsin/contract/alarm/rule'
import { zone } from '@tocsin/contract/time-zone'
import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { AllTablesDb } from '#db/db'
import type { AllTables } from '#db/tables'
import { toBucket } from './buckets.ts'

/** The figures of one local day, department and school. */
export type Cell = Selectable<AllTables['alarmDay']>
export type Cells = SelectQueryBuilder<AllTables, 'alarmDay' | 'warnRecord', Cell>
export type CellKey = Pick<Cell, 'day' | 'deptId' | 'schoolId'>

/** Stored codes: never change one. */
export const classCodes: Record<WarnClass, number> = {
  PANIC: 0,
  VOICE: 1,
  BULLY: 2,
  INTRUSION: 3,
  MEDICAL: 4,
  FIRE: 5,
  DEVICE_HEALTH: 6,
  SECURITY_DUTY: 7,
}
export const classNames = (Object.keys(classCodes) as WarnClass[]).toSorted((a, b) => classCodes[a] - classCodes[b])

/** In the order of a stored row: parts of a union have the same order. */
export const cellColumns = [
  'day',
  'deptId',
  'schoolId',
  'schoolName',
  'alarms',
  'falseAlarms',
  'resolved',
  'level1',
  'level2',
  'level3',
  'level4',
  'classes',
  'hours',
  'displayed',
  'claimed',
  'dispatched',
  'onSite',
  'causes',
] as const satisfies readonly (keyof Cell)[]

/** When a local day begins. The zone is known only after the start of the server. */
export const startOfDaySql = (day: string | RawBuilder<unknown>): RawBuilder<Date> =>
  sql`(${day}::date::timestamp at time zone ${sql.lit(zone.name)})`
export const localDay = (at: RawBuilder<unknown>): RawBuilder<string> =>
  sql`((${at} at time zone ${sql.lit(zone.name)})::date)`

const firstAt = sql.ref('warn_record.first_at')
const isFalse = sql<SqlBool>`disposition like 'FALSE%'`
const countOf = (condition: Expression<SqlBool>) => sql<number>`(count(*) filter (where ${condition}))::int`
const levelOf = (level: number) => countOf(sql`level = ${sql.lit(level)}`)

const bytesOf = (value: RawBuilder<number>, condition: RawBuilder<SqlBool>) =>
  sql<Buffer>`coalesce(string_agg(set_byte('\\x00'::bytea, 0, ${value}), ''::bytea) filter (where ${condition}), ''::bytea)`

const always = sql<SqlBool>`true`
/** From the reception of the press to a milestone; a clock that was corrected never yields a negative time. */
const hopOf = (column: 'displayed_at' | 'claimed_at' | 'dispatched_at' | 'on_site_at') => {
  const passed = sql<number>`greatest(extract(epoch from ${sql.ref(column)} - received_at), 0)::float8`
  return bytesOf(toBucket(passed), sql`${sql.ref(column)} is not null`)
}

const classCode = sql<number>`(array_position(array[${sql.join(classNames.map((name) => sql.lit(name)))}]::varchar[], class) - 1)`
const hour = () => sql<number>`extract(hour from ${firstAt} at time zone ${sql.lit(zone.name)})::int`

/** Only real alarms count. A record that continues another one has no press of its own. */
export const recordsOf = (all: AllTablesDb) =>
  all.selectFrom('warnRecord').where('mode', '=', 'LIVE').where('occurrenceCount', '>', 0)

/** Counts records. */
export const countRecords = (records: ReturnType<typeof recordsOf>): Cells =>
  records
    .select([localDay(firstAt).as('day'), 'deptId', 'schoolId'])
    .select([
      sql<string | null>`max(school_name)`.as('schoolName'),
      sql<number>`count(*)::int`.as('alarms'),
      countOf(isFalse).as('falseAlarms'),
      sql<number>`count(resolved_at)::int`.as('resolved'),
    ])
    .select([levelOf(1).as('level1'), levelOf(2).as('level2'), levelOf(3).as('level3'), levelOf(4).as('level4')])
    .select([bytesOf(classCode, always).as('classes'), bytesOf(hour(), always).as('hours')])
    .select([
      hopOf('displayed_at').as('displayed'),
      hopOf('claimed_at').as('claimed'),
      hopOf('dispatched_at').as('dispatched'),
      hopOf('on_site_at').as('onSite'),
      sql<
        string[]
      >`coalesce(array_agg(coalesce(nullif(cause_code, ''), disposition)::text) filter (where ${isFalse}), '{}')`.as(
        'causes',
      ),
    ])
    .groupBy([sql`1`, 'deptId', 'schoolId']) as unknown as Cells

/** The keys as rows of a subquery; 0 stands for no school. */
export const unnestKeys = (keys: readonly CellKey[]) =>
  sql`unnest(${keys.map(({ deptId }) => deptId)}::bigint[], ${keys.map(({ schoolId }) => schoolId ?? 0)}::bigint[],
    ${keys.map(({ day }) => day)}::date[])`

/** Records of cells. They are found through their schools; few have none. */
export const recordsOfKeys = (all: AllTablesDb, keys: readonly CellKey[]) => {
  const isOfKey = sql<SqlBool>`found.dept_id = key.dept and found.first_at >= ${startOfDaySql(sql.ref('key.day'))}
    and found.first_at < ${startOfDaySql(sql`(key.day + 1)`)}`
  const found = (isOfSchool: RawBuilder<SqlBool>) =>
    all
      .selectFrom(unnestKeys(keys).as<'key'>(sql`key(dept, school, day)`))
      .innerJoin('warnRecord as found', (join) => join.on(isOfSchool).on(isOfKey))
      .select('found.id')
  const isOfNone = sql<SqlBool>`found.school_id is null and key.school = 0`
  const ids = keys.some(({ schoolId }) => schoolId === null)
    ? found(sql`found.school_id = key.school`).unionAll(found(isOfNone))
    : found(sql`found.school_id = key.school`)
  return recordsOf(all).where('warnRecord.id', 'in', ids)
}
