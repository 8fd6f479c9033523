import { z } from 'zod'
import { Id, Millis, queryId, queryInt } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { ConnectivityChange, DeviceDraft, DeviceLogEntry, DeviceMessageRow, DeviceQuery, DeviceRow } from './device.ts'
import { type LifecycleVerb, lifecycleMachine } from './lifecycle.ts'

const version = field(z.int(), '版本', 'Version')
const id = field(Id, '编号', 'Id')
const schoolId = field(Id, '学校', 'School')
const reason = field(z.string().trim().min(1).max(200), '原因', 'Reason')
const until = field(Millis, '停用至', 'Suspended until')

const One = z.strictObject({ id, version })
/** The devices below a gateway leave it. Without this, they are named and the call is refused. */
const withChildren = field(z.boolean().optional(), '下级设备一并解除', 'Take devices off the gateway')
/** Rotates again although the device has not used the newest secret. */
const force = field(z.boolean().optional(), '再次轮换', 'Rotate again')
const Several = z.strictObject({ items: field(z.array(One).min(1).max(200), '设备', 'Devices') })

const call = (name: LifecycleVerb, path: string) =>
  ({
    method: 'POST',
    path: `/device/device/${path}`,
    kind: 'json',
    permission: lifecycleMachine[name].permission,
    scope: 'school',
    data: z.literal(true),
  }) as const

/** A new secret, shown once: it is not stored as plain text. */
export const DeviceSecret = z.strictObject({
  id,
  sn: field(z.string(), '设备序列号', 'Serial number'),
  secret: field(z.string(), '密钥', 'Secret'),
})
export type DeviceSecret = z.output<typeof DeviceSecret>

export const AdoptDraft = z.strictObject({
  unknownId: field(Id, '被拒绝的设备', 'Refused device'),
  modelId: field(Id, '型号', 'Model'),
  schoolId: field(Id.nullable(), '学校', 'School'),
})
export type AdoptDraft = z.output<typeof AdoptDraft>

const json = (verb: string) => ({ kind: 'json', permission: `device:device:${verb}`, scope: 'school' }) as const

/** How many devices are in each stage. */
export const LifecycleCount = z.strictObject({ lifecycle: z.string(), count: z.int() })

export const deviceEdits = {
  create: endpoint({
    ...json('create'),
    method: 'POST',
    path: '/device/device/create',
    summary: '登记设备，密钥只显示一次',
    summaryEn: 'Register a device; its secret is shown once',
    body: DeviceDraft.partial().required({ sn: true, modelId: true }),
    data: DeviceSecret,
  }),
  update: endpoint({
    ...json('update'),
    method: 'PUT',
    path: '/device/device/update',
    summary: '修改设备',
    summaryEn: 'Change a device',
    body: DeviceDraft.omit({ sn: true, modelId: true }).partial().extend({ id, version }),
    data: z.literal(true),
  }),
  counts: endpoint({
    ...json('query'),
    method: 'GET',
    path: '/device/device/count',
    summary: '各阶段设备数',
    summaryEn: 'Devices at each stage',
    data: z.array(LifecycleCount),
  }),
  history: endpoint({
    ...json('query'),
    method: 'GET',
    path: '/device/device/history',
    summary: '设备的阶段变更',
    summaryEn: 'Stages that a device went through',
    query: z.strictObject({ id: field(queryId, '编号', 'Id') }),
    data: z.array(DeviceLogEntry),
  }),
  connectivity: endpoint({
    ...json('query'),
    method: 'GET',
    path: '/device/device/connectivity',
    summary: '一段时间的连接状态变化',
    summaryEn: 'Changes of connectivity over some days',
    query: z.strictObject({
      id: field(queryId, '编号', 'Id'),
      days: field(queryInt(1, 90).optional(), '天数', 'Days'),
    }),
    data: z.array(ConnectivityChange),
  }),
  messages: endpoint({
    ...json('message'),
    method: 'GET',
    path: '/device/device/messages',
    summary: '设备最近的消息',
    summaryEn: 'The latest messages of a device',
    query: z.strictObject({ id: field(queryId, '编号', 'Id') }),
    data: z.array(DeviceMessageRow),
  }),
  find: endpoint({
    kind: 'json',
    // Users who accept devices at a school scan labels too, and do not see the device register.
    permission: 'device:school-device:query',
    scope: 'school',
    method: 'GET',
    path: '/device/device/find',
    summary: '按序列号查找设备，扫码用',
    summaryEn: 'The device of a serial number, as it was scanned',
    query: z.strictObject({ sn: field(z.string().max(64), '设备序列号', 'Serial number') }),
    data: DeviceRow.nullable(),
  }),
  adopt: endpoint({
    ...json('create'),
    method: 'POST',
    path: '/device/device/adopt',
    summary: '将被拒绝的设备登记为新设备',
    summaryEn: 'Register a refused device',
    body: AdoptDraft,
    data: DeviceSecret,
  }),
  rotateSecret: endpoint({
    ...json('secret'),
    method: 'POST',
    path: '/device/device/rotate-secret',
    summary: '轮换密钥，旧密钥 24 小时内仍有效',
    summaryEn: 'Give a new secret; the old one is valid for 24 hours more',
    body: One.extend({ force }),
    data: DeviceSecret,
  }),
  issueSecrets: endpoint({
    ...json('secret'),
    method: 'POST',
    path: '/device/device/issue-secrets',
    summary: '为多台设备发放密钥，只显示一次；旧密钥 24 小时内仍有效',
    summaryEn: 'Give secrets to several devices, shown once; old ones are valid for 24 hours more',
    body: Several.extend({ force }),
    data: z.array(DeviceSecret),
  }),
  ...exportEndpoints({
    path: '/device/device',
    permission: 'device:device:export',
    scope: 'school',
    title: '设备',
    titleEn: 'Devices',
    query: DeviceQuery,
  }),
}

