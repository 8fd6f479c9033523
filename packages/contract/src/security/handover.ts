import { z } from 'zod'
import { auditFields } from '../audit-fields.ts'
import { Id, Millis, queryDate, queryId, queryList } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'
import { handoverStates } from './handover-machine.ts'

export const handoverItemKinds = ['RECORD', 'SHELVED', 'TASK', 'FAULT', 'OFFLINE', 'GAP'] as const
export type HandoverItemKind = (typeof handoverItemKinds)[number]
/** Of each kind at most so many are listed; `count` has them all. */
export const MAX_HANDOVER_ITEMS = 50

/** One thing that the next person must know of. */
export const HandoverItem = z.strictObject({
  kind: field(z.enum(handoverItemKinds), '类别', 'Kind'),
  /** Of the alarm, task, order or device; null for a gap. */
  refId: Id.nullable(),
  /** Number of the alarm or order, or serial number of the device. */
  no: field(z.string(), '编号', 'No.'),
  level: field(z.int().nullable(), '级别', 'Level'),
  schoolName: field(z.string().nullable(), '学校', 'School'),
  place: field(z.string().nullable(), '位置', 'Place'),
  at: field(Millis, '开始时间', 'Since'),
  until: field(Millis.nullable(), '至', 'Until'),
  ownerName: field(z.string().nullable(), '负责人', 'Owner'),
  /** An open alarm that nobody has, or only the person who leaves. */
  needsOwner: field(z.boolean(), '无人负责', 'Without an owner'),
})
export type HandoverItem = z.output<typeof HandoverItem>

export const HandoverSummary = z.strictObject({
  at: field(Millis, '生成时间', 'As of'),
  lacking: field(z.int(), '无人负责', 'Without an owner'),
  counts: z.array(z.strictObject({ kind: z.enum(handoverItemKinds), count: z.int() })),
  items: field(z.array(HandoverItem), '清单', 'List'),
})
export type HandoverSummary = z.output<typeof HandoverSummary>

const MAX_NOTE = 500
const note = field(z.string().trim().max(MAX_NOTE).nullable(), '备注', 'Note')

/** One person leaves, another takes over; of a school or of a department such as a command centre. */
export const Handover = z.strictObject({
  id: field(Id, '编号', 'Id'),
  schoolId: field(Id.nullable(), '学校', 'School'),
  deptId: field(Id.nullable(), '部门', 'Department'),
  state: field(z.enum(handoverStates), '状态', 'State'),
  giverId: field(Id, '交班人', 'Hands over'),
  takerId: field(Id.nullable(), '接班人', 'Takes over'),
  note: field(z.string().nullable(), '备注', 'Note'),
  takerNote: field(z.string().nullable(), '接班备注', 'Note of who takes over'),
  givenAt: field(Millis.nullable(), '交班时间', 'Handed over'),
  takenAt: field(Millis.nullable(), '接班时间', 'Taken over'),
  /** As it was when the second person signed. */
  summary: field(HandoverSummary.nullable(), '清单', 'List'),
  ...auditFields,
})
export type Handover = z.output<typeof Handover>

const names = {
  ownerName: field(z.string(), '单位', 'Unit'),
  giverName: field(z.string(), '交班人', 'Hands over'),
  takerName: field(z.string().nullable(), '接班人', 'Takes over'),
  isGiver: field(z.boolean(), '本人交班', 'My handover'),
}
export const HandoverRow = Handover.omit({ summary: true }).extend(names)
export type HandoverRow = z.output<typeof HandoverRow>

/** With the list as it is now, or as both signed it. */
export const HandoverDetail = HandoverRow.extend({ summary: HandoverSummary })
export type HandoverDetail = z.output<typeof HandoverDetail>

export const HandoverDraft = z.strictObject({
  schoolId: field(Id.nullable(), '学校', 'School'),
  deptId: field(Id.nullable(), '部门', 'Department'),
  note: note.optional(),
})
export type HandoverDraft = z.output<typeof HandoverDraft>

