import { z } from 'zod'
import { auditFields } from '../audit-fields.ts'
import { Id, Millis, queryBool, queryId, queryList } from '../codecs.ts'
import { field } from '../field.ts'
import { attachmentDrafts, attachmentList } from '../files/attachment.ts'
import { PageQuery, sortable } from '../page.ts'
import { keywordText } from '../text-fields.ts'
import { maintenanceStates, maintenanceVerbs } from './maintenance-machine.ts'

export const maintenanceCauses = [
  'FAULT',
  'LOW_BATTERY',
  'OFFLINE',
  'TEST_FAILED',
  'TEST_OVERDUE',
  'READINESS',
  'MANUAL',
] as const
export type MaintenanceCause = (typeof maintenanceCauses)[number]

export const maintenancePriorities = ['HIGH', 'NORMAL', 'LOW'] as const
export type MaintenancePriority = (typeof maintenancePriorities)[number]

/** When the work is due if the draft has no date. */
export const dueHours: Record<MaintenancePriority, number> = { HIGH: 24, NORMAL: 72, LOW: 168 }

/** Limits from which the server opens an order by itself. */
export const OFFLINE_HOURS = 24
export const LOW_BATTERY_PCT = 20
/** A battery that ends sooner gets an order while it is not low yet. */
export const BATTERY_ORDER_DAYS = 14
/** Days after a button test was due. A school that tests a little late gets no order for each of its buttons. */
export const TEST_OVERDUE_DAYS = 7

/** Entries of the log beside those of the verbs: the opening, a new device at the place, the end of the cause. */
const logOnlyVerbs = ['create', 'exchange', 'recover'] as const

export const MaintenanceOrder = z.strictObject({
  id: field(Id, '编号', 'Id'),
  no: field(z.string(), '工单', 'Order'),
  deviceId: field(Id, '设备', 'Device'),
  /** The installation of the device when the order was opened. */
  schoolDeviceId: field(Id.nullable(), '安装', 'Installation'),
  schoolId: field(Id.nullable(), '学校', 'School'),
  deptId: field(Id, '所属部门', 'Department'),
  placePath: field(z.string().nullable(), '位置', 'Place'),
  cause: field(z.enum(maintenanceCauses), '原因', 'Cause'),
  priority: field(z.enum(maintenancePriorities), '优先', 'Priority'),
  state: field(z.enum(maintenanceStates), '状态', 'State'),
  description: field(z.string().nullable(), '说明', 'Description'),
  assigneeId: field(Id.nullable(), '负责人', 'Assignee'),
  dueAt: field(Millis, '到期', 'Due'),
  finishedBy: field(Id.nullable(), '完工人', 'Finished by'),
  finishedAt: field(Millis.nullable(), '完工时间', 'Finished'),
  result: field(z.string().nullable(), '处理结果', 'Result'),
  parts: field(z.string().nullable(), '更换部件', 'Parts'),
  verifiedBy: field(Id.nullable(), '验收人', 'Verified by'),
  verifiedAt: field(Millis.nullable(), '验收时间', 'Verified'),
  reopenCount: field(z.int(), '返修次数', 'Times reopened'),
  ...auditFields,
})
export type MaintenanceOrder = z.output<typeof MaintenanceOrder>

export const MaintenanceRow = MaintenanceOrder.extend({
  sn: field(z.string(), '设备序列号', 'Serial number'),
  modelName: field(z.string(), '型号', 'Model'),
  schoolName: field(z.string().nullable(), '学校', 'School'),
  districtName: field(z.string().nullable(), '区县', 'District'),
  assigneeName: field(z.string().nullable(), '负责人', 'Assignee'),
  finishedByName: field(z.string().nullable(), '完工人', 'Finished by'),
  verifiedByName: field(z.string().nullable(), '验收人', 'Verified by'),
  /** From the opening to the finished work. */
  repairHours: field(z.number().nullable(), '修复用时（小时）', 'Hours to repair'),
  /** The due date has passed and the work is not finished. */
  overdue: field(z.boolean(), '逾期', 'Overdue'),
})
export type MaintenanceRow = z.output<typeof MaintenanceRow>

export const MaintenanceLogEntry = z.strictObject({
  id: Id,
  orderId: Id,
  at: field(Millis, '时间', 'Time'),
  /** Null: the server itself. */
  userId: Id.nullable(),
  verb: field(z.enum([...maintenanceVerbs, ...logOnlyVerbs]), '操作', 'Operation'),
  fromState: field(z.enum(maintenanceStates).nullable(), '原状态', 'From'),
  toState: field(z.enum(maintenanceStates), '状态', 'State'),
  assigneeName: field(z.string().nullable(), '负责人', 'Assignee'),
  note: field(z.string().nullable(), '说明', 'Note'),
})
export type MaintenanceLogEntry = z.output<typeof MaintenanceLogEntry>

