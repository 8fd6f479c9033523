import {
  type Govern,
  type GovernQuery,
  governs,
  type Hop,
  type SchoolRate,
  type StationSteps,
} from '@tocsin/contract/insight/govern'
import { addDays } from '@tocsin/contract/security/hours'
import { wallClock } from '@tocsin/contract/time-zone'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { scoped, unscoped, type Visibility } from '#db/scope'
import { type Route, route } from '#http/route'
import { toTimeWindow } from '#http/time-window'
import { deptsBelow } from '#areas/access/roles/dept/depts-below'
import { getGovernWork } from './govern-work.ts'
import { toHopStat } from './rollup/buckets.ts'
import {
  sumHistograms,
  type DayFigures,
  loadClasses,
  loadDays,
  loadSchoolHops,
  loadSchools,
  loadStationHops,
  type SchoolCounts,
} from './rollup/load-figures.ts'
import { type FigurePeriod, type Plan, planFigures } from './rollup/plan-figures.ts'
import { classNames } from './rollup/record-cells.ts'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const LEAGUE_SIZE = 50
const MAX_PLACES = 2000
/** Device-days. The rate of a school whose devices have just been installed says nothing. */
export const MIN_EXPOSURE = 1

const isWithinDept = (column: string, deptId: number) => sql<boolean>`${sql.ref(column)} in ${deptsBelow(deptId)}`

const Z = 1.96

/** The 95 % interval of a rate of rare events: Byar's approximation of the Poisson interval, per unit of exposure. */
export const rateInterval = (events: number, exposure: number): { rate: number; low: number; high: number } => {
  if (exposure <= 0) return { rate: 0, low: 0, high: 0 }
  const low = events === 0 ? 0 : events * (1 - 1 / (9 * events) - Z / (3 * Math.sqrt(events))) ** 3
  const more = events + 1
  const high = more * (1 - 1 / (9 * more) + Z / (3 * Math.sqrt(more))) ** 3
  return { rate: events / exposure, low: Math.max(0, low) / exposure, high: high / exposure }
}

type Counted = { schoolId: number; schoolName: string; events: number; exposure: number }

/**
 * Sorted by the lower bound, so that little data never leads; schools whose intervals overlap with the one above share
 * its rank.
 */
export const rankSchools = (schools: readonly Counted[]): SchoolRate[] => {
  const rates = schools
    .map((school) => ({ ...school, ...rateInterval(school.events, school.exposure) }))
    .toSorted((a, b) => b.low - a.low || b.rate - a.rate || a.schoolId - b.schoolId)
  let rank = 1
  let leader: (typeof rates)[number] | undefined
  return rates.map((school, at) => {
    if (leader === undefined || school.high < leader.low) {
      leader = school
      rank = at + 1
    }
    return { ...school, rank }
  })
}

/** Device-days of installations in a school during the period. */
export const exposureOf = (all: AllTablesDb, { from, to, deptId }: FigurePeriod) =>
  all
    .selectFrom('schoolDevice')
    .innerJoin('school', 'school.id', 'schoolDevice.schoolId')
    .select(['school.id as schoolId', 'school.name as schoolName'])
    .select(
      sql<number>`sum(extract(epoch from least(coalesce(school_device.valid_to, ${to}), ${to}) - greatest(school_device.valid_from, ${from})) / 86400)::float8`.as(
        'exposure',
      ),
    )
    .where('schoolDevice.validFrom', '<', to)
    .where((eb) => eb.or([eb('schoolDevice.validTo', 'is', null), eb('schoolDevice.validTo', '>', from)]))
    .$if(deptId !== undefined, (q) => q.where(isWithinDept('school.dept_id', deptId ?? 0)))
    .groupBy(['school.id', 'school.name'])

const daysBetween = (from: Date, to: Date): string[] => {
  const first = Math.floor(wallClock(from).getTime() / DAY_MS)
  const last = Math.floor((wallClock(to).getTime() - 1) / DAY_MS)
  return Array.from({ length: last - first + 1 }, (_, at) => new Date((first + at) * DAY_MS).toISOString().slice(0, 10))
}

const countByLevel = (days: readonly string[], counted: readonly DayFigures[]) => {
  const byDay = new Map(counted.map((figures) => [figures.day, figures]))
  const of = (level: number) => days.map((day) => byDay.get(day)?.levels[level - 1] ?? 0)
  return { level1: of(1), level2: of(2), level3: of(3), level4: of(4) }
}

const countByClass = (counts: readonly number[], before: readonly number[]) =>
  classNames.flatMap((name, code) => {
    const row = { class: name, n: counts[code] ?? 0, before: before[code] ?? 0 }
    return row.n + row.before > 0 ? [row] : []
  })

/** Monday is 0. */
const weekdayOf = (day: string): number => (new Date(day).getUTCDay() + 6) % 7

const countByHour = (counted: readonly DayFigures[]): Govern['hours'] => {
  const byWeekday = Map.groupBy(counted, ({ day }) => weekdayOf(day))
  return [...byWeekday]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([weekday, some]) =>
      [...sumHistograms(some, 'hours').entries()].flatMap(([hour, count]) =>
        count > 0 ? [{ weekday, hour, n: count }] : [],
      ),
    )
}

const MAX_CAUSES = 10

export const countByCause = (counted: readonly DayFigures[]): Govern['falseAlarms']['causes'] => {
  const counts = new Map<string, number>()
  for (const { causes } of counted)
    for (const [cause, count] of Object.entries(causes)) counts.set(cause, (counts.get(cause) ?? 0) + count)
  return [...counts]
    .map(([cause, count]) => ({ cause, n: count }))
    .toSorted((a, b) => b.n - a.n || (a.cause < b.cause ? -1 : 1))
    .slice(0, MAX_CAUSES)
}

