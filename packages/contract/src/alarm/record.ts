import { z } from 'zod'
import { Id, Millis, queryBool, queryDate, queryId, queryList } from '../codecs.ts'
import { field } from '../field.ts'
import { PageQuery, sortable } from '../page.ts'
import { dispositions, modes, recordStates, type TimerStep } from './state-machine.ts'
import { warnClasses } from './rule.ts'

const at = (zh: string, en: string) => field(Millis.nullable(), zh, en)

/** An alarm as operators handle it (domain 2.4). Place fields are a snapshot, so old alarms keep their old place. */
export const WarnRecord = z.strictObject({
  id: field(Id, '编号', 'Id'),
  no: field(z.string(), '警情编号', 'Alarm no.'),
  ruleId: field(Id.nullable(), '规则', 'Rule'),
  ruleVersion: z.int().nullable(),
  class: field(z.enum(warnClasses), '类别', 'Class'),
  code: field(z.string(), '代码', 'Code'),
  level: field(z.int(), '级别', 'Level'),
  validation: field(z.int().nullable(), '核实', 'Verification'),
  mode: field(z.enum(modes), '模式', 'Mode'),
  /** The press that an installation expects before it is accepted: it does not ring and ends with the acceptance. */
  commissioning: field(z.boolean(), '调试', 'Commissioning'),
  /** The button test that expected the press; the record ends with its window. */
  testPlanId: field(Id.nullable(), '按键测试', 'Button test'),
  state: field(z.enum(recordStates), '状态', 'State'),
  open: z.boolean(),
  epoch: z.int(),
  condition: field(z.enum(['ACTIVE', 'RECOVERED']), '按钮状态', 'Button state'),
  deviceId: field(Id.nullable(), '设备', 'Device'),
  schoolDeviceId: Id.nullable(),
  schoolId: field(Id.nullable(), '学校', 'School'),
  deptId: Id,
  placeId: Id.nullable(),
  schoolName: field(z.string().nullable(), '学校', 'School'),
  building: field(z.string().nullable(), '楼栋', 'Building'),
  floor: field(z.string().nullable(), '楼层', 'Floor'),
  room: field(z.string().nullable(), '房间', 'Room'),
  placePath: field(z.string().nullable(), '位置', 'Place'),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  silent: field(z.boolean(), '静默', 'Silent'),
  late: field(z.boolean(), '迟到', 'Late'),
  duress: field(z.boolean(), '胁迫', 'Duress'),
  presserCancelled: field(z.boolean(), '现场已取消', 'Cancelled on site'),
  occurrenceCount: field(z.int(), '信号次数', 'Signals'),
  pressCount: field(z.int(), '按压次数', 'Presses'),
  firstAt: field(Millis, '首次时间', 'First'),
  lastAt: field(Millis, '最近时间', 'Last'),
  ownerId: field(Id.nullable(), '处理人', 'Owner'),
  leaseUntil: at('接警有效至', 'Claim valid until'),
  lastOwnerId: Id.nullable(),
  falseBy: field(Id.nullable(), '误报提出人', 'Marked as false alarm by'),
  resetAt: at('设备复位时间', 'Device reset'),
  resolverId: field(Id.nullable(), '处置人', 'Resolved by'),
  disposition: field(z.enum(dispositions).nullable(), '处置结果', 'Disposition'),
  causeCode: field(z.string().nullable(), '原因', 'Cause'),
  note: field(z.string().nullable(), '说明', 'Note'),
  mergedIntoId: field(Id.nullable(), '并入', 'Merged into'),
  sampled: field(z.boolean(), '质量抽查', 'Quality check'),
  linkedRecordId: field(Id.nullable(), '关联警情', 'Linked alarm'),
  shelvedUntil: at('搁置至', 'Shelved until'),
  receivedAt: field(Millis, '接收时间', 'Received'),
  displayedAt: at('显示时间', 'Displayed'),
  soundedAt: at('响铃时间', 'Sounded'),
  claimedAt: at('接警时间', 'Claimed'),
  verifiedAt: at('核实时间', 'Verified'),
  dispatchedAt: at('派人时间', 'Sent'),
  onSiteAt: at('到场时间', 'On scene'),
  escalatedAt: at('转警方时间', 'Handed to police'),
  resolvedAt: at('处置完成时间', 'Resolved'),
  closedAt: at('结案时间', 'Closed'),
  version: field(z.int(), '版本', 'Version'),
})
export type WarnRecord = z.output<typeof WarnRecord>

