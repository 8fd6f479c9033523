import { schoolScore } from '@tocsin/contract/insight/readiness'
import type { PeriodFigures, ReportFigures } from '@tocsin/contract/insight/report-figures'
import { periodBefore, periodDays, type ReportKind } from '@tocsin/contract/insight/report-period'
import type { Span } from '@tocsin/contract/security/hours'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped, type Visibility } from '#db/scope'
import { getGovernFigures } from '../govern.ts'

const loadReadiness = async (db: Db, sight: Visibility, period: Span) => {
  const { fromDay, toDay } = periodDays(period)
  const days = await scoped(db, sight)
    .selectFrom('schoolReadinessDay')
    .select(['day', sql<number>`floor(avg(score))::int`.as('score')])
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .groupBy('day')
    .orderBy('day')
    .execute()
  return { score: schoolScore(days.map(({ score }) => score)), days }
}

/** An excused person is not expected. */
const countDuty = (db: Db, sight: Visibility, { from, to }: Span) =>
  scoped(db, sight)
    .selectFrom('shift')
    .select([sql<number>`(count(*) filter (where absence_reason is null))::int`.as('planned')])
    .select([sql<number>`(count(*) filter (where state = 'ABSENT'))::int`.as('absent')])
    .where('publishedAt', 'is not', null)
    .where('fromAt', '>=', from)
    .where('fromAt', '<', to)
    .executeTakeFirstOrThrow()

const countPeriod = async (db: Db, sight: Visibility, period: Span): Promise<PeriodFigures> => {
  // A map of positions is no part of a report.
  const [{ places: _places, ...govern }, duty, readiness] = await Promise.all([
    getGovernFigures(db, sight, { ...period, deptId: undefined }, period.to),
    countDuty(db, sight, period),
    loadReadiness(db, sight, period),
  ])
  return { govern, duty, readiness }
}

/** Months differ in length: the comparison is with the previous month, not with as many days. */
const compareCalendar = (now: PeriodFigures, before: PeriodFigures): PeriodFigures => {
  const classes = new Set([...now.govern.byClass, ...before.govern.byClass].map((row) => row.class))
  const countOf = ({ govern }: PeriodFigures, name: string) => govern.byClass.find((row) => row.class === name)?.n ?? 0
  const byClass = [...classes]
    .map((name) => ({ class: name, n: countOf(now, name), before: countOf(before, name) }))
    .filter((row) => row.n > 0 || row.before > 0)
  return { ...now, govern: { ...now.govern, byClass, totalBefore: before.govern.total } }
}

/** Counts a period and the one before it, of everything that the sight contains. */
export const collectFigures = async (
  db: Db,
  sight: Visibility,
  { kind, period }: { kind: ReportKind; period: Span },
): Promise<ReportFigures> => {
  const now = await countPeriod(db, sight, period)
  const before = await countPeriod(db, sight, periodBefore(kind, period))
  return { now: compareCalendar(now, before), before }
}
