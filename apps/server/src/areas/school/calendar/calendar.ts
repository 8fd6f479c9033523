import { type CalendarYear, schoolCalendar } from '@tocsin/contract/school/calendar'
import { localDay } from '@tocsin/contract/security/hours'
import { importRoutes } from '#areas/files/import/routes'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { type Actor, type Route, route } from '#http/route'
import { assertDeptVisible, createTerm, deleteTerm, fillOfficialDays, setRange, updateTerm } from './calendar-edit.ts'
import { calendarImporter } from './calendar-importer.ts'
import { listDeptsAbove, listEffectiveDays } from './day-kind.ts'

const getYear = async (
  db: Db,
  actor: Actor,
  { deptId, year }: { deptId: number; year: number },
): Promise<CalendarYear> => {
  await assertDeptVisible(db, actor, deptId)
  const depts = await listDeptsAbove(db, deptId)
  const deptIds = depts.map(({ id }) => id)
  const all = unscoped(db, 'the calendars of the departments above hold for a visible department')
  const today = localDay(new Date())
  const [days, terms, official, now] = await Promise.all([
    listEffectiveDays(db, deptId, { fromDay: `${year}-01-01`, toDay: `${year}-12-31` }),
    all.selectFrom('schoolTerm').selectAll().where('deptId', 'in', deptIds).orderBy('fromDay').execute(),
    all
      .selectFrom('schoolCalendarDay')
      .select(({ fn }) => fn.max('day').as('day'))
      .where('deptId', 'in', deptIds)
      .where('official', '=', true)
      .executeTakeFirst(),
    listEffectiveDays(db, deptId, { fromDay: today, toDay: today }),
  ])
  const rank = (id: number) => deptIds.indexOf(id)
  const [effective = { day: today, kind: 'CLASS' as const, name: null, deptId: null }] = now
  return {
    days,
    terms: terms
      .map((term) => ({ ...term, deptName: depts.find(({ id }) => id === term.deptId)?.name ?? '' }))
      .toSorted((a, b) => rank(a.deptId) - rank(b.deptId)),
    today: effective,
    // The official list is published by calendar years.
    officialUntil: official?.day ? `${official.day.slice(0, 4)}-12-31` : null,
  }
}

export const calendarRoutes = ({ db }: { db: Db }): Route[] => [
  route(schoolCalendar.year, ({ query, actor }) => getYear(db, actor, query)),
  route(schoolCalendar.setRange, ({ body, caller }) => setRange(db, body, caller)),
  route(schoolCalendar.fill, ({ body, caller }) => fillOfficialDays(db, body.deptId, caller)),
  route(schoolCalendar.createTerm, ({ body, caller }) => createTerm(db, body, caller)),
  route(schoolCalendar.updateTerm, ({ body, caller }) => updateTerm(db, body, caller)),
  route(schoolCalendar.deleteTerm, ({ query, caller }) => deleteTerm(db, query.id, caller)),
  ...importRoutes(db, calendarImporter),
]
