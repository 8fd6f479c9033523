import type { Hop, HopStat, StationSteps } from '@tocsin/contract/insight/govern'
import { sql } from 'kysely'
import type { AllTablesDb } from '#db/db'
import { addBytes, addCounts, emptyCounts, toHopStat } from './buckets.ts'
import { cellsOf, type Plan } from './plan-figures.ts'
import type { Cells } from './record-cells.ts'

export const hops = ['displayed', 'claimed', 'dispatched', 'onSite'] as const satisfies readonly Hop[]

/** The figures of a local day. Lists are histograms. */
export type DayFigures = {
  day: string
  alarms: number
  falseAlarms: number
  resolved: number
  levels: number[]
  classes: number[]
  hours: number[]
  causes: Record<string, number>
} & Record<Hop, number[]>

const joinOf = <C extends string>(column: C) => sql<Buffer>`string_agg(${sql.ref(column)}, ''::bytea)`.as<C>(column)

const noFigures = (day: string): DayFigures => ({
  day,
  alarms: 0,
  falseAlarms: 0,
  resolved: 0,
  levels: [0, 0, 0, 0],
  classes: emptyCounts(),
  hours: emptyCounts(),
  displayed: emptyCounts(),
  claimed: emptyCounts(),
  dispatched: emptyCounts(),
  onSite: emptyCounts(),
  causes: {},
})

export const histograms = ['classes', 'hours', ...hops] as const

/** Sums cells by day. */
export const sumDays = async (all: AllTablesDb, cells: Cells): Promise<DayFigures[]> => {
  const [rows, causes] = await Promise.all([
    all
      .selectFrom(cells.as('cell'))
      .select('cell.day')
      .select([
        sql<number>`sum(alarms)::int`.as('alarms'),
        sql<number>`sum(false_alarms)::int`.as('falseAlarms'),
        sql<number>`sum(resolved)::int`.as('resolved'),
        sql<number[]>`array[sum(level1), sum(level2), sum(level3), sum(level4)]::int[]`.as('levels'),
      ])
      .select([joinOf('classes'), joinOf('hours')])
      .select([joinOf('displayed'), joinOf('claimed'), joinOf('dispatched')])
      .select(sql<Buffer>`string_agg(on_site, ''::bytea)`.as('onSite'))
      .groupBy('cell.day')
      .execute(),
    all
      .selectFrom(cells.as('cell'))
      .innerJoin(sql<{ cause: string }>`lateral unnest(cell.causes)`.as<'listed'>(sql`listed(cause)`), (join) =>
        join.onTrue(),
      )
      .select(['cell.day', 'listed.cause', sql<number>`count(*)::int`.as('count')])
      .groupBy(['cell.day', 'listed.cause'])
      .execute(),
  ])
  return rows.map((row) => {
    const { alarms, falseAlarms, resolved, levels } = row
    const figures: DayFigures = { ...noFigures(row.day), alarms, falseAlarms, resolved, levels }
    for (const column of histograms) addBytes(figures[column], row[column])
    for (const { day, cause, count } of causes) if (day === row.day) figures.causes[cause] = count
    return figures
  })
}

/** Sums over all schools, of the days without a change. */
const loadTotals = async ({ all, stored, changed }: Plan): Promise<DayFigures[]> => {
  if (!stored) return []
  const rows = await all
    .selectFrom('alarmDayTotal')
    .selectAll()
    .where('day', '>=', stored.fromDay)
    .where('day', '<', stored.toDay)
    .where(sql<boolean>`day <> all(${changed.map(({ day }) => day)}::date[])`)
    .execute()
  return rows.map(({ level1, level2, level3, level4, ...row }) => ({
    ...row,
    levels: [level1, level2, level3, level4],
  }))
}

/** The figures of the days that have any. */
export const loadDays = async (plan: Plan): Promise<DayFigures[]> => {
  const cells = cellsOf(plan, plan.seesAll)
  const [totals, counted] = await Promise.all([
    plan.seesAll ? loadTotals(plan) : [],
    cells ? sumDays(plan.all, cells) : [],
  ])
  return [...totals, ...counted]
}

