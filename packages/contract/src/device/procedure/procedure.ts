import { z } from 'zod'
import { warnClasses } from '../../alarm-class.ts'
import { auditFields } from '../../audit-fields.ts'
import { Id, Millis, queryId, queryList } from '../../codecs.ts'
import { field } from '../../field.ts'
import { PageQuery, sortable } from '../../page.ts'
import { placeKinds } from '../../school/place.ts'
import { keywordText, nameText } from '../../text-fields.ts'
import { callees } from './callee.ts'
import { procedureStatuses } from './procedure-machine.ts'

/** The third kind, programs, are packages with rollouts. */
export const procedureKinds = ['RESPONSE', 'WORK'] as const
export type ProcedureKind = (typeof procedureKinds)[number]

export const workKinds = ['INSTALL', 'ACCEPT', 'INSPECT', 'BATTERY', 'REPAIR', 'RETIRE'] as const
export type WorkKind = (typeof workKinds)[number]

export const stepRoles = ['OPERATOR', 'GUARD', 'SAFETY_OFFICER', 'TEACHER', 'LEAD', 'POLICE', 'MAINTAINER'] as const
export type StepRole = (typeof stepRoles)[number]
export const stepActions = ['NONE', 'CALL', 'MESSAGE', 'SIREN'] as const
export type StepAction = (typeof stepActions)[number]
export const stepEvidences = ['NONE', 'PHOTO', 'SCAN', 'READING'] as const
export type StepEvidence = (typeof stepEvidences)[number]

export const MAX_STEPS = 30
const MAX_TARGET_SEC = 7200

const stepText = z.string().trim().min(1).max(200)
export const ProcedureStep = z.strictObject({
  text: field(stepText, '步骤', 'Step (Chinese)'),
  textEn: field(stepText, '步骤（英文）', 'Step (English)'),
  role: field(z.enum(stepRoles), '角色', 'Role'),
  targetSec: field(z.int().min(1).max(MAX_TARGET_SEC).nullable(), '目标（秒）', 'Target (s)'),
  action: field(z.enum(stepActions), '动作', 'Action'),
  /** Whom a CALL dials; null for other actions, and for plans of before that named nobody. */
  callee: field(z.enum(callees).nullable(), '拨打对象', 'Whom to call'),
  mandatory: field(z.boolean(), '必做', 'Mandatory'),
  evidence: field(z.enum(stepEvidences), '凭证', 'Evidence'),
  unit: field(z.string().trim().max(10).nullable(), '单位', 'Unit'),
  min: field(z.number().min(-1e6).max(1e6).nullable(), '下限', 'Lower limit'),
  max: field(z.number().min(-1e6).max(1e6).nullable(), '上限', 'Upper limit'),
})
export type ProcedureStep = z.output<typeof ProcedureStep>

/** A step to save names whom it calls; nobody can be reached by a step that does not call. */
const ProcedureStepDraft = ProcedureStep.superRefine(({ action, callee }, context) => {
  if ((action === 'CALL') === (callee !== null)) return
  const rule = action === 'CALL' ? 'required' : 'choice'
  context.addIssue({ code: 'custom', path: ['callee'], params: { rule } })
})

/** What a version freezes. Empty levels or kinds of place stand for all of them. */
const content = {
  name: field(z.string(), '名称', 'Name (Chinese)'),
  nameEn: field(z.string(), '英文名称', 'Name (English)'),
  class: field(z.enum(warnClasses).nullable(), '警情类别', 'Alarm class'),
  levels: field(z.array(z.int()), '级别', 'Levels'),
  placeKinds: field(z.array(z.enum(placeKinds)), '位置类型', 'Kinds of place'),
  /** Minutes of the day; both null: all day. An end that is not after the start is on the next day. */
  fromMin: field(z.int().nullable(), '时段开始', 'From'),
  toMin: field(z.int().nullable(), '时段结束', 'Until'),
  work: field(z.enum(workKinds).nullable(), '作业', 'Work'),
  steps: field(z.array(ProcedureStep), '步骤', 'Steps'),
}

/** The row holds the draft; versions hold what was published. */
export const Procedure = z.strictObject({
  id: field(Id, '编号', 'Id'),
  kind: field(z.enum(procedureKinds), '种类', 'Kind'),
  ...content,
  status: field(z.enum(procedureStatuses), '状态', 'Status'),
  /** The newest published version; null: none yet. */
  versionNo: field(z.int().nullable(), '版本', 'Version'),
  /** The draft differs from the newest version. */
  changed: field(z.boolean(), '有未发布的修改', 'Unpublished changes'),
  /** The last editor of the draft, who cannot publish it. */
  editedBy: field(Id.nullable(), '起草人', 'Drafted by'),
  publishedAt: field(Millis.nullable(), '生效', 'In force since'),
  ...auditFields,
})
export type Procedure = z.output<typeof Procedure>

