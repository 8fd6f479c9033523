import { z } from 'zod'
import { auditFields } from '../audit-fields.ts'
import { Id, Millis, queryDate, queryId, queryInt, queryList } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'
import { Equipment, MAX_EQUIPMENT, postTypes } from './post.ts'
import { shiftStates } from './shift-machine.ts'

/** `DESK`: the person started the shift at the alarm desk. */
export const checkInMethods = ['HAND', 'QR', 'POSITION', 'DESK'] as const
export type CheckInMethod = (typeof checkInMethods)[number]

export const Shift = z.strictObject({
  id: field(Id, '编号', 'Id'),
  postId: field(Id, '岗位', 'Post'),
  schoolId: field(Id.nullable(), '学校', 'School'),
  deptId: field(Id.nullable(), '部门', 'Department'),
  employeeId: field(Id, '人员', 'Person'),
  fromAt: field(Millis, '开始', 'From'),
  toAt: field(Millis, '结束', 'To'),
  state: field(z.enum(shiftStates), '状态', 'State'),
  publishedAt: field(Millis.nullable(), '发布时间', 'Published'),
  checkedInAt: field(Millis.nullable(), '上岗时间', 'Checked in'),
  checkInMethod: field(z.enum(checkInMethods).nullable(), '签到方式', 'Checked in by'),
  checkInDistance: field(z.int().nullable(), '距岗位（米）', 'Metres from the post'),
  checkInReason: field(z.string().nullable(), '签到说明', 'Reason of the check-in'),
  checkedOutAt: field(Millis.nullable(), '下班时间', 'Ended'),
  leftReason: field(z.string().nullable(), '早退原因', 'Reason for leaving early'),
  equipmentCheck: field(z.array(Equipment).nullable(), '装备检查', 'Equipment check'),
  absenceReason: field(z.string().nullable(), '请假原因', 'Reason of the absence'),
  standInFor: field(Id.nullable(), '替班', 'Stands in for'),
  remark: field(z.string().nullable(), '备注', 'Remark'),
  ...auditFields,
})
export type Shift = z.output<typeof Shift>

export const MAX_SHIFT_HOURS = 24
export const MAX_CALENDAR_DAYS = 42

export const ShiftDraft = z.strictObject({
  postId: field(Id, '岗位', 'Post'),
  employeeId: field(Id, '人员', 'Person'),
  fromAt: field(Millis, '开始', 'From'),
  toAt: field(Millis, '结束', 'To'),
  remark: field(z.string().trim().max(200).nullable().optional(), '备注', 'Remark'),
})
export type ShiftDraft = z.output<typeof ShiftDraft>

const version = field(z.int().optional(), '版本', 'Version')
const ShiftRef = z.strictObject({ id: field(Id, '编号', 'Id'), version })
const reason = field(z.string().trim().min(1).max(200), '原因', 'Reason')

export const ShiftEdit = ShiftDraft.partial().extend({ id: field(Id, '编号', 'Id'), version })
export type ShiftEdit = z.output<typeof ShiftEdit>

export const CheckIn = ShiftRef.extend({
  method: field(z.enum(checkInMethods), '签到方式', 'Way'),
  code: field(z.string().max(200).optional(), '签到码', 'Check-in code'),
  lng: field(z.number().min(-180).max(180).optional(), '经度', 'Longitude'),
  lat: field(z.number().min(-90).max(90).optional(), '纬度', 'Latitude'),
  reason: field(z.string().trim().max(200).optional(), '原因', 'Reason'),
  /** What the person counted at the post; items that are left out are as before. */
  equipment: field(
    z
      .array(Equipment.omit({ required: true }))
      .max(MAX_EQUIPMENT)
      .optional(),
    '装备检查',
    'Equipment check',
  ),
})
export type CheckIn = z.output<typeof CheckIn>

export const ShiftRow = Shift.extend({
  postName: field(z.string(), '岗位', 'Post'),
  postType: field(z.enum(postTypes), '类型', 'Type'),
  ownerName: field(z.string(), '单位', 'Unit'),
  employeeName: field(z.string(), '人员', 'Person'),
  isMine: field(z.boolean(), '本人', 'Mine'),
  /** The person is not on leave and has an enabled account, or the shift has ended: else it covers no hours. */
  canReceive: field(z.boolean(), '可接警情', 'Can receive alarms'),
  lateMinutes: field(z.int(), '迟到（分钟）', 'Minutes late'),
})
export type ShiftRow = z.output<typeof ShiftRow>

/** A row of the calendar. */
export const CalendarPost = z.strictObject({
  id: Id,
  name: z.string(),
  type: z.enum(postTypes),
  schoolId: Id.nullable(),
  deptId: Id.nullable(),
  ownerName: z.string(),
  headcount: z.int(),
  weekdays: z.int(),
  fromMin: z.int(),
  toMin: z.int(),
})
export type CalendarPost = z.output<typeof CalendarPost>

export const CalendarQuery = z.strictObject({
  from: field(queryDate, '开始日期', 'From'),
  days: field(queryInt(1, MAX_CALENDAR_DAYS).optional(), '天数', 'Days'),
  schoolId: field(queryId.optional(), '学校', 'School'),
  type: field(queryList(postTypes).optional(), '类型', 'Type'),
})
export type CalendarQuery = z.output<typeof CalendarQuery>

export const ShiftQuery = PageQuery.extend({
  from: field(queryDate.optional(), '开始日期', 'From'),
  to: field(queryDate.optional(), '结束日期', 'To'),
  schoolId: field(queryId.optional(), '学校', 'School'),
  state: field(queryList(shiftStates).optional(), '状态', 'State'),
  orderBy: sortable(['state', 'fromAt', 'toAt']),
})
export type ShiftQuery = z.output<typeof ShiftQuery>

