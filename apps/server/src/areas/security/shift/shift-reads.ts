import { dutyLabel } from '@tocsin/contract/security/duty-labels'
import { addDays, startOfDay } from '@tocsin/contract/security/hours'
import { type CalendarQuery, type FreePerson, type ShiftQuery, ShiftRow, shifts } from '@tocsin/contract/security/shift'
import { UNATTENDED_END_MIN, shiftStates } from '@tocsin/contract/security/shift-machine'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { sql } from 'kysely'
import type { Db, UnscopedDb } from '#db/db'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { byWord, type ListOrder, toOrderBy } from '#db/sort'
import type { Actor } from '#http/route'
import { toOffsetLimit, toTimeWindow } from '#http/time-window'
import { sheetColumn } from '#spreadsheet/column'
import { ownerName } from '../owner.ts'
import { filterFit } from './conflicts.ts'
import { earliestStart } from './earliest-start.ts'
import { findPost, selectShifts } from './shift-rows.ts'

const WEEK_DAYS = 7
/** Maximum rows of a calendar; a filter finds the others. */
const MAX_CALENDAR_POSTS = 100

export const readCalendar = async (db: Db, actor: Actor, query: CalendarQuery) => {
  const from = startOfDay(query.from)
  const to = addDays(from, query.days ?? WEEK_DAYS)
  const seen = scoped(db, actor)
  const found = await seen
    .selectFrom('securityPost')
    .leftJoin('school', 'school.id', 'securityPost.schoolId')
    .leftJoin('dept', 'dept.id', 'securityPost.deptId')
    .select([
      'securityPost.id',
      'securityPost.name',
      'securityPost.type',
      'securityPost.schoolId',
      'securityPost.deptId',
      'securityPost.headcount',
      'securityPost.weekdays',
      'securityPost.fromMin',
      'securityPost.toMin',
      ownerName.as('ownerName'),
    ])
    .where('securityPost.enabled', '=', true)
    .$if(query.schoolId !== undefined, (q) => q.where('securityPost.schoolId', '=', query.schoolId ?? 0))
    .$if(!!query.type?.length, (q) => q.where('securityPost.type', 'in', query.type ?? []))
    .orderBy(ownerName)
    .orderBy('securityPost.fromMin')
    .orderBy('securityPost.id')
    .limit(MAX_CALENDAR_POSTS + 1)
    .execute()
  const posts = found.slice(0, MAX_CALENDAR_POSTS)
  const rows =
    posts.length === 0
      ? []
      : await selectShifts(unscoped(db, 'shifts of visible posts, with their people'), actor.userId)
          .where(
            'shift.postId',
            'in',
            posts.map(({ id }) => id),
          )
          .where('shift.fromAt', '<', to)
          .where('shift.fromAt', '>', earliestStart(from))
          .where('shift.toAt', '>', from)
          .orderBy('shift.fromAt')
          .orderBy('shift.id')
          .execute()
  return { posts, shifts: rows, hasMorePosts: found.length > MAX_CALENDAR_POSTS }
}

const visibleShiftIds = (db: Db, actor: Actor, query: ShiftQuery) => {
  const now = new Date()
  const { from, to } = toTimeWindow({ from: query.from, to: query.to ?? addDays(now, WEEK_DAYS) }, now)
  return scoped(db, actor)
    .selectFrom('shift')
    .select('shift.id')
    .where('shift.fromAt', '>', earliestStart(from))
    .where('shift.toAt', '>', from)
    .$if(to !== undefined, (q) => q.where('shift.fromAt', '<', to ?? now))
    .$if(query.schoolId !== undefined, (q) => q.where('shift.schoolId', '=', query.schoolId ?? 0))
    .$if(!!query.state?.length, (q) => q.where('shift.state', 'in', query.state ?? []))
}

const order: ListOrder<ShiftQuery> = {
  columns: {
    state: { by: byWord(sql`shift.state`, shiftStates) },
    fromAt: { by: sql`shift.from_at` },
    toAt: { by: sql`shift.to_at` },
  },
  usual: sql`shift.from_at desc, shift.id`,
  id: sql`shift.id`,
}

/** The people of a visible shift are named even when their records are invisible, like a guard of two schools. */
const shiftRows = (db: Db, actor: Actor, ids: ReturnType<typeof visibleShiftIds>, orderBy?: ShiftQuery['orderBy']) =>
  selectShifts(unscoped(db, 'people of visible shifts'), actor.userId)
    .where('shift.id', 'in', ids)
    .orderBy(toOrderBy(orderBy, order))

export const pageShifts = async (db: Db, actor: Actor, query: ShiftQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const ids = visibleShiftIds(db, actor, query)
  // Only the ids of a page are sorted: the day of a city has 60,000 shifts.
  const idsOfPage = ids.orderBy(toOrderBy(query.orderBy, order)).limit(limit).offset(offset)
  const [list, total] = await Promise.all([
    shiftRows(db, actor, idsOfPage, query.orderBy).execute(),
    countCapped(db, ids),
  ])
  return { list, ...total }
}

