import type { CalendarDay, DayKind, EffectiveDay, SchoolTerm } from '@tocsin/contract/school/calendar'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'

const DAY_MS = 86_400_000
const SATURDAY = 6

const parseDay = (day: string): number => Date.parse(`${day}T00:00:00Z`)
export const formatDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Each day of a span, both ends included. */
export const listDays = (fromDay: string, toDay: string): string[] => {
  const from = parseDay(fromDay)
  const count = Math.floor((parseDay(toDay) - from) / DAY_MS) + 1
  return Array.from({ length: Math.max(0, count) }, (_, at) => formatDay(from + at * DAY_MS))
}

/** A department and those above it, the nearest first. */
export const listDeptsAbove = async (db: Db, deptId: number): Promise<{ id: number; name: string }[]> => {
  const { rows } = await sql<{ id: number; name: string }>`
    with recursive up as (
      select id, name, parent_id, 0 as distance from dept where id = ${deptId}
      union all select d.id, d.name, d.parent_id, up.distance + 1 from dept d join up on d.id = up.parent_id
    ) select id, name from up order by distance`.execute(db)
  return rows
}

const byWeekday = (day: string): DayKind => {
  const weekday = new Date(parseDay(day)).getUTCDay()
  return weekday === 0 || weekday === SATURDAY ? 'HOLIDAY' : 'CLASS'
}

type Calendar = {
  /** The nearest department first. */
  deptIds: readonly number[]
  entries: readonly Pick<CalendarDay, 'deptId' | 'day' | 'kind' | 'name'>[]
  terms: readonly Pick<SchoolTerm, 'deptId' | 'fromDay' | 'toDay'>[]
}

/**
 * The kind of each day: the entry of the nearest department; else a weekday within a term of the nearest department
 * that has terms; without terms every weekday has class.
 */
export const resolveDays = ({ deptIds, entries, terms }: Calendar, days: readonly string[]): EffectiveDay[] => {
  const byDay = Map.groupBy(entries, ({ day }) => day)
  const owner = deptIds.find((id) => terms.some(({ deptId }) => deptId === id))
  const own = terms.filter(({ deptId }) => deptId === owner)
  return days.map((day) => {
    const found = byDay.get(day) ?? []
    const entry = deptIds.flatMap((id) => found.find(({ deptId }) => deptId === id) ?? [])[0]
    if (entry) return { day, kind: entry.kind, name: entry.name, deptId: entry.deptId }
    const isTerm = own.length === 0 || own.some(({ fromDay, toDay }) => fromDay <= day && day <= toDay)
    return { day, kind: isTerm ? byWeekday(day) : 'HOLIDAY', name: null, deptId: null }
  })
}

/** The days of a department with the entries of the departments above it. */
export const listEffectiveDays = async (
  db: Db,
  deptId: number,
  { fromDay, toDay }: { fromDay: string; toDay: string },
): Promise<EffectiveDay[]> => {
  const deptIds = (await listDeptsAbove(db, deptId)).map(({ id }) => id)
  const all = unscoped(db, 'the calendars of the departments above hold for a school, whoever asks')
  const [entries, terms] = await Promise.all([
    all
      .selectFrom('schoolCalendarDay')
      .select(['deptId', 'day', 'kind', 'name'])
      .where('deptId', 'in', [0, ...deptIds])
      .where('day', '>=', fromDay)
      .where('day', '<=', toDay)
      .execute(),
    all
      .selectFrom('schoolTerm')
      .select(['deptId', 'fromDay', 'toDay'])
      .where('deptId', 'in', [0, ...deptIds])
      .execute(),
  ])
  return resolveDays({ deptIds, entries, terms }, listDays(fromDay, toDay))
}

type Span = { fromDay: string; toDay: string }

/** The days of a school; one that is gone follows the weekdays. */
export const listSchoolDays = async (db: Db, schoolId: number, span: Span): Promise<EffectiveDay[]> => {
  const school = await unscoped(db, 'the caller knows the school; only its department is read')
    .selectFrom('school')
    .select('deptId')
    .where('id', '=', schoolId)
    .executeTakeFirst()
  if (school) return listEffectiveDays(db, school.deptId, span)
  return resolveDays({ deptIds: [], entries: [], terms: [] }, listDays(span.fromDay, span.toDay))
}

/** The kind of a day at a school. */
export const dayKind = async (db: Db, schoolId: number, day: string): Promise<DayKind> => {
  const [found] = await listSchoolDays(db, schoolId, { fromDay: day, toDay: day })
  return found?.kind ?? byWeekday(day)
}
