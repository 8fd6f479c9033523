import { z } from 'zod'
import { Id, queryList } from '../codecs.ts'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { endpoint } from '../endpoint.ts'
import { entityEndpoints } from '../audit/entity.ts'
import { field, labelled, pattern } from '../field.ts'
import { PageQuery, sortable } from '../page.ts'
import { nameText } from '../text-fields.ts'

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
/** Nobody presses these: a missing press says nothing about them, and they need no alarm code. */
export const unpressedKinds: readonly (typeof deviceKinds)[number][] = ['GATEWAY', 'SIREN', 'CAMERA', 'SENSOR']
/** TOCSIN is the protocol of the gateway; the others are names for future adapters (domain 3.6). */
export const deviceProtocols = [
  'TOCSIN',
  'THINGSBOARD',
  'GB28181',
  'HIKVISION',
  'DAHUA',
  'SIA_DC09',
  'CONTACT_ID',
  'SPARKPLUG_B',
  'JETLINKS',
  'ONENET',
  'ALIYUN_IOT',
] as const
/** Commands that a device may support (domain 2.2); the same names as on the wire. */
export const commandTypes = [
  'PLAY_TTS',
  'TALK_START',
  'TALK_STOP',
  'SIREN',
  'LED',
  'RESET',
  'REBOOT',
  'SELF_TEST',
  'SET_CONFIG',
  'TIME_SYNC',
  'LISTEN',
  'UPDATE',
] as const
export type CommandType = (typeof commandTypes)[number]
export const capabilities = ['twoWayAudio', 'siren', 'led', 'keywordPack', 'ota', 'silent'] as const
export type Capability = (typeof capabilities)[number]

export const Capabilities = z.strictObject({
  twoWayAudio: field(z.boolean(), '双向对讲', 'Two-way audio'),
  siren: field(z.boolean(), '警笛', 'Siren'),
  led: field(z.boolean(), '指示灯', 'Light'),
  keywordPack: field(z.boolean(), '关键词包', 'Keyword pack'),
  ota: field(z.boolean(), '远程升级', 'Update over the air'),
  silent: field(z.boolean(), '静默报警', 'Silent alarm'),
} satisfies Record<Capability, z.ZodBoolean>)

/** The discharge curve of this battery: millivolts rise from point to point. */
export const BatteryCurve = z.array(
  z.strictObject({ mv: field(z.number(), '毫伏', 'Millivolts'), pct: field(z.number(), '电量', 'Battery') }),
)
export type BatteryCurve = z.output<typeof BatteryCurve>
const BatteryCurveDraft = z
  .array(
    z.strictObject({
      mv: field(z.number().min(1).max(100_000), '毫伏', 'Millivolts'),
      pct: field(z.number().min(0).max(100), '电量', 'Battery'),
    }),
  )
  .min(2)
  .max(50)

/** A JSON schema of the payload, by command type. */
export const CommandSchema = z.partialRecord(z.enum(commandTypes), z.record(z.string(), z.unknown()))

export const powerSources = ['MAINS', 'POE', 'BATTERY'] as const

export const DeviceModel = z.strictObject({
  id: field(Id, '编号', 'Id'),
  productKey: field(z.string(), '产品标识', 'Product key'),
  vendor: field(z.string(), '厂商', 'Vendor'),
  name: field(z.string(), '型号', 'Model'),
  kind: field(labelled(z.enum(deviceKinds), 'deviceKind'), '类型', 'Kind'),
  protocol: field(labelled(z.enum(deviceProtocols), 'deviceProtocol'), '接入协议', 'Protocol'),
  power: field(labelled(z.enum(powerSources), 'power'), '供电', 'Power'),
  alarmCodes: field(labelled(z.array(z.string()), 'alarmCode'), '报警代码', 'Alarm codes'),
  heartbeatSec: field(z.int(), '心跳间隔（秒）', 'Heartbeat (s)'),
  offlineAfterSec: field(z.int(), '离线判定（秒）', 'Offline after (s)'),
  batteryCurve: field(BatteryCurve.nullable(), '电池曲线', 'Battery curve'),
  capabilities: field(Capabilities, '能力', 'Capabilities'),
  commandSchema: field(CommandSchema, '可用命令', 'Commands'),
  ...auditFields,
})
export type DeviceModel = z.output<typeof DeviceModel>

export const DeviceModelDraft = DeviceModel.omit(generatedColumns).extend({
  productKey: field(
    z
      .string()
      .regex(
        pattern(
          /^[0-9A-Za-z]{6,20}$/,
          '6 至 20 个字母或数字，例如 TXBTN001',
          '6 to 20 letters or digits, such as TXBTN001',
        ),
      ),
    '产品标识',
    'Product key',
  ),
  vendor: field(nameText(64), '厂商', 'Vendor'),
  name: field(nameText(64), '型号', 'Model'),
  heartbeatSec: field(z.int().min(5).max(86_400), '心跳间隔（秒）', 'Heartbeat (s)'),
  offlineAfterSec: field(z.int().min(10).max(604_800), '离线判定（秒）', 'Offline after (s)'),
  alarmCodes: field(
    z
      .array(
        z
          .string()
          .regex(
            pattern(
              /^[A-Z0-9_]{2,30}$/,
              '2 至 30 个大写字母、数字或下划线，例如 PANIC',
              '2 to 30 capital letters, digits or underscores, such as PANIC',
            ),
          ),
      )
      .max(30),
    '报警代码',
    'Alarm codes',
  ),
  batteryCurve: field(BatteryCurveDraft.nullable(), '电池曲线', 'Battery curve'),
})
export type DeviceModelDraft = z.output<typeof DeviceModelDraft>

export const DeviceModelRow = DeviceModel.extend({ deviceCount: field(z.int(), '设备数', 'Devices') })
export type DeviceModelRow = z.output<typeof DeviceModelRow>

/** Fields that would change how stored signals of existing devices are read. New alarm codes may be added. */
export const lockedModelFields = [
  'productKey',
  'kind',
  'protocol',
  'alarmCodes',
] as const satisfies (keyof DeviceModelDraft)[]

export const DeviceModelQuery = PageQuery.extend({
  keyword: field(z.string().max(64).optional(), '厂商或型号', 'Vendor or model'),
  kind: field(labelled(queryList(deviceKinds), 'deviceKind').optional(), '类型', 'Kind'),
  orderBy: sortable(['vendor', 'name', 'productKey', 'kind', 'heartbeatSec', 'offlineAfterSec', 'deviceCount']),
})
export type DeviceModelQuery = z.output<typeof DeviceModelQuery>

const calls = entityEndpoints({
  path: '/device/model',
  permission: 'device:model',
  scope: 'none',
  title: '设备型号',
  titleEn: 'device model',
  titlesEn: 'Device models',
  row: DeviceModelRow,
  draft: DeviceModelDraft,
  query: DeviceModelQuery,
  choice: { id: true, vendor: true, name: true, kind: true, productKey: true },
  verbs: ['export'],
})
export const deviceModels = {
  ...calls,
  simpleList: endpoint({ ...calls.simpleList, permission: 'device:model:query' }),
  update: endpoint({ ...calls.update, body: calls.update.body.extend({ version: field(z.int(), '版本', 'Version') }) }),
}
