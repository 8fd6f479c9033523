import { z } from 'zod'
import { auditFields } from '../../audit-fields.ts'
import { Id, Millis, queryId, queryList } from '../../codecs.ts'
import { field, pattern } from '../../field.ts'
import { PageQuery, sortable } from '../../page.ts'
import { codeText, nameText } from '../../text-fields.ts'
import { rolloutDeviceStates, rolloutStates } from './rollout-machine.ts'

export const packageKinds = ['FIRMWARE', 'CONFIG', 'KEYWORD_PACK', 'VOICE_PROMPT'] as const
export type PackageKind = (typeof packageKinds)[number]

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** Ed25519 over `signedText`, in base64. */
const signature = z.string().regex(/^[A-Za-z0-9+/]{86}==$/)
/** What a package is signed for: the bytes, and also what they are and for which model. */
export const signedText = (of: { kind: PackageKind; productKey: string; release: string; sha256: string }): string =>
  [of.kind, of.productKey, of.release, of.sha256].join('|')

const versionText = codeText().regex(
  pattern(
    /^[A-Za-z0-9._+-]{1,32}$/,
    '1 至 32 个字母、数字、.、+、- 或 _，例如 1.4.2',
    '1 to 32 letters, digits, dots, +, - or _, such as 1.4.2',
  ),
)

export const ProgramPackage = z.strictObject({
  id: field(Id, '编号', 'Id'),
  kind: field(z.enum(packageKinds), '类型', 'Kind'),
  modelId: field(Id, '型号', 'Model'),
  release: field(z.string(), '版本号', 'Release'),
  notes: field(z.string().nullable(), '说明', 'Notes'),
  fileId: field(Id, '文件', 'File'),
  fileName: field(z.string(), '文件名', 'File name'),
  size: field(z.int(), '大小', 'Size'),
  sha256: field(z.string(), 'SHA-256', 'SHA-256'),
  signature: field(z.string(), '签名', 'Signature'),
  createdBy: field(Id.nullable(), '登记人', 'Added by'),
  createdAt: field(Millis, '登记时间', 'Added'),
})
export type ProgramPackage = z.output<typeof ProgramPackage>

export const PackageRow = ProgramPackage.extend({
  modelName: field(z.string(), '型号', 'Model'),
  createdByName: field(z.string().nullable(), '登记人', 'Added by'),
  /** Of kind, model, release and hash, with the present key. Packages of before and of earlier keys have none. */
  isSignatureValid: field(z.boolean(), '签名有效', 'Signature valid'),
})
export type PackageRow = z.output<typeof PackageRow>

export const PackageDraft = z.strictObject({
  kind: field(z.enum(packageKinds), '类型', 'Kind'),
  modelId: field(Id, '型号', 'Model'),
  release: field(versionText, '版本号', 'Release'),
  notes: field(z.string().trim().max(500).nullable().optional(), '说明', 'Notes'),
  fileId: field(Id, '文件', 'File'),
  sha256: field(sha256, 'SHA-256', 'SHA-256'),
  signature: field(signature, '签名', 'Signature'),
})
export type PackageDraft = z.output<typeof PackageDraft>

export const PackageQuery = PageQuery.extend({
  kind: field(queryList(packageKinds).optional(), '类型', 'Kind'),
  modelId: field(queryId.optional(), '型号', 'Model'),
  orderBy: sortable(['modelName', 'size', 'createdAt']),
})
export type PackageQuery = z.output<typeof PackageQuery>

export const Rollout = z.strictObject({
  id: field(Id, '编号', 'Id'),
  name: field(z.string(), '名称', 'Name'),
  packageId: field(Id, '升级包', 'Package'),
  kind: field(z.enum(packageKinds), '类型', 'Kind'),
  modelId: field(Id, '型号', 'Model'),
  state: field(z.enum(rolloutStates), '状态', 'State'),
  /** 0 before the start, then 1 to 4. */
  ring: field(z.int(), '批次', 'Ring'),
  maxBadPct: field(z.number(), '健康门限（%）', 'Health limit (%)'),
  reason: field(z.string().nullable(), '原因', 'Reason'),
  approvedBy: field(Id.nullable(), '批准人', 'Approved by'),
  startedAt: field(Millis.nullable(), '开始', 'Started'),
  endedAt: field(Millis.nullable(), '结束', 'Ended'),
  rollbackAt: field(Millis.nullable(), '回退', 'Rolled back'),
  ...auditFields,
})
export type Rollout = z.output<typeof Rollout>

