import { CalendarDayDraft, CalendarSheetRow, calendarImports, schoolCalendar } from '@tocsin/contract/school/calendar'
import { schoolLabels } from '@tocsin/contract/school/school-labels'
import { createChoiceReader } from '#areas/files/import/cell-readers'
import { openEntityCheck } from '#areas/files/import/entity-check'
import type { CheckContext, Importer } from '#areas/files/import/importer'
import { createRowWriter } from '#areas/files/import/row-writer'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { writeDays } from './calendar-edit.ts'

const key = 'day'
const constraints = { school_calendar_day_key: 'day' }

const entriesOf = (db: Db) => unscoped(db, 'the entries of the department of the importing user')

const findExisting = async (db: Db, deptId: number, drafts: readonly Partial<CalendarDayDraft>[]) => {
  const days = drafts.flatMap(({ day }) => day ?? [])
  if (days.length === 0) return new Map()
  const rows = await entriesOf(db)
    .selectFrom('schoolCalendarDay')
    .select(['id', 'day', 'kind', 'name'])
    .where('deptId', '=', deptId)
    .where('day', 'in', days)
    .execute()
  return new Map(rows.map(({ id, ...values }) => [values.day, { id, values }]))
}

const openCheck = (context: CheckContext) =>
  openEntityCheck<CalendarDayDraft>(
    {
      sheet: CalendarSheetRow,
      draft: CalendarDayDraft,
      key,
      open: async ({ db, who }) => ({
        columns: { kind: { read: createChoiceReader(schoolLabels.dayKind) } },
        defaults: { name: null },
        uniqueKeys: ({ day }) => (day ? [['day', day] as const] : []),
        keyOf: ({ day }) => day,
        findExisting: (drafts) => findExisting(db, who.actor.deptId, drafts),
      }),
    },
    context,
  )

/** Days of the calendar of the importing user's department, such as the official holidays of a new year. */
export const calendarImporter: Importer<CalendarDayDraft> = {
  endpoints: calendarImports,
  jobName: 'calendar-import',
  page: '/school/calendar',
  title: '校历',
  titleEn: 'School calendar',
  sheet: CalendarSheetRow,
  otherHeadings: { day: ['Date'], kind: ['种类', 'Type'], name: ['节日', '说明'] },
  required: ['day', 'kind'],
  key,
  constraints,
  template: async () => ({
    samples: [
      ['2027-01-01', '放假', '元旦'],
      ['2027-01-03', '补课', '元旦调休'],
    ],
    choices: { kind: Object.values(schoolLabels.dayKind).map(([zh]) => zh) },
  }),
  openCheck,
  writer: createRowWriter<CalendarDayDraft>({
    draft: CalendarDayDraft,
    key,
    constraints,
    permissions: { create: schoolCalendar.setRange.permission, update: schoolCalendar.setRange.permission },
    create: async (trx, draft, caller) => {
      const { deptId } = caller.actor
      await writeDays(trx, caller, { deptId, days: [draft], official: false })
      const { id } = await entriesOf(trx)
        .selectFrom('schoolCalendarDay')
        .select('id')
        .where('deptId', '=', deptId)
        .where('day', '=', draft.day)
        .executeTakeFirstOrThrow()
      return id
    },
    update: async (trx, id, draft, caller) => {
      const before = await entriesOf(trx)
        .selectFrom('schoolCalendarDay')
        .select(['day', 'kind', 'name'])
        .where('id', '=', id)
        .where('deptId', '=', caller.actor.deptId)
        .executeTakeFirst()
      if (before)
        await writeDays(trx, caller, { deptId: caller.actor.deptId, days: [{ ...before, ...draft }], official: false })
    },
  }),
}
