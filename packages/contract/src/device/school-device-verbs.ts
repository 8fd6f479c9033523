import { z } from 'zod'
import { Id, Millis, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { installationMachine } from './installation.ts'
import { InstallationHistoryRow, SchoolDeviceQuery } from './school-device.ts'

const id = field(Id, '编号', 'Id')
const version = field(z.int(), '版本', 'Version')
const placeId = field(Id, '位置', 'Place')
const reason = field(z.string().trim().min(1).max(200), '原因', 'Reason')
const mountNote = field(z.string().trim().max(200).nullable(), '安装说明', 'Mounting note')
const photoIds = field(z.array(Id).max(9), '安装照片', 'Photographs')
const One = z.strictObject({ id, version })

/** Fields of an installation that users may change without ending it. */
export const InstallationDraft = z.strictObject({
  mountNote,
  silent: field(z.boolean(), '静默', 'Silent'),
  planX: field(z.number().min(0).max(1).nullable(), '平面图横坐标', 'Plan x'),
  planY: field(z.number().min(0).max(1).nullable(), '平面图纵坐标', 'Plan y'),
  lng: field(z.number().min(-180).max(180).nullable(), '经度', 'Longitude'),
  lat: field(z.number().min(-90).max(90).nullable(), '纬度', 'Latitude'),
  photoIds,
})

/** The place of a new installation. */
export const PlanDraft = z.strictObject({
  deviceId: field(Id, '设备', 'Device'),
  placeId,
  mountNote: mountNote.optional(),
  silent: field(z.boolean().optional(), '静默', 'Silent'),
})
export type PlanDraft = z.output<typeof PlanDraft>

/** The last press since the installation with its milestones; null for those not reached. */
export const PressProof = z.strictObject({
  occurredAt: field(Millis, '设备发出', 'Pressed'),
  receivedAt: field(Millis, '平台收到', 'Received'),
  displayedAt: field(Millis.nullable(), '席位显示', 'Displayed'),
  soundedAt: field(Millis.nullable(), '席位响铃', 'Sounded'),
  /** The desk shows it without ringing. */
  commissioning: field(z.boolean(), '调试', 'Commissioning'),
})
export type PressProof = z.output<typeof PressProof>

const call = (verb: keyof typeof installationMachine) =>
  ({
    method: 'POST',
    path: `/device/school-device/${verb}`,
    kind: 'json',
    permission: installationMachine[verb].permission,
    scope: 'school',
    data: z.literal(true),
  }) as const

const json = (verb: string) => ({ kind: 'json', permission: `device:school-device:${verb}`, scope: 'school' }) as const

export const installationCalls = {
  history: endpoint({
    ...json('query'),
    method: 'GET',
    path: '/device/school-device/history',
    summary: '一台设备的安装史',
    summaryEn: 'Installations of one device, the latest first',
    query: z.strictObject({ deviceId: field(queryId, '设备', 'Device') }),
    data: z.array(InstallationHistoryRow),
  }),
  proof: endpoint({
    ...json('query'),
    method: 'GET',
    path: '/device/school-device/proof',
    summary: '安装后的最近一次按键',
    summaryEn: 'The last press since the installation',
    query: z.strictObject({ id: field(queryId, '编号', 'Id') }),
    data: PressProof.nullable(),
  }),
  plan: endpoint({
    ...json('install'),
    method: 'POST',
    path: '/device/school-device/plan',
    summary: '安排设备的安装位置',
    summaryEn: 'Plan where a device will hang',
    body: PlanDraft,
    data: id,
  }),
  mount: endpoint({
    ...json('install'),
    method: 'POST',
    path: '/device/school-device/mount',
    summary: '现场安装：安排并装好',
    summaryEn: 'Install on site: plan and install in one step',
    body: PlanDraft.extend({ photoIds: photoIds.optional() }),
    data: id,
  }),
  update: endpoint({
    ...json('install'),
    method: 'PUT',
    path: '/device/school-device/update',
    summary: '修改安装情况',
    summaryEn: 'Change how a device is mounted',
    body: InstallationDraft.partial().extend({ id, version }),
    data: z.literal(true),
  }),
  install: endpoint({
    ...call('install'),
    summary: '装好待验收',
    summaryEn: 'Installed, to be accepted',
    body: One.extend({ mountNote: mountNote.optional(), photoIds: photoIds.optional() }),
  }),
  accept: endpoint({ ...call('accept'), summary: '验收', summaryEn: 'Accept', body: One }),
  suspend: endpoint({
    ...call('suspend'),
    summary: '停用到指定时间',
    summaryEn: 'Suspend until an instant',
    body: One.extend({ reason, until: field(Millis, '停用至', 'Suspended until') }),
  }),
  resume: endpoint({ ...call('resume'), summary: '恢复使用', summaryEn: 'Resume', body: One }),
  move: endpoint({
    ...call('move'),
    summary: '换位：旧警情仍留在旧位置',
    summaryEn: 'Move: old alarms keep their old place',
    body: One.extend({ placeId, mountNote: mountNote.optional() }),
    data: id,
  }),
  /** Needs the permission to remove too. */
  replace: endpoint({
    ...json('install'),
    method: 'POST',
    path: '/device/school-device/replace',
    summary: '换新设备：旧设备拆除回库，新设备装在原位置待验收',
    summaryEn: 'Replace: the old device returns to the stock, the new one is installed at its place',
    body: One.extend({
      sn: field(z.string().trim().min(1).max(64), '新设备序列号', 'Serial number of the new device'),
      reason,
    }),
    data: id,
  }),
  remove: endpoint({
    ...call('remove'),
    summary: '拆除',
    summaryEn: 'Remove',
    body: One.extend({
      reason: reason.optional(),
      withChildren: field(z.boolean().optional(), '下级设备一并解除', 'Take devices off the gateway'),
    }),
  }),
  ...exportEndpoints({
    path: '/device/school-device',
    permission: 'device:school-device:export',
    scope: 'school',
    title: '学校设备',
    titleEn: 'Installed devices',
    query: SchoolDeviceQuery,
  }),
}