export const RolloutDevice = z.strictObject({
  id: Id,
  rolloutId: Id,
  deviceId: field(Id, '设备', 'Device'),
  ring: field(z.int(), '批次', 'Ring'),
  state: field(z.enum(rolloutDeviceStates), '状态', 'State'),
  percent: field(z.int().nullable(), '进度', 'Progress'),
  attempts: field(z.int(), '尝试', 'Attempts'),
  error: field(z.string().nullable(), '错误', 'Error'),
  rollbackAttempts: field(z.int(), '回退次数', 'Rollbacks sent'),
  rollbackSentAt: field(Millis.nullable(), '回退发送时间', 'Rollback sent'),
  changedAt: field(Millis, '更新时间', 'Changed'),
})
export type RolloutDevice = z.output<typeof RolloutDevice>

/** Of all devices of the rollout, also those the reader does not see: counts only. */
export const RolloutFigures = z.strictObject({
  total: z.int(),
  ended: z.int(),
  updated: z.int(),
  failed: z.int(),
  offline: z.int(),
  started: z.int(),
  /** Failed and offline of those started, in percent, against the limit. */
  badPct: z.number(),
  rings: z.array(z.strictObject({ ring: z.int(), total: z.int(), ended: z.int() })),
})
export type RolloutFigures = z.output<typeof RolloutFigures>

export const RolloutRow = Rollout.extend({
  release: field(z.string(), '版本号', 'Release'),
  modelName: field(z.string(), '型号', 'Model'),
  creatorName: field(z.string().nullable(), '创建人', 'Created by'),
  approvedByName: field(z.string().nullable(), '批准人', 'Approved by'),
  figures: RolloutFigures,
  /** Devices that the reader does not see: with any, the reader can only watch. */
  unseen: field(z.int(), '看不到的设备', 'Devices out of sight'),
})
export type RolloutRow = z.output<typeof RolloutRow>

export const RolloutDetail = RolloutRow.extend({
  /** Nothing starts now: by the setting, or because the schools that wait have class or exams. */
  frozen: z.enum(['MANUAL', 'CLASS', 'EXAM']).nullable(),
  /** When the first school can start again; null for the setting. */
  resumesAt: Millis.nullable(),
})
export type RolloutDetail = z.output<typeof RolloutDetail>

export const RolloutDeviceRow = RolloutDevice.extend({
  sn: field(z.string(), '设备序列号', 'Serial number'),
  schoolName: field(z.string().nullable(), '学校', 'School'),
})
export type RolloutDeviceRow = z.output<typeof RolloutDeviceRow>

export const RolloutDraft = z.strictObject({
  name: field(nameText(64), '名称', 'Name'),
  packageId: field(Id, '升级包', 'Package'),
  maxBadPct: field(z.number().min(0).max(100), '健康门限（%）', 'Health limit (%)'),
})
export type RolloutDraft = z.output<typeof RolloutDraft>

export const RolloutQuery = PageQuery.extend({
  state: field(queryList(rolloutStates).optional(), '状态', 'State'),
  kind: field(queryList(packageKinds).optional(), '类型', 'Kind'),
  modelId: field(queryId.optional(), '型号', 'Model'),
  orderBy: sortable(['name', 'modelName', 'state', 'startedAt', 'createTime']),
})
export type RolloutQuery = z.output<typeof RolloutQuery>

export const RolloutDeviceQuery = PageQuery.extend({
  rolloutId: field(queryId, '升级', 'Rollout'),
  state: field(queryList(rolloutDeviceStates).optional(), '状态', 'State'),
  orderBy: sortable(['sn', 'ring', 'changedAt']),
})
export type RolloutDeviceQuery = z.output<typeof RolloutDeviceQuery>

const value = { id: field(Id, '编号', 'Id'), version: field(z.int(), '版本', 'Version') }
export const RolloutRef = z.strictObject(value)
export const RolloutReason = z.strictObject({
  ...value,
  reason: field(z.string().trim().min(1).max(200), '原因', 'Reason'),
})