export const ProcedureVersion = z.strictObject({
  id: field(Id, '编号', 'Id'),
  procedureId: field(Id, '规程', 'Procedure'),
  no: field(z.int(), '版本', 'Version'),
  kind: field(z.enum(procedureKinds), '种类', 'Kind'),
  ...content,
  draftedBy: field(Id.nullable(), '起草人', 'Drafted by'),
  publishedBy: field(Id.nullable(), '发布人', 'Published by'),
  publishedAt: field(Millis, '发布时间', 'Published'),
})
export type ProcedureVersion = z.output<typeof ProcedureVersion>

export const ProcedureRow = Procedure.extend({
  editedByName: field(z.string().nullable(), '起草人', 'Drafted by'),
  runs: field(z.int(), '近 30 天执行', 'Runs in 30 days'),
})
export type ProcedureRow = z.output<typeof ProcedureRow>

export const ProcedureVersionRow = ProcedureVersion.extend({
  draftedByName: field(z.string().nullable(), '起草人', 'Drafted by'),
  publishedByName: field(z.string().nullable(), '发布人', 'Published by'),
})
export type ProcedureVersionRow = z.output<typeof ProcedureVersionRow>

export const ProcedureDetail = ProcedureRow.extend({
  /** The newest first. */
  versions: z.array(ProcedureVersionRow),
})
export type ProcedureDetail = z.output<typeof ProcedureDetail>

const minuteOfDay = z.int().min(0).max(1439).nullable()

export const ProcedureDraft = z.strictObject({
  kind: field(z.enum(procedureKinds), '种类', 'Kind'),
  name: field(nameText(64), '名称', 'Name (Chinese)'),
  nameEn: field(nameText(64), '英文名称', 'Name (English)'),
  class: field(z.enum(warnClasses).nullable(), '警情类别', 'Alarm class'),
  levels: field(z.array(z.int().min(1).max(4)).max(4), '级别', 'Levels'),
  placeKinds: field(z.array(z.enum(placeKinds)).max(placeKinds.length), '位置类型', 'Kinds of place'),
  fromMin: field(minuteOfDay, '时段开始', 'From'),
  toMin: field(minuteOfDay, '时段结束', 'Until'),
  work: field(z.enum(workKinds).nullable(), '作业', 'Work'),
  steps: field(z.array(ProcedureStepDraft).min(1).max(MAX_STEPS), '步骤', 'Steps'),
})
export type ProcedureDraft = z.output<typeof ProcedureDraft>

export const ProcedureQuery = PageQuery.extend({
  keyword: field(keywordText(64).optional(), '名称', 'Name'),
  kind: field(queryList(procedureKinds).optional(), '种类', 'Kind'),
  class: field(queryList(warnClasses).optional(), '警情类别', 'Alarm class'),
  work: field(queryList(workKinds).optional(), '作业', 'Work'),
  status: field(queryList(procedureStatuses).optional(), '状态', 'Status'),
  orderBy: sortable(['name', 'status', 'publishedAt', 'updateTime']),
})
export type ProcedureQuery = z.output<typeof ProcedureQuery>

/** A procedure that ships with the product, to be copied and adapted. */
export const BuiltInProcedure = ProcedureDraft.extend({
  key: field(z.string().max(40), '内置规程', 'Built-in procedure'),
})
export type BuiltInProcedure = z.output<typeof BuiltInProcedure>

/** Which classes have a response plan in force, by level. */
export const ProcedureCoverage = z.strictObject({
  cells: z.array(
    z.strictObject({
      class: z.enum(warnClasses),
      level: z.int(),
      /** The plan that applies all day at every kind of place; null: a gap. */
      procedureId: Id.nullable(),
      name: z.string().nullable(),
      nameEn: z.string().nullable(),
    }),
  ),
})
export type ProcedureCoverage = z.output<typeof ProcedureCoverage>

export const ProcedureRef = z.strictObject({
  id: field(Id, '编号', 'Id'),
  version: field(z.int(), '版本', 'Version'),
})
export const ProcedureById = z.strictObject({ procedureId: field(queryId, '规程', 'Procedure') })