export const HandoverQuery = PageQuery.extend({
  state: field(queryList(handoverStates).optional(), '状态', 'State'),
  schoolId: field(queryId.optional(), '学校', 'School'),
  from: field(queryDate.optional(), '开始日期', 'From'),
  to: field(queryDate.optional(), '结束日期', 'To'),
  orderBy: sortable(['ownerName', 'state', 'givenAt', 'takenAt']),
})
export type HandoverQuery = z.output<typeof HandoverQuery>

/** For which school or department the caller can hand over; where he is on duty first. */
export const HandoverUnit = z.strictObject({
  schoolId: field(Id.nullable(), '学校', 'School'),
  deptId: field(Id.nullable(), '部门', 'Department'),
  name: field(z.string(), '单位', 'Unit'),
  isOnDuty: field(z.boolean(), '在岗', 'On duty'),
})
export type HandoverUnit = z.output<typeof HandoverUnit>

/** Who sits at a desk now. */
export const DeskSeat = z.strictObject({
  shiftId: field(Id, '班次', 'Shift'),
  postName: field(z.string(), '席位', 'Seat'),
  ownerName: field(z.string(), '单位', 'Unit'),
  employeeName: field(z.string(), '人员', 'Person'),
  checkedInAt: field(Millis.nullable(), '上岗时间', 'Checked in'),
  toAt: field(Millis, '结束', 'To'),
  /** Whether the person has a session that was used in the last minutes. */
  isOnline: field(z.boolean(), '在线', 'Online'),
})
export type DeskSeat = z.output<typeof DeskSeat>

const Ref = z.strictObject({
  id: field(Id, '编号', 'Id'),
  version: field(z.int().optional(), '版本', 'Version'),
})

const call = (verb: 'query' | 'sign') =>
  ({ kind: 'json', permission: `security:handover:${verb}`, scope: 'school' }) as const

export const handovers = {
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/security/handover/page',
    summary: '交接班分页',
    summaryEn: 'Handovers, by page',
    query: HandoverQuery,
    data: page(HandoverRow),
  }),
  get: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/security/handover/get',
    summary: '交接班详情与清单',
    summaryEn: 'One handover with its list',
    query: ById,
    data: HandoverDetail,
  }),
  units: endpoint({
    ...call('sign'),
    method: 'GET',
    path: '/security/handover/units',
    summary: '可以交班的单位',
    summaryEn: 'Units that the caller can hand over',
    data: z.array(HandoverUnit),
  }),
  seats: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/security/handover/seats',
    summary: '当前在席人员',
    summaryEn: 'People at the desks now',
    data: z.array(DeskSeat),
  }),
  create: endpoint({
    ...call('sign'),
    method: 'POST',
    path: '/security/handover/create',
    summary: '开始交班',
    summaryEn: 'Begin a handover',
    body: HandoverDraft,
    data: Id,
  }),
  note: endpoint({
    ...call('sign'),
    method: 'POST',
    path: '/security/handover/note',
    summary: '修改交班备注',
    summaryEn: 'Change the note of a handover',
    body: Ref.extend({ note }),
    data: z.literal(true),
  }),
  give: endpoint({
    ...call('sign'),
    method: 'POST',
    path: '/security/handover/give',
    summary: '交班签字',
    summaryEn: 'Sign as the person who leaves',
    body: Ref,
    data: z.literal(true),
  }),
  take: endpoint({
    ...call('sign'),
    method: 'POST',
    path: '/security/handover/take',
    summary: '接班签字',
    summaryEn: 'Sign as the person who takes over',
    body: Ref.extend({ note: note.optional() }),
    data: z.literal(true),
  }),
  cancel: endpoint({
    ...call('sign'),
    method: 'POST',
    path: '/security/handover/cancel',
    summary: '取消交班',
    summaryEn: 'Cancel a handover',
    body: Ref,
    data: z.literal(true),
  }),
  ...exportEndpoints({
    permission: 'security:handover:export',
    scope: 'school',
    path: '/security/handover',
    title: '交接班',
    titleEn: 'Handovers',
    query: HandoverQuery,
  }),
}
