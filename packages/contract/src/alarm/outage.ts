import { z } from 'zod'
import { Id, Millis, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { type EnumLabels, field } from '../field.ts'

/** What went offline together: the devices of a gateway, a school, or the schools of a department. */
export const outageKinds = ['GATEWAY', 'SCHOOL', 'DISTRICT'] as const
export type OutageKind = (typeof outageKinds)[number]

/** Devices of one answer; the counts are complete. */
export const MAX_OUTAGE_DEVICES = 200
/** Devices that may get alarms of their own in one call. */
export const MAX_RAISED_DEVICES = 20

export const outageDeviceStates = ['OFFLINE', 'RESTORED', 'RAISED'] as const
export type OutageDeviceState = (typeof outageDeviceStates)[number]

export const OutageDevice = z.strictObject({
  deviceId: Id,
  sn: field(z.string(), '设备序列号', 'Serial number'),
  schoolName: field(z.string().nullable(), '学校', 'School'),
  placeName: field(z.string().nullable(), '位置', 'Place'),
  since: field(Millis, '离线时间', 'Offline since'),
  state: field(z.enum(outageDeviceStates), '状态', 'State'),
})
export type OutageDevice = z.output<typeof OutageDevice>

/** `total` and `offline` count the devices that the caller may see. */
export const Outage = z.strictObject({
  id: Id,
  kind: field(z.enum(outageKinds), '范围', 'Extent'),
  name: field(z.string(), '名称', 'Name'),
  startedAt: field(Millis, '开始时间', 'Started'),
  endedAt: field(Millis.nullable(), '结束时间', 'Ended'),
  total: field(z.int(), '设备数', 'Devices'),
  offline: field(z.int(), '仍离线', 'Still offline'),
  devices: field(z.array(OutageDevice), '设备', 'Devices'),
})
export type Outage = z.output<typeof Outage>

const outageKind: EnumLabels<OutageKind> = {
  GATEWAY: ['网关', 'Gateway'],
  SCHOOL: ['学校', 'School'],
  DISTRICT: ['区县', 'District'],
}

const outageDeviceState: EnumLabels<OutageDeviceState> = {
  OFFLINE: ['离线', 'Offline'],
  RESTORED: ['已恢复', 'Back'],
  RAISED: ['已单独报警', 'Own alarm'],
}

export const outageLabels = { outageKind, outageDeviceState }

export const outages = {
  get: endpoint({
    method: 'GET',
    path: '/warn/outage/get',
    kind: 'json',
    permission: 'warn:record:query',
    scope: 'school',
    summary: '大面积离线的设备',
    summaryEn: 'The devices of an outage, by its id or by its alarm; null without any',
    query: z.strictObject({
      outageId: field(queryId.optional(), '大面积离线', 'Outage'),
      recordId: field(queryId.optional(), '警情', 'Alarm'),
    }),
    data: Outage.nullable(),
  }),
  raise: endpoint({
    method: 'POST',
    path: '/warn/outage/raise',
    kind: 'json',
    permission: 'warn:record:shelve',
    scope: 'school',
    summary: '为大面积离线中的设备单独产生警情',
    summaryEn: 'Raise alarms of their own for devices of an outage',
    body: z.strictObject({
      id: field(Id, '编号', 'Id'),
      deviceIds: field(z.array(Id).min(1).max(MAX_RAISED_DEVICES), '设备', 'Devices'),
    }),
    data: z.int(),
  }),
}