const MINUTE_MS = 60_000

/** The actor's own shifts of this week: the present one first, with the previous person at the post. */
export const listMyShifts = async (db: Db, actor: Actor) => {
  const all = unscoped(db, 'one’s own shifts')
  const now = Date.now()
  const rows = await selectShifts(all, actor.userId)
    .select('securityPost.equipment')
    .where('employee.userId', '=', actor.userId)
    .where('shift.publishedAt', 'is not', null)
    .where('shift.toAt', '>', new Date(now - UNATTENDED_END_MIN * MINUTE_MS))
    .where('shift.fromAt', '<', addDays(new Date(now), WEEK_DAYS))
    .orderBy('shift.fromAt')
    .execute()
  const previous = await Promise.all(
    rows
      .slice(0, 1)
      .map(({ postId, fromAt, employeeId }) =>
        all
          .selectFrom('shift')
          .innerJoin('employee', 'employee.id', 'shift.employeeId')
          .select('employee.name')
          .where('shift.postId', '=', postId)
          .where('shift.employeeId', '<>', employeeId)
          .where('shift.state', '=', 'CHECKED_IN')
          .where('shift.fromAt', '<', fromAt)
          .orderBy('shift.fromAt', 'desc')
          .executeTakeFirst(),
      ),
  )
  return rows.map((row, at) => ({ ...row, previousName: previous[at]?.name ?? null }))
}

const HOUR_MS = 3_600_000
const MAX_FREE = 200

type Wanted = { postId: number; fromAt: Date; toAt: Date }

/** When the last shift of each person ended before an instant. */
const listLastEnds = async (all: UnscopedDb, employeeIds: readonly number[], until: Date) => {
  if (employeeIds.length === 0) return new Map<number, Date>()
  const rows = await all
    .selectFrom('shift')
    .select(['employeeId', sql<Date>`max(to_at)`.as('toAt')])
    .where('employeeId', 'in', employeeIds)
    .where('state', '<>', 'ABSENT')
    .where('toAt', '<=', until)
    .groupBy('employeeId')
    .execute()
  return new Map(rows.map(({ employeeId, toAt }) => [employeeId, toAt]))
}

/** People of the post's owner who could take the time, the most rested first. */
export const listFreePeople = async (db: Db, actor: Actor, { postId, fromAt, toAt }: Wanted): Promise<FreePerson[]> => {
  const { schoolId, deptId } = await findPost(db, actor, postId)
  const all = unscoped(db, 'people of a visible post')
  const further = all.selectFrom('employeeSchool').select('employeeId').where('schoolId', '=', schoolId)
  const people = await all
    .selectFrom('employee')
    .select(['id', 'name', 'status', 'certExpiresOn'])
    .where('status', '=', 'ACTIVE')
    .where((eb) =>
      schoolId === null ? eb('deptId', '=', deptId) : eb.or([eb('schoolId', '=', schoolId), eb('id', 'in', further)]),
    )
    .orderBy('name')
    .limit(MAX_FREE)
    .execute()
  const fit = await filterFit(all, people, { fromAt, toAt })
  const ended = await listLastEnds(
    all,
    fit.map(({ id }) => id),
    fromAt,
  )
  const free = fit.map(({ id, name }) => {
    const last = ended.get(id)
    const restHours = last ? Math.round((fromAt.getTime() - last.getTime()) / HOUR_MS) : null
    return { employeeId: id, name, restHours }
  })
  return free.toSorted((a, b) => (b.restHours ?? Infinity) - (a.restHours ?? Infinity))
}

export const shiftExport: Exporter<ShiftQuery & ExportOptions, ShiftRow> = {
  endpoints: shifts,
  subject: 'shift',
  name: '班次',
  nameEn: 'Shifts',
  columns: async (_db, lang) => [
    sheetColumn(ShiftRow, 'ownerName', { width: 24 }),
    sheetColumn(ShiftRow, 'postName', { width: 22 }),
    sheetColumn(ShiftRow, 'employeeName'),
    sheetColumn(ShiftRow, 'fromAt', { width: 20 }),
    sheetColumn(ShiftRow, 'toAt', { width: 20 }),
    sheetColumn(ShiftRow, 'state', { cell: (state) => dutyLabel('shiftState', state, lang) }),
    sheetColumn(ShiftRow, 'checkedInAt', { width: 20 }),
    sheetColumn(ShiftRow, 'checkInMethod', { cell: (way) => (way ? dutyLabel('checkInMethod', way, lang) : '') }),
    sheetColumn(ShiftRow, 'lateMinutes'),
    sheetColumn(ShiftRow, 'checkedOutAt', { width: 20 }),
    sheetColumn(ShiftRow, 'absenceReason', { width: 24 }),
  ],
  rows: (db, actor, query) => shiftRows(db, actor, visibleShiftIds(db, actor, query)) as unknown as RowsQuery<ShiftRow>,
}
