import { z } from 'zod'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { Day, Id, queryId, queryInt } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { importEndpoints, ImportQuery } from '../files/import.ts'
import { ById } from '../page.ts'
import { nameText } from '../text-fields.ts'

export const dayKinds = ['CLASS', 'HOLIDAY', 'EXAM', 'MAKEUP'] as const
export type DayKind = (typeof dayKinds)[number]
/** Pupils are at school. */
export const classKinds: readonly DayKind[] = ['CLASS', 'EXAM', 'MAKEUP']

export const MAX_RANGE_DAYS = 366

/** A day that differs from its weekday and the terms. */
export const CalendarDay = z.strictObject({
  id: Id,
  deptId: field(Id, '部门', 'Department'),
  day: field(Day, '日期', 'Day'),
  kind: field(z.enum(dayKinds), '类型', 'Kind'),
  name: field(z.string().nullable(), '名称', 'Name'),
  /** From the official list of holidays. */
  official: field(z.boolean(), '法定', 'Official'),
})
export type CalendarDay = z.output<typeof CalendarDay>

export const SchoolTerm = z.strictObject({
  id: field(Id, '编号', 'Id'),
  deptId: field(Id, '部门', 'Department'),
  name: field(z.string(), '学期', 'Term'),
  fromDay: field(Day, '开学', 'First day'),
  toDay: field(Day, '放假前', 'Last day'),
  fromMin: field(z.int(), '上课', 'School begins'),
  toMin: field(z.int(), '放学', 'School ends'),
  ...auditFields,
})
export type SchoolTerm = z.output<typeof SchoolTerm>

export const SchoolTermDraft = SchoolTerm.omit(generatedColumns).extend({
  name: field(nameText(32), '学期', 'Term'),
  fromMin: field(z.int().min(0).max(1439), '上课', 'School begins'),
  toMin: field(z.int().min(1).max(1440), '放学', 'School ends'),
})
export type SchoolTermDraft = z.output<typeof SchoolTermDraft>

export const SchoolTermEdit = SchoolTermDraft.omit({ deptId: true })
  .partial()
  .extend({ id: field(Id, '编号', 'Id'), version: field(z.int().optional(), '版本', 'Version') })
export type SchoolTermEdit = z.output<typeof SchoolTermEdit>

/** The kind of one day, with the row that decides it unless it follows the weekday. */
export const EffectiveDay = z.strictObject({
  day: Day,
  kind: z.enum(dayKinds),
  name: z.string().nullable(),
  /** The department whose row decides; null: the terms and the weekday. */
  deptId: Id.nullable(),
})
export type EffectiveDay = z.output<typeof EffectiveDay>

export const CalendarYear = z.strictObject({
  days: z.array(EffectiveDay),
  /** Terms of the department and of those above it, the nearest first. */
  terms: z.array(SchoolTerm.extend({ deptName: z.string() })),
  today: EffectiveDay,
  /** Until when official holidays are known; null when none are. */
  officialUntil: Day.nullable(),
})
export type CalendarYear = z.output<typeof CalendarYear>

export const CalendarRange = z.strictObject({
  deptId: field(Id, '部门', 'Department'),
  fromDay: field(Day, '开始日期', 'From'),
  toDay: field(Day, '结束日期', 'To'),
  /** Null removes the entries of the department, so that the terms decide again. */
  kind: field(z.enum(dayKinds).nullable(), '类型', 'Kind'),
  name: field(z.string().trim().max(32).nullable().optional(), '名称', 'Name'),
})
export type CalendarRange = z.output<typeof CalendarRange>

export const CalendarDayDraft = z.strictObject({
  day: field(Day, '日期', 'Day'),
  kind: field(z.enum(dayKinds), '类型', 'Kind'),
  name: field(z.string().trim().max(32).nullable(), '名称', 'Name'),
})
export type CalendarDayDraft = z.output<typeof CalendarDayDraft>

export const CalendarSheetRow = z.strictObject({
  day: field(z.string(), '日期', 'Day'),
  kind: field(z.string(), '类型', 'Kind'),
  name: field(z.string(), '名称', 'Name'),
})

const call = (verb: string) => ({ kind: 'json', permission: `school:calendar:${verb}`, scope: 'dept' }) as const

export const schoolCalendar = {
  year: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/school/calendar/year',
    summary: '一年的校历',
    summaryEn: 'The calendar of a year, of a school or bureau by its department',
    query: z.strictObject({
      deptId: field(queryId, '部门', 'Department'),
      year: field(queryInt(2000, 2100), '年份', 'Year'),
    }),
    data: CalendarYear,
  }),
  setRange: endpoint({
    ...call('update'),
    method: 'POST',
    path: '/school/calendar/set-range',
    summary: '设置日期类型',
    summaryEn: 'Sets the kind of a range of days',
    body: CalendarRange,
    data: z.int(),
  }),
  fill: endpoint({
    ...call('update'),
    method: 'POST',
    path: '/school/calendar/fill',
    summary: '填入法定节假日',
    summaryEn: 'Fills in the official holidays; entries by hand stay',
    body: z.strictObject({ deptId: field(Id, '部门', 'Department') }),
    data: z.int(),
  }),
  createTerm: endpoint({
    ...call('update'),
    method: 'POST',
    path: '/school/school-term/create',
    summary: '新增学期',
    summaryEn: 'Creates a term',
    body: SchoolTermDraft,
    data: Id,
  }),
  updateTerm: endpoint({
    ...call('update'),
    method: 'PUT',
    path: '/school/school-term/update',
    summary: '修改学期',
    summaryEn: 'Updates a term',
    body: SchoolTermEdit,
    data: z.literal(true),
  }),
  deleteTerm: endpoint({
    ...call('update'),
    method: 'DELETE',
    path: '/school/school-term/delete',
    summary: '删除学期',
    summaryEn: 'Deletes a term',
    query: ById,
    data: z.literal(true),
  }),
}

export const calendarImports = importEndpoints({
  permission: 'school:calendar:import',
  scope: 'dept',
  path: '/school/calendar',
  title: '校历',
  titleEn: 'School calendar',
  query: ImportQuery,
})