/** Of schools with devices: the others have no alarms to relate. */
const countPupils = (all: AllTablesDb, period: FigurePeriod) =>
  all
    .selectFrom('school')
    .select(sql<number>`coalesce(sum(student_count), 0)::int`.as('pupils'))
    .where('school.id', 'in', exposureOf(all, period).clearSelect().select('school.id'))
    .executeTakeFirstOrThrow()

/** Alarms by school, at its position. */
const listPlaces = async (all: AllTablesDb, counted: readonly SchoolCounts[]): Promise<Govern['places']> => {
  const alarmsOf = new Map(counted.map(({ schoolId, alarms }) => [schoolId, alarms]))
  const schools = await all
    .selectFrom('school')
    .select(['id as schoolId', 'name as schoolName', 'lng', 'lat'])
    .where(sql<boolean>`id = any(${[...alarmsOf.keys()]})`)
    .execute()
  return schools
    .map(({ lng, lat, ...school }) => ({ ...school, n: alarmsOf.get(school.schoolId) ?? 0, lng, lat }))
    .toSorted((a, b) => b.n - a.n || a.schoolId - b.schoolId)
    .slice(0, MAX_PLACES)
}

const loadSchoolFigures = async (plan: Plan) => {
  const counted = await loadSchools(plan)
  const slowest = counted.slice(0, LEAGUE_SIZE)
  const [steps, places] = await Promise.all([
    loadSchoolHops(
      plan,
      slowest.map(({ schoolId }) => schoolId),
    ),
    listPlaces(plan.all, counted),
  ])
  const schools = slowest.flatMap(({ schoolId, alarms }) => {
    const school = steps.get(schoolId)
    return school ? [{ schoolId, n: alarms, ...school }] : []
  })
  return { counted, schools, places }
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

/**
 * The period, and the one of the same length before it. Without an end it is now, and the whole day of today counts:
 * nothing is later than now.
 */
const toPeriods = (query: GovernQuery, now: Date) => {
  const to = query.to ?? now
  const from = query.from ?? addDays(to, 1 - DEFAULT_DAYS)
  toTimeWindow({ from, to }, now)
  const end = query.to ?? addDays(now, 1)
  return {
    days: daysBetween(from, to),
    period: { from, to, deptId: query.deptId },
    counted: { from, to: end, deptId: query.deptId },
    before: { from: new Date(from.getTime() - (to.getTime() - from.getTime())), to: from, deptId: query.deptId },
  }
}

/** The figures of a period, of visible data. */
export const getGovernFigures = async (db: Db, sight: Visibility, query: GovernQuery, now: Date): Promise<Govern> => {
  const { days, period, ...periods } = toPeriods(query, now)
  const all = scoped(db, sight)
  const plan = await planFigures(db, sight, periods.counted)
  const [counted, classesBefore, { schools, places, ...bySchool }, exposure, { pupils }] = await Promise.all([
    loadDays(plan),
    planFigures(db, sight, periods.before).then(loadClasses),
    loadSchoolFigures(plan),
    exposureOf(all, period).execute(),
    countPupils(all, period),
  ])
  const falseOf = new Map(bySchool.counted.map((row) => [row.schoolId, row.falseAlarms]))
  const stepOf = (hop: Hop) => toHopStat(sumHistograms(counted, hop))
  return {
    days,
    byDay: countByLevel(days, counted),
    byClass: countByClass(sumHistograms(counted, 'classes'), classesBefore),
    total: sum(counted.map(({ alarms }) => alarms)),
    totalBefore: sum(classesBefore),
    hops: {
      displayed: stepOf('displayed'),
      claimed: stepOf('claimed'),
      dispatched: stepOf('dispatched'),
      onSite: stepOf('onSite'),
    },
    schools,
    falseAlarms: {
      n: sum(counted.map(({ falseAlarms }) => falseAlarms)),
      resolved: sum(counted.map(({ resolved }) => resolved)),
      deviceDays: sum(exposure.map((row) => row.exposure)),
      pupils,
      causes: countByCause(counted),
    },
    hours: countByHour(counted),
    places,
    league: rankSchools(
      exposure
        .filter((row) => row.exposure >= MIN_EXPOSURE)
        .map((row) => ({ ...row, events: falseOf.get(row.schoolId) ?? 0 })),
    ).slice(0, LEAGUE_SIZE),
  }
}

/** The response to the alarms of visible schools by their police station. */
export const getStationSteps = async (
  db: Db,
  sight: Visibility,
  query: GovernQuery,
  now: Date,
): Promise<StationSteps[]> => {
  const steps = await loadStationHops(await planFigures(db, sight, toPeriods(query, now).counted))
  if (steps.length === 0) return []
  const named = await unscoped(db, 'names of the stations of schools that were read in sight')
    .selectFrom('dept')
    .select(['id', 'name'])
    .where(
      'id',
      'in',
      steps.map(({ deptId }) => deptId),
    )
    .execute()
  const nameOf = new Map(named.map(({ id, name }) => [id, name]))
  return steps.map((station) => ({ ...station, name: nameOf.get(station.deptId) ?? '' }))
}

export const governRoutes = ({ db }: { db: Db }): Route[] => [
  route(governs.get, ({ actor, query }) => getGovernFigures(db, actor, query, new Date())),
  route(governs.stations, ({ actor, query }) => getStationSteps(db, actor, query, new Date())),
  route(governs.work, ({ actor, query }) => getGovernWork(db, actor, toPeriods(query, new Date()).period)),
]
