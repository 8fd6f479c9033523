import { codes } from '@tocsin/contract/codes'
import {
  type CalendarDayDraft,
  CalendarRange,
  MAX_RANGE_DAYS,
  SchoolTermDraft,
  type SchoolTermEdit,
} from '@tocsin/contract/school/calendar'
import { formatMinute, localDay } from '@tocsin/contract/security/hours'
import { sql } from 'kysely'
import { createRow, deleteRow, type EditableTable, editRow, lockRow, recordChange } from '#areas/audit/edit-row'
import { changedColumns, fieldError, runEdit } from '#areas/audit/edit-transaction'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { listDays } from './day-kind.ts'
import { listOfficialDays } from './official-days.ts'

const deptInUse = { code: codes.referred, params: { what: '部门' } }
registerConstraintErrors({
  school_calendar_day_dept_id_fkey: deptInUse,
  school_term_dept_id_fkey: deptInUse,
  school_term_key: { code: codes.termName },
})

/** Every screen with a calendar refetches: the entries of a department hold for all schools below it. */
const changed = { type: 'calendar.changed' } as const

export const assertDeptVisible = async (trx: Db, { depts }: Actor, deptId: number): Promise<void> => {
  const dept = await trx.selectFrom('dept').select('id').where('id', '=', deptId).executeTakeFirst()
  if (!dept || (depts !== 'all' && !depts.includes(deptId))) throw new BusinessError(codes.notFound, { what: '部门' })
}

const entriesOf = (trx: Db) => unscoped(trx, 'the entries of a department that was found visible')

/** Writes entries of a department; the later value of a day replaces the earlier one. */
export const writeDays = async (
  trx: Db,
  caller: Caller,
  { deptId, days, official }: { deptId: number; days: readonly CalendarDayDraft[]; official: boolean },
): Promise<number> => {
  if (days.length === 0) return 0
  const written = await entriesOf(trx)
    .insertInto('schoolCalendarDay')
    .values(days.map((day) => ({ ...day, deptId, official })))
    .onConflict((conflict) =>
      conflict
        .constraint('school_calendar_day_key')
        .doUpdateSet({
          kind: sql`excluded.kind`,
          name: sql`excluded.name`,
          official: sql`excluded.official`,
        })
        // Official days never replace entries of users.
        .where(sql<boolean>`(school_calendar_day.official or not excluded.official)`),
    )
    .returning('id')
    .execute()
  await recordChange(trx, caller, {
    action: 'school:calendar:update',
    subject: 'school_calendar',
    id: deptId,
    after: { days: days.map(({ day, kind, name }) => [day, kind, name]) },
    events: [changed],
  })
  return written.length
}

/** Sets or removes the entries of a range. @returns how many days changed. */
export const setRange = (db: Db, { deptId, fromDay, toDay, kind, name }: CalendarRange, caller: Caller) =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    await assertDeptVisible(trx, caller.actor, deptId)
    if (toDay < fromDay) throw fieldError(CalendarRange, 'toDay', 'tooSmall', fromDay)
    const days = listDays(fromDay, toDay)
    if (days.length > MAX_RANGE_DAYS) throw fieldError(CalendarRange, 'toDay', 'tooBig', days[MAX_RANGE_DAYS - 1])
    if (kind !== null)
      return writeDays(trx, caller, {
        deptId,
        days: days.map((day) => ({ day, kind, name: name ?? null })),
        official: false,
      })
    const before = await entriesOf(trx)
      .deleteFrom('schoolCalendarDay')
      .where('deptId', '=', deptId)
      .where('day', '>=', fromDay)
      .where('day', '<=', toDay)
      .returning(['day', 'kind', 'name'])
      .execute()
    await recordChange(trx, caller, {
      action: 'school:calendar:update',
      subject: 'school_calendar',
      id: deptId,
      before: { days: before.map((item) => [item.day, item.kind, item.name]) },
      events: [changed],
    })
    return before.length
  })

const currentYear = () => Number(localDay(new Date()).slice(0, 4))
/** The package may already know the next year. */
const listKnownDays = () => [...listOfficialDays(currentYear()), ...listOfficialDays(currentYear() + 1)]

/** Fills in the official holidays of this year and, if they are known, the next. @returns how many days. */
export const fillOfficialDays = (db: Db, deptId: number, caller: Caller) =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    await assertDeptVisible(trx, caller.actor, deptId)
    return writeDays(trx, caller, { deptId, days: listKnownDays(), official: true })
  })

/** At the first start: the official holidays of the education bureau, which hold for every school below it. */
export const seedOfficialDays = async (db: Db): Promise<void> => {
  const bureau = await db.selectFrom('dept').select('id').where('code', '=', 'EDU').executeTakeFirst()
  const days = bureau ? listKnownDays() : []
  if (!bureau || days.length === 0) return
  await entriesOf(db)
    .insertInto('schoolCalendarDay')
    .values(days.map((day) => ({ ...day, deptId: bureau.id, official: true })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const terms: EditableTable<'schoolTerm'> = {
  table: 'schoolTerm',
  action: 'school:calendar',
  missing: { ...codes.notFound, zh: '学期不存在', en: 'The term does not exist' },
  current: (_trx, row) => row,
  events: () => [changed],
}

const checkTerm = ({ fromDay, toDay, fromMin, toMin }: Omit<SchoolTermDraft, 'deptId' | 'name'>): void => {
  if (toDay < fromDay) throw fieldError(SchoolTermDraft, 'toDay', 'tooSmall', fromDay)
  if (toMin <= fromMin) throw fieldError(SchoolTermDraft, 'toMin', 'tooSmall', formatMinute(fromMin))
}

export const createTerm = (db: Db, draft: SchoolTermDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    await assertDeptVisible(trx, caller.actor, draft.deptId)
    checkTerm(draft)
    return (await createRow(trx, caller, terms, draft)).id
  })

export const updateTerm = (db: Db, edit: SchoolTermEdit, caller: Caller): Promise<true> =>
  editRow(db, caller, terms, {
    ...edit,
    change: async (_trx, before) => {
      const changes = changedColumns(edit)
      checkTerm({ ...before, ...changes })
      return changes
    },
  })

export const deleteTerm = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    await deleteRow(trx, caller, terms, await lockRow(trx, caller, terms, { id }))
    return true
  })
