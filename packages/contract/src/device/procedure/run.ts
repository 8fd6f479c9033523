import { z } from 'zod'
import { Id, Millis, queryBool, queryId, queryList } from '../../codecs.ts'
import { field } from '../../field.ts'
import { attachmentDrafts, attachmentList } from '../../files/attachment.ts'
import { PageQuery, sortable } from '../../page.ts'
import { procedureKinds, ProcedureStep, workKinds } from './procedure.ts'
import { runStates } from './procedure-machine.ts'

/** One use of a published version: of a response plan for an alarm, or of a work procedure at a device. */
export const ProcedureRun = z.strictObject({
  id: field(Id, '编号', 'Id'),
  kind: field(z.enum(procedureKinds), '种类', 'Kind'),
  procedureId: field(Id, '规程', 'Procedure'),
  versionId: field(Id, '版本', 'Version'),
  recordId: field(Id.nullable(), '警情', 'Alarm'),
  deviceId: field(Id.nullable(), '设备', 'Device'),
  orderId: field(Id.nullable(), '维修工单', 'Maintenance order'),
  schoolId: field(Id.nullable(), '学校', 'School'),
  deptId: field(Id, '所属部门', 'Department'),
  state: field(z.enum(runStates), '状态', 'State'),
  reason: field(z.string().nullable(), '原因', 'Reason'),
  startedBy: field(Id.nullable(), '执行人', 'Started by'),
  startedAt: field(Millis, '开始', 'Started'),
  endedAt: field(Millis.nullable(), '结束', 'Ended'),
  version: field(z.int(), '版本', 'Version'),
})
export type ProcedureRun = z.output<typeof ProcedureRun>

export const stepStates = ['DONE', 'SKIPPED', 'FAILED'] as const
export type StepState = (typeof stepStates)[number]

/** A step without a row is open. */
export const ProcedureRunStep = z.strictObject({
  id: Id,
  runId: Id,
  no: field(z.int(), '序号', 'No.'),
  state: field(z.enum(stepStates), '状态', 'State'),
  userId: Id.nullable(),
  userName: field(z.string(), '执行人', 'By'),
  at: field(Millis, '时间', 'Time'),
  reading: field(z.number().nullable(), '读数', 'Reading'),
  scan: field(z.string().nullable(), '扫码', 'Scan'),
  note: field(z.string().nullable(), '说明', 'Note'),
})
export type ProcedureRunStep = z.output<typeof ProcedureRunStep>

export const RunRow = ProcedureRun.extend({
  name: field(z.string(), '名称', 'Name (Chinese)'),
  nameEn: field(z.string(), '英文名称', 'Name (English)'),
  versionNo: field(z.int(), '版本', 'Version'),
  work: field(z.enum(workKinds).nullable(), '作业', 'Work'),
  sn: field(z.string().nullable(), '设备序列号', 'Serial number'),
  recordNo: field(z.string().nullable(), '警情编号', 'Alarm no.'),
  schoolName: field(z.string().nullable(), '学校', 'School'),
  startedByName: field(z.string().nullable(), '执行人', 'Started by'),
  stepCount: field(z.int(), '步骤', 'Steps'),
  doneCount: field(z.int(), '已完成', 'Done'),
})
export type RunRow = z.output<typeof RunRow>

export const RunDetail = RunRow.extend({
  placePath: field(z.string().nullable(), '位置', 'Place'),
  steps: z.array(ProcedureStep.extend({ result: ProcedureRunStep.extend({ attachments: attachmentList }).nullable() })),
})
export type RunDetail = z.output<typeof RunDetail>

export const RunQuery = PageQuery.extend({
  procedureId: field(queryId.optional(), '规程', 'Procedure'),
  deviceId: field(queryId.optional(), '设备', 'Device'),
  orderId: field(queryId.optional(), '维修工单', 'Maintenance order'),
  state: field(queryList(runStates).optional(), '状态', 'State'),
  mine: field(queryBool.optional(), '我的', 'Mine'),
  orderBy: sortable(['startedAt', 'endedAt']),
})
export type RunQuery = z.output<typeof RunQuery>

export const RunStart = z.strictObject({
  procedureId: field(Id, '规程', 'Procedure'),
  deviceId: field(Id, '设备', 'Device'),
  orderId: field(Id.nullable().optional(), '维修工单', 'Maintenance order'),
})
export type RunStart = z.output<typeof RunStart>

/** A work procedure that can be started now. */
export const WorkChoice = z.strictObject({
  id: Id,
  name: z.string(),
  nameEn: z.string(),
  work: z.enum(workKinds),
  stepCount: z.int(),
})
export type WorkChoice = z.output<typeof WorkChoice>

const value = { id: field(Id, '编号', 'Id'), version: field(z.int(), '版本', 'Version') }
export const RunStepDraft = z.strictObject({
  ...value,
  no: field(z.int().min(1).max(30), '序号', 'No.'),
  reading: field(z.number().min(-1e6).max(1e6).nullable().optional(), '读数', 'Reading'),
  scan: field(z.string().trim().min(1).max(100).nullable().optional(), '扫码', 'Scan'),
  note: field(z.string().trim().max(500).nullable().optional(), '说明', 'Note'),
  attachments: attachmentDrafts,
})
export type RunStepDraft = z.output<typeof RunStepDraft>

export const RunFinish = z.strictObject(value)
export const RunReason = z.strictObject({
  ...value,
  reason: field(z.string().trim().min(1).max(200), '原因', 'Reason'),
})