/** The verbs of the lifecycle that users apply to a device itself (`lifecycleMachine`). */
export const deviceVerbs = {
  allocate: endpoint({
    ...call('allocate', 'allocate'),
    summary: '分配给学校',
    summaryEn: 'Allocate to a school',
    body: One.extend({ schoolId }),
  }),
  restock: endpoint({ ...call('restock', 'restock'), summary: '退库', summaryEn: 'Return to the stock', body: One }),
  suspend: endpoint({
    ...call('suspend', 'suspend'),
    summary: '停用到指定时间',
    summaryEn: 'Suspend until an instant',
    body: One.extend({ reason, until }),
  }),
  resume: endpoint({ ...call('resume', 'resume'), summary: '恢复使用', summaryEn: 'Resume', body: One }),
  repair: endpoint({
    ...call('repair', 'repair'),
    summary: '送修',
    summaryEn: 'Send to repair',
    body: One.extend({ reason }),
  }),
  repaired: endpoint({
    ...call('repaired', 'repaired'),
    summary: '修好恢复',
    summaryEn: 'Back in service after a repair',
    body: One,
  }),
  lost: endpoint({
    ...call('lost', 'lost'),
    summary: '报失',
    summaryEn: 'Report lost',
    body: One.extend({ reason, withChildren }),
  }),
  found: endpoint({ ...call('found', 'found'), summary: '找回', summaryEn: 'Found again', body: One }),
  retire: endpoint({
    ...call('retire', 'retire'),
    summary: '报废，密钥立即失效',
    summaryEn: 'Retire; its secrets end at once',
    body: One.extend({ reason, withChildren }),
  }),
}

/** The same for several, all or none. */
export const deviceVerbLists = {
  allocateList: endpoint({
    ...call('allocate', 'allocate-list'),
    summary: '批量分配',
    summaryEn: 'Allocate several',
    body: Several.extend({ schoolId }),
  }),
  suspendList: endpoint({
    ...call('suspend', 'suspend-list'),
    summary: '批量停用到指定时间',
    summaryEn: 'Suspend several until an instant',
    body: Several.extend({ reason, until }),
  }),
  retireList: endpoint({
    ...call('retire', 'retire-list'),
    summary: '批量报废',
    summaryEn: 'Retire several',
    body: Several.extend({ reason, withChildren }),
  }),
}