/** A record for lists and the desk. */
export const WarnRecordRow = WarnRecord.extend({
  sn: field(z.string().nullable(), '设备序列号', 'Serial number'),
  ownerName: field(z.string().nullable(), '处理人', 'Owner'),
  lastOwnerName: z.string().nullable(),
  falseByName: z.string().nullable(),
  resolverName: field(z.string().nullable(), '处置人', 'Resolved by'),
  ruleName: field(z.string().nullable(), '规则', 'Rule'),
  placeSensitivity: z.enum(['NORMAL', 'PRIVATE']).nullable(),
})
export type WarnRecordRow = z.output<typeof WarnRecordRow>

/** Steps with a limit: claim, first action, call to the police, arrival, end. */
export const limitSteps = ['T1', 'T2', 'T3', 'T4', 'T5'] as const satisfies TimerStep[]
export type LimitStep = (typeof limitSteps)[number]

/** What must be done next, until when, and how long the limit is. `dueAt` of the past: the limit is exceeded. */
export const NextLimit = z.strictObject({
  step: field(z.enum(limitSteps), '时限', 'Limit'),
  dueAt: field(Millis, '到期时间', 'Due'),
  seconds: field(z.int(), '时限（秒）', 'Limit (s)'),
})
export type NextLimit = z.output<typeof NextLimit>

/** A record of the open queue with the limit that ends first; null: none runs. */
export const DeskRow = WarnRecordRow.extend({ limit: NextLimit.nullable() })
export type DeskRow = z.output<typeof DeskRow>

export const RecordQuery = PageQuery.extend({
  keyword: field(z.string().max(64).optional(), '编号、学校、位置或序列号', 'No., school, place or serial'),
  state: field(queryList(recordStates).optional(), '状态', 'State'),
  level: field(queryList(['1', '2', '3', '4']).optional(), '级别', 'Level'),
  class: field(queryList(warnClasses).optional(), '类别', 'Class'),
  mode: field(queryList(modes).optional(), '模式', 'Mode'),
  schoolId: field(queryId.optional(), '学校', 'School'),
  deviceId: field(queryId.optional(), '设备', 'Device'),
  /** Sampled for a lead's review when it was closed. */
  sampled: field(queryBool.optional(), '质量抽查', 'Quality check'),
  /** Ended with the result of a false alarm. */
  falseAlarm: field(queryBool.optional(), '误报', 'False alarm'),
  open: field(queryBool.optional(), '未结', 'Open'),
  /** Continues an alarm that was closed too long ago to be reopened: it had no signal, and figures do not count it. */
  continued: field(queryBool.optional(), '续办', 'Continues a closed alarm'),
  /** With all departments below it. */
  deptId: field(queryId.optional(), '部门', 'Department'),
  /** Default: the last 7 days, for open alarms without a limit; at most 92 (DESIGN 7). */
  from: field(queryDate.optional(), '开始时间', 'From'),
  to: field(queryDate.optional(), '结束时间', 'To'),
  orderBy: sortable(['firstAt', 'level', 'state']),
})
export type RecordQuery = z.output<typeof RecordQuery>

/** One signal of a record, for example a press. */
export const Occurrence = z.strictObject({
  id: Id,
  eventId: z.string(),
  code: field(z.string(), '代码', 'Code'),
  mode: z.enum(modes),
  occurredAt: field(Millis, '发生时间', 'Occurred'),
  receivedAt: field(Millis, '接收时间', 'Received'),
  skewMs: z.int().nullable(),
  late: z.boolean(),
  zone: field(z.string().nullable(), '防区', 'Zone'),
  pressCount: z.int().nullable(),
  via: z.enum(['MQTT', 'HTTP', 'SERVER']),
  /** Values beyond the columns; values of a message part under `part.name`. */
  said: field(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])), '内容', 'Content'),
  /** The bytes of a message that could not be parsed (domain 3.4), as text or as hexadecimal pairs. */
  raw: z.string().nullable(),
})
export type Occurrence = z.output<typeof Occurrence>

/** When one desk displayed and sounded the record. */
export const DisplayReceipt = z.strictObject({
  userId: Id,
  userName: z.string(),
  sessionId: Id,
  displayedAt: Millis.nullable(),
  soundedAt: Millis.nullable(),
})
