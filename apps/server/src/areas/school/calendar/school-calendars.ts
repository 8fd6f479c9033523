import type { CalendarDay, EffectiveDay, SchoolTerm } from '@tocsin/contract/school/calendar'
import { sql } from 'kysely'
import type { Db, UnscopedDb } from '#db/db'
import { unscoped } from '#db/scope'
import { listDays, resolveDays } from './day-kind.ts'

export type ClassHours = Pick<SchoolTerm, 'fromMin' | 'toMin'>

/** The days of a span, and the school hours of its first day. */
export type SchoolCalendar = { days: readonly EffectiveDay[]; hours: ClassHours | null }

type Span = { fromDay: string; toDay: string }

/** The departments above each school, the nearest first. */
const loadDeptsAbove = async (all: UnscopedDb, schoolIds: readonly number[]): Promise<Map<number, number[]>> => {
  const { rows } = await sql<{ schoolId: number; deptIds: number[] }>`
    with recursive owner as (select distinct dept_id from school where id = any(${schoolIds})),
    up as (
      select o.dept_id as owner, d.id, d.parent_id, 0 as distance from owner o join dept d on d.id = o.dept_id
      union all select up.owner, d.id, d.parent_id, up.distance + 1 from dept d join up on d.id = up.parent_id
    ),
    chain as (select owner, array_agg(id order by distance) as ids from up group by owner)
    select s.id as "schoolId", chain.ids as "deptIds"
    from school s join chain on chain.owner = s.dept_id where s.id = any(${schoolIds})`.execute(all)
  return new Map(rows.map(({ schoolId, deptIds }) => [schoolId, deptIds]))
}

type Entry = Pick<CalendarDay, 'deptId' | 'day' | 'kind' | 'name'>
type Term = Pick<SchoolTerm, 'deptId' | 'fromDay' | 'toDay' | 'fromMin' | 'toMin'>

/** The hours of the term that contains the day, of the nearest department that has terms; null where none does. */
const classHoursOf = (deptIds: readonly number[], terms: readonly Term[], day: string): ClassHours | null => {
  const owner = deptIds.find((id) => terms.some(({ deptId }) => deptId === id))
  const term = terms.find(({ deptId, fromDay, toDay }) => deptId === owner && fromDay <= day && day <= toDay)
  return term ? { fromMin: term.fromMin, toMin: term.toMin } : null
}

/** Reads the calendars of many schools with as many statements as of one. A school that is gone follows the weekdays. */
export const loadSchoolCalendars = async (
  db: Db,
  schoolIds: readonly number[],
  { fromDay, toDay }: Span,
): Promise<(schoolId: number) => SchoolCalendar> => {
  const all = unscoped(db, 'the calendars of the departments above hold for a school, whoever asks')
  const above = await loadDeptsAbove(all, schoolIds)
  const deptIds = [...new Set([...above.values()].flat())]
  const entries = await all
    .selectFrom('schoolCalendarDay')
    .select(['deptId', 'day', 'kind', 'name'])
    .where(sql<boolean>`dept_id = any(${deptIds})`)
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .execute()
  const terms = await all
    .selectFrom('schoolTerm')
    .select(['deptId', 'fromDay', 'toDay', 'fromMin', 'toMin'])
    .where(sql<boolean>`dept_id = any(${deptIds})`)
    .execute()
  const entriesOf = Map.groupBy<number, Entry>(entries, ({ deptId }) => deptId)
  const termsOf = Map.groupBy<number, Term>(terms, ({ deptId }) => deptId)
  const days = listDays(fromDay, toDay)
  return (schoolId) => {
    const chain = above.get(schoolId) ?? []
    const own = {
      entries: chain.flatMap((id) => entriesOf.get(id) ?? []),
      terms: chain.flatMap((id) => termsOf.get(id) ?? []),
    }
    return { days: resolveDays({ deptIds: chain, ...own }, days), hours: classHoursOf(chain, own.terms, fromDay) }
  }
}