/** How many alarms each class has, by its code. */
export const loadClasses = async (plan: Plan): Promise<number[]> => {
  const cells = cellsOf(plan, plan.seesAll)
  const [totals, counted] = await Promise.all([
    plan.seesAll ? loadTotals(plan) : [],
    cells && plan.all.selectFrom(cells.as('cell')).select(joinOf('classes')).executeTakeFirst(),
  ])
  const counts = emptyCounts()
  for (const { classes } of totals) addCounts(counts, classes)
  if (counted?.classes) addBytes(counts, counted.classes)
  return counts
}

export type SchoolCounts = { schoolId: number; alarms: number; falseAlarms: number }

/** Schools with alarms, most first. */
export const loadSchools = async (plan: Plan): Promise<SchoolCounts[]> => {
  const cells = cellsOf(plan, false)
  if (!cells) return []
  const rows = await plan.all
    .selectFrom(cells.as('cell'))
    .select('cell.schoolId')
    .select([sql<number>`sum(alarms)::int`.as('alarms'), sql<number>`sum(false_alarms)::int`.as('falseAlarms')])
    .where('cell.schoolId', 'is not', null)
    .groupBy('cell.schoolId')
    .orderBy('alarms', 'desc')
    .orderBy('cell.schoolId')
    .execute()
  return rows.map((row) => ({ ...row, schoolId: row.schoolId ?? 0 }))
}

const toStat = (bytes: Buffer): HopStat => {
  const counts = emptyCounts()
  addBytes(counts, bytes)
  return toHopStat(counts)
}

/** The name and the steps of some schools. Older records have no name of their school. */
export const loadSchoolHops = async (
  plan: Plan,
  schoolIds: readonly number[],
): Promise<Map<number, { schoolName: string; claimed: HopStat; onSite: HopStat }>> => {
  const cells = cellsOf(plan, false)
  if (!cells || schoolIds.length === 0) return new Map()
  const rows = await plan.all
    .selectFrom(cells.as('cell'))
    .leftJoin('school', 'school.id', 'cell.schoolId')
    .select('cell.schoolId')
    .select(sql<string>`coalesce(max(cell.school_name), max(school.name), '')`.as('schoolName'))
    .select([
      sql<Buffer>`string_agg(cell.claimed, ''::bytea)`.as('claimed'),
      sql<Buffer>`string_agg(cell.on_site, ''::bytea)`.as('onSite'),
    ])
    .where(sql<boolean>`cell.school_id = any(${schoolIds})`)
    .groupBy('cell.schoolId')
    .execute()
  return new Map(
    rows.map(({ schoolId, schoolName, claimed, onSite }) => [
      schoolId ?? 0,
      { schoolName, claimed: toStat(claimed), onSite: toStat(onSite) },
    ]),
  )
}

/** The steps of the alarms of the schools of each police station, most alarms first. */
export const loadStationHops = async (plan: Plan): Promise<Omit<StationSteps, 'name'>[]> => {
  const cells = cellsOf(plan, false)
  if (!cells) return []
  const rows = await plan.all
    .selectFrom(cells.as('cell'))
    .innerJoin('school', 'school.id', 'cell.schoolId')
    .select('school.policeDeptId')
    .select([
      sql<number>`sum(cell.alarms)::int`.as('alarms'),
      sql<Buffer>`string_agg(cell.claimed, ''::bytea)`.as('claimed'),
      sql<Buffer>`string_agg(cell.on_site, ''::bytea)`.as('onSite'),
    ])
    .groupBy('school.policeDeptId')
    .orderBy('alarms', 'desc')
    .orderBy('school.policeDeptId')
    .execute()
  return rows.flatMap(({ policeDeptId, alarms, claimed, onSite }) =>
    policeDeptId === null
      ? []
      : [{ deptId: policeDeptId, n: alarms, claimed: toStat(claimed), onSite: toStat(onSite) }],
  )
}

/** One histogram of all days. */
export const sumHistograms = (days: readonly DayFigures[], column: (typeof histograms)[number]): number[] => {
  const counts = emptyCounts()
  for (const figures of days) addCounts(counts, figures[column])
  return counts
}