/** A week of one school, or of one department with its seats: exactly one is named. */
export const OwnerWeek = z.strictObject({
  week: field(Millis, '周', 'Week'),
  schoolId: field(Id.nullable().optional(), '学校', 'School'),
  deptId: field(Id.nullable().optional(), '部门', 'Department'),
})
export type OwnerWeek = z.output<typeof OwnerWeek>

/** Candidates for a shift; the most rested first. */
export const FreePerson = z.strictObject({
  employeeId: field(Id, '人员', 'Person'),
  name: field(z.string(), '姓名', 'Name'),
  /** Hours since the last shift; null without one in the last days. */
  restHours: field(z.number().nullable(), '已休息（小时）', 'Hours of rest'),
})
export type FreePerson = z.output<typeof FreePerson>

export const MyShift = ShiftRow.extend({
  equipment: field(z.array(Equipment), '装备', 'Equipment'),
  previousName: field(z.string().nullable(), '交班人', 'Who hands over'),
})
export type MyShift = z.output<typeof MyShift>

const call = (verb: string) => ({ kind: 'json', permission: `security:shift:${verb}`, scope: 'school' }) as const

export const shifts = {
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/security/shift/page',
    summary: '班次分页',
    summaryEn: 'Shifts, by page',
    query: ShiftQuery,
    data: page(ShiftRow),
  }),
  calendar: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/security/shift/calendar',
    summary: '排班日历：岗位与班次',
    summaryEn: 'Duty calendar: posts and their shifts',
    query: CalendarQuery,
    data: z.strictObject({ posts: z.array(CalendarPost), shifts: z.array(ShiftRow), hasMorePosts: z.boolean() }),
  }),
  mine: endpoint({
    ...call('check-in'),
    method: 'GET',
    path: '/security/shift/mine',
    summary: '我的班次：当前与之后七天',
    summaryEn: 'My shifts: the present one and those of seven days',
    data: z.array(MyShift),
  }),
  free: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/security/shift/free',
    summary: '可替班的人员，按休息时间排序',
    summaryEn: 'People who could take a shift, by rest',
    query: z.strictObject({
      postId: field(queryId, '岗位', 'Post'),
      fromAt: field(queryDate, '开始', 'From'),
      toAt: field(queryDate, '结束', 'To'),
    }),
    data: z.array(FreePerson),
  }),
  create: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/security/shift/create',
    summary: '新增班次',
    summaryEn: 'Plan a shift',
    body: ShiftDraft,
    data: Id,
  }),
  update: endpoint({
    ...call('update'),
    method: 'PUT',
    path: '/security/shift/update',
    summary: '移动或修改班次',
    summaryEn: 'Move or change a planned shift',
    body: ShiftEdit,
    data: z.literal(true),
  }),
  delete: endpoint({
    ...call('update'),
    method: 'DELETE',
    path: '/security/shift/delete',
    summary: '删除未开始的班次',
    summaryEn: 'Delete a shift that has not begun',
    query: ById,
    data: z.literal(true),
  }),
  copyWeek: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/security/shift/copy-week',
    summary: '复制一个单位上一周的排班',
    summaryEn: 'Copy the shifts of a school or department from the week before',
    body: OwnerWeek,
    data: z.strictObject({ created: z.int(), skipped: z.int() }),
  }),
  fillWeek: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/security/shift/fill-week',
    summary: '按岗位时段轮流排一周',
    summaryEn: 'Plan a week of a post by its hours, people in turn',
    body: z.strictObject({
      week: field(Millis, '周', 'Week'),
      postId: field(Id, '岗位', 'Post'),
      employeeIds: field(z.array(Id).min(1).max(50), '人员', 'People'),
    }),
    data: z.strictObject({ created: z.int(), skipped: z.int() }),
  }),
  publish: endpoint({
    ...call('publish'),
    method: 'POST',
    path: '/security/shift/publish',
    summary: '发布一个单位一周的排班',
    summaryEn: 'Publish the shifts of a school or department for a week',
    body: OwnerWeek.extend({
      reason: field(z.string().trim().max(200).optional(), '缺口说明', 'Why gaps remain'),
    }),
    data: z.int(),
  }),
  checkIn: endpoint({
    ...call('check-in'),
    method: 'POST',
    path: '/security/shift/check-in',
    summary: '上岗签到：扫码、定位或补签',
    summaryEn: 'Check in by QR code, position or hand',
    body: CheckIn,
    data: z.literal(true),
  }),
  checkOut: endpoint({
    ...call('check-in'),
    method: 'POST',
    path: '/security/shift/check-out',
    summary: '下班；提前离岗须填原因',
    summaryEn: 'End the shift; leaving early needs a reason',
    body: ShiftRef.extend({ reason: field(z.string().trim().max(200).optional(), '原因', 'Reason') }),
    data: z.literal(true),
  }),
  excuse: endpoint({
    ...call('update'),
    method: 'POST',
    path: '/security/shift/excuse',
    summary: '请假：班次记为缺岗',
    summaryEn: 'Record an absence with its reason',
    body: ShiftRef.extend({ reason }),
    data: z.literal(true),
  }),
  standIn: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/security/shift/stand-in',
    summary: '为缺岗的班次安排替班',
    summaryEn: 'Let somebody stand in for an absent person',
    body: z.strictObject({
      shiftId: field(Id, '班次', 'Shift'),
      employeeId: field(Id, '替班人', 'Stand-in'),
    }),
    data: Id,
  }),
  ...exportEndpoints({
    permission: 'security:shift:export',
    scope: 'school',
    path: '/security/shift',
    title: '班次',
    titleEn: 'Shifts',
    query: ShiftQuery,
  }),
}
