import { GAP_HOURS, type CoverageGap } from '@tocsin/contract/security/gap'
import { addDays, mergeSpans, slotsWithin, type Span, startOfDay, subtractSpans } from '@tocsin/contract/security/hours'
import { sql } from 'kysely'
import type { Db, UnscopedDb } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { earliestStart } from '../shift/earliest-start.ts'
import { canReceiveAlarms } from '../shift/shift-rows.ts'

const HOUR_MS = 3_600_000

/** Only these say why a gap is there. */
type GapShift = Pick<Row<'shift'>, 'schoolId' | 'fromAt' | 'toAt' | 'state' | 'publishedAt'> & { canReceive: boolean }
type CoveredSpan = Span & { schoolId: number }

/** Of people who can receive alarms. The database merges the spans: a city has tens of thousands of shifts a day. */
const loadCovered = async (all: UnscopedDb, schoolIds: readonly number[], window: Span): Promise<CoveredSpan[]> => {
  const { rows } = await sql<CoveredSpan>`
    select school_id, lower(span) as "from", upper(span) as "to" from (
      select shift.school_id, unnest(range_agg(tstzrange(from_at,
        case when state = 'LEFT_EARLY' and checked_out_at > from_at then checked_out_at else to_at end))) as span
      from shift join employee on employee.id = shift.employee_id
      where shift.school_id = any(${schoolIds}::bigint[]) and published_at is not null and state <> 'ABSENT'
        and ${canReceiveAlarms}
        and from_at < ${window.to}::timestamptz and to_at > ${window.from}::timestamptz
        and from_at > ${earliestStart(window.from)}::timestamptz
      group by shift.school_id
    ) covered`.execute(all)
  return rows
}

const loadFailed = async (all: UnscopedDb, schoolIds: readonly number[], window: Span): Promise<GapShift[]> =>
  schoolIds.length === 0
    ? []
    : all
        .selectFrom('shift')
        .innerJoin('employee', 'employee.id', 'shift.employeeId')
        .select(['shift.schoolId', 'shift.fromAt', 'shift.toAt', 'shift.state', 'shift.publishedAt'])
        .select(canReceiveAlarms.as('canReceive'))
        .where('shift.schoolId', 'in', schoolIds)
        .where('shift.fromAt', '<', window.to)
        .where('shift.fromAt', '>', earliestStart(window.from))
        .where('shift.toAt', '>', window.from)
        .where((eb) =>
          eb.or([
            eb('shift.state', 'in', ['ABSENT', 'LEFT_EARLY']),
            eb('shift.publishedAt', 'is', null),
            eb.not(canReceiveAlarms),
          ]),
        )
        .execute()

const overlaps = (a: Span, b: Span) => a.from < b.to && a.to > b.from

const reasonOf = (gap: Span, shifts: readonly GapShift[]): CoverageGap['reason'] => {
  const near = shifts.filter((shift) => overlaps(gap, { from: shift.fromAt, to: shift.toAt }))
  if (near.some(({ state }) => state === 'ABSENT' || state === 'LEFT_EARLY')) return 'ABSENT'
  if (near.some(({ publishedAt, canReceive }) => publishedAt !== null && !canReceive)) return 'UNREACHABLE'
  return near.some(({ publishedAt }) => publishedAt === null) ? 'UNPUBLISHED' : 'NO_SHIFT'
}

/** Whole gaps that overlap the next 24 hours: the start of a gap does not move while time passes. */
export const findGaps = async (db: Db, schoolIds: readonly number[], now: Date): Promise<CoverageGap[]> => {
  if (schoolIds.length === 0) return []
  const all = unscoped(db, 'the caller chose schools that it may read')
  const window = { from: addDays(now, -1), to: addDays(startOfDay(now), 3) }
  const [posts, covered, items] = [
    await all
      .selectFrom('securityPost')
      .innerJoin('school', 'school.id', 'securityPost.schoolId')
      .select(['school.id as schoolId', 'school.name as schoolName', 'weekdays', 'fromMin', 'toMin'])
      // Many posts of a school have the same hours.
      .distinct()
      .where('school.id', 'in', schoolIds)
      .where('securityPost.enabled', '=', true)
      .execute(),
    await loadCovered(all, schoolIds, window),
    await all.selectFrom('coverageNotice').selectAll().where('schoolId', 'in', schoolIds).execute(),
  ]
  const ahead = { from: now, to: new Date(now.getTime() + GAP_HOURS * HOUR_MS) }
  const coveredBy = Map.groupBy(covered, ({ schoolId }) => schoolId)
  const toldBy = Map.groupBy(items, ({ schoolId }) => schoolId)
  const gaps = [...Map.groupBy(posts, ({ schoolId }) => schoolId)].flatMap(([schoolId, own]) => {
    const wanted = mergeSpans(own.flatMap((hours) => slotsWithin(hours, window)))
    return subtractSpans(wanted, coveredBy.get(schoolId) ?? [])
      .filter((gap) => overlaps(gap, ahead))
      .map(({ from, to }) => {
        const notice = toldBy.get(schoolId)?.find(({ fromAt }) => fromAt.getTime() === from.getTime())
        return { schoolId, schoolName: own[0]?.schoolName ?? '', from, to, noticedAt: notice?.noticedAt ?? null }
      })
  })
  const failed = await loadFailed(all, [...new Set(gaps.map(({ schoolId }) => schoolId))], window)
  const failedBy = Map.groupBy(failed, ({ schoolId }) => schoolId)
  return gaps.map((gap) => ({ ...gap, reason: reasonOf(gap, failedBy.get(gap.schoolId) ?? []) }))
}