export const MaintenanceDetail = MaintenanceRow.extend({
  log: field(
    z.array(
      MaintenanceLogEntry.extend({
        userName: z.string().nullable(),
        userAccount: z.string().nullable(),
        attachments: attachmentList,
      }),
    ),
    '时间线',
    'Timeline',
  ),
})
export type MaintenanceDetail = z.output<typeof MaintenanceDetail>

const noteText = z.string().trim().max(500)

export const MaintenanceDraft = z.strictObject({
  deviceId: field(Id, '设备', 'Device'),
  cause: field(z.enum(maintenanceCauses), '原因', 'Cause'),
  priority: field(z.enum(maintenancePriorities), '优先', 'Priority'),
  description: field(noteText.nullable(), '说明', 'Description'),
  dueAt: field(Millis.nullable().optional(), '到期', 'Due'),
  assigneeId: field(Id.nullable().optional(), '负责人', 'Assignee'),
  attachments: attachmentDrafts,
})
export type MaintenanceDraft = z.output<typeof MaintenanceDraft>

const value = { id: field(Id, '编号', 'Id'), version: field(z.int(), '版本', 'Version') }
export const MaintenanceNote = z.strictObject({
  ...value,
  note: field(noteText.min(1), '说明', 'Note'),
  attachments: attachmentDrafts,
})
/** A step whose note can be left out. */
export const MaintenanceStep = MaintenanceNote.extend({
  note: field(noteText.nullable().optional(), '说明', 'Note'),
})
export const MaintenanceReason = z.strictObject({ ...value, reason: field(noteText.min(1), '原因', 'Reason') })
export const MaintenanceAssignment = z.strictObject({
  ...value,
  assigneeId: field(Id, '负责人', 'Assignee'),
  dueAt: field(Millis.nullable().optional(), '到期', 'Due'),
  note: field(noteText.nullable().optional(), '说明', 'Note'),
})
export const MaintenanceWork = z.strictObject({
  ...value,
  result: field(noteText.min(1), '处理结果', 'Result'),
  parts: field(noteText.nullable().optional(), '更换部件', 'Parts'),
  attachments: attachmentDrafts,
})

/** A new device in the place of the broken one; the order keeps the old device. */
export const MaintenanceExchange = z.strictObject({
  ...value,
  sn: field(z.string().trim().min(1).max(40), '新设备序列号', 'Serial number of the new device'),
  attachments: attachmentDrafts,
})
export type MaintenanceExchange = z.output<typeof MaintenanceExchange>

/** Orders that the reader sees: unfinished ones, and the work of the last 30 days. */
export const MaintenanceFigures = z.strictObject({
  open: field(z.int(), '未完成', 'Open'),
  overdue: field(z.int(), '逾期', 'Overdue'),
  finished: field(z.int(), '近 30 天完工', 'Finished in 30 days'),
  /** Mean hours from the opening to the finished work. */
  repairHours: field(z.number().nullable(), '平均修复时间（小时）', 'Mean time to repair (h)'),
  reopened: field(z.int(), '近 30 天返修', 'Reopened in 30 days'),
})
export type MaintenanceFigures = z.output<typeof MaintenanceFigures>

export const MaintenanceQuery = PageQuery.extend({
  keyword: field(keywordText(40).optional(), '工单或序列号', 'Order or serial number'),
  schoolId: field(queryId.optional(), '学校', 'School'),
  deviceId: field(queryId.optional(), '设备', 'Device'),
  state: field(queryList(maintenanceStates).optional(), '状态', 'State'),
  cause: field(queryList(maintenanceCauses).optional(), '原因', 'Cause'),
  priority: field(queryList(maintenancePriorities).optional(), '优先', 'Priority'),
  mine: field(queryBool.optional(), '我的', 'Mine'),
  overdue: field(queryBool.optional(), '逾期', 'Overdue'),
  /** Unfinished orders by district, school and place, as they are visited. */
  route: field(queryBool.optional(), '路线', 'Route'),
  orderBy: sortable(['no', 'priority', 'state', 'schoolName', 'dueAt', 'createTime']),
})
export type MaintenanceQuery = z.output<typeof MaintenanceQuery>
