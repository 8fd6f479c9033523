import { z } from 'zod'
import { Id } from '../codecs.ts'
import { edited, filled } from '../edited.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { PageQuery, page } from '../page.ts'

export const deviceKinds = [
  'PANIC_BUTTON',
  'PANIC_PILLAR',
  'WEARABLE',
  'VOICE_TERMINAL',
  'INTERCOM',
  'GATEWAY',
  'SIREN',
  'CAMERA',
  'SENSOR',
] as const
export const powers = ['MAINS', 'POE', 'BATTERY'] as const

export const DeviceModel = z.strictObject({
  id: field(Id, '编号', 'Id'),
  productKey: field(z.string(), '产品标识', 'Product key'),
  vendor: field(z.string(), '厂商', 'Vendor'),
  name: field(z.string(), '型号', 'Model'),
  kind: field(z.enum(deviceKinds), '类型', 'Kind'),
  power: field(z.enum(powers), '供电', 'Power'),
  alarmCodes: field(z.array(z.string()), '报警代码', 'Alarm codes'),
  heartbeatSec: field(z.int(), '心跳间隔（秒）', 'Heartbeat (s)'),
  offlineAfterSec: field(z.int(), '离线判定（秒）', 'Offline after (s)'),
  ...edited,
})
export type DeviceModel = z.output<typeof DeviceModel>

export const DeviceModelDraft = DeviceModel.omit(filled).extend({
  productKey: field(z.string().regex(/^[0-9A-Za-z]{6,20}$/), '产品标识', 'Product key'),
  vendor: field(z.string().trim().min(1).max(64), '厂商', 'Vendor'),
  name: field(z.string().trim().min(1).max(64), '型号', 'Model'),
  heartbeatSec: field(z.int().min(5).max(86_400), '心跳间隔（秒）', 'Heartbeat (s)'),
  offlineAfterSec: field(z.int().min(10).max(604_800), '离线判定（秒）', 'Offline after (s)'),
})

export const deviceModels = {
  page: endpoint({
    method: 'GET',
    path: '/device/model/page',
    kind: 'json',
    permission: 'device:model:query',
    scope: 'none',
    summary: '设备型号分页',
    summaryEn: 'Device models, by page',
    query: PageQuery.extend({ keyword: field(z.string().max(64).optional(), '厂商或型号', 'Vendor or model') }),
    data: page(DeviceModel),
  }),
}
