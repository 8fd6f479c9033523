import { z } from 'zod'
import { Day, Id, Millis, queryBool, queryId, queryIds, queryList } from '../codecs.ts'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { endpoint } from '../endpoint.ts'
import { field, pattern } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'
import { commandTypes, deviceKinds, powerSources } from './model.ts'

export const installationStatuses = ['PLANNED', 'INSTALLED', 'ACCEPTED', 'SUSPENDED', 'REMOVED'] as const

export const lifecycles = [
  'IN_STOCK',
  'ALLOCATED',
  'INSTALLING',
  'COMMISSIONING',
  'IN_SERVICE',
  'UNDER_REPAIR',
  'SUSPENDED',
  'LOST',
  'RETIRED',
] as const
/** The server derives connectivity; no call writes it (domain 2.7). */
export const connectivities = ['NEVER_SEEN', 'ONLINE', 'LATE', 'OFFLINE'] as const
export type Connectivity = (typeof connectivities)[number]

/** A device clock within this skew is trusted (domain 3.4). GB standards require the same of video time stamps. */
export const TRUSTED_SKEW_MS = 30_000

/** A battery that is low, or ends within 30 days, as the readiness counts it. */
export const batteryConcerns = ['LOW', 'ENDING'] as const
export type BatteryConcern = (typeof batteryConcerns)[number]

export const Device = z.strictObject({
  id: field(Id, '编号', 'Id'),
  sn: field(z.string(), '设备序列号', 'Serial number'),
  modelId: field(Id, '型号', 'Model'),
  deptId: field(Id, '所属部门', 'Department'),
  schoolId: field(Id.nullable(), '学校', 'School'),
  gatewayId: field(Id.nullable(), '所属网关', 'Gateway'),
  imei: field(z.string().nullable(), 'IMEI', 'IMEI'),
  iccid: field(z.string().nullable(), 'ICCID', 'ICCID'),
  mac: field(z.string().nullable(), 'MAC 地址', 'MAC address'),
  gbCode: field(z.string().nullable(), '国标编码', 'GB code'),
  lifecycle: field(z.enum(lifecycles), '阶段', 'Stage'),
  batchNo: field(z.string().nullable(), '批次', 'Batch'),
  warrantyUntil: field(Day.nullable(), '保修至', 'Warranty until'),
  simExpiry: field(Day.nullable(), 'SIM 卡到期', 'SIM expiry'),
  keywordPackVersion: field(z.string().nullable(), '关键词包版本', 'Keyword pack'),
  readiness: field(z.int().nullable(), '就绪度', 'Readiness'),
  suspendedUntil: field(Millis.nullable(), '停用至', 'Suspended until'),
  lifecycleReason: field(z.string().nullable(), '原因', 'Reason'),
  remark: field(z.string().nullable(), '备注', 'Remark'),
  ...auditFields,
})
export type Device = z.output<typeof Device>

export const DeviceDraft = Device.omit({
  ...generatedColumns,
  schoolId: true,
  lifecycle: true,
  readiness: true,
  suspendedUntil: true,
  lifecycleReason: true,
}).extend({
  sn: field(
    z
      .string()
      .regex(
        pattern(
          /^[0-9A-Za-z_-]{4,40}$/,
          '4 至 40 个字母、数字、- 或 _，例如 TX-00231',
          '4 to 40 letters, digits, - or _, such as TX-00231',
        ),
      ),
    '设备序列号',
    'Serial number',
  ),
  imei: field(z.string().trim().max(20).nullable(), 'IMEI', 'IMEI'),
  iccid: field(z.string().trim().max(24).nullable(), 'ICCID', 'ICCID'),
  mac: field(z.string().trim().max(17).nullable(), 'MAC 地址', 'MAC address'),
  gbCode: field(z.string().trim().max(20).nullable(), '国标编码', 'GB code'),
  batchNo: field(z.string().trim().max(32).nullable(), '批次', 'Batch'),
  keywordPackVersion: field(z.string().trim().max(32).nullable(), '关键词包版本', 'Keyword pack'),
  remark: field(z.string().trim().max(500).nullable(), '备注', 'Remark'),
})

export type DeviceDraft = z.output<typeof DeviceDraft>

/** One lifecycle transition, or a new secret. */
export const DeviceLogEntry = z.strictObject({
  id: Id,
  deviceId: Id,
  at: field(Millis, '时间', 'Time'),
  userId: Id.nullable(),
  /** Null: the system, when a suspension ended. */
  userName: field(z.string().nullable(), '操作人', 'By'),
  userAccount: field(z.string().nullable(), '账号', 'Account'),
  verb: field(z.string(), '操作', 'Operation'),
  fromState: field(z.enum(lifecycles).nullable(), '原阶段', 'From'),
  toState: field(z.enum(lifecycles), '阶段', 'Stage'),
  reason: field(z.string().nullable(), '原因', 'Reason'),
})
export type DeviceLogEntry = z.output<typeof DeviceLogEntry>

/** The connectivity of a device. */
export const DeviceState = z.strictObject({
  deviceId: Id,
  connectivity: field(z.enum(connectivities), '连接状态', 'Connectivity'),
  since: field(Millis, '状态开始', 'Since'),
  lastSeenAt: field(Millis.nullable(), '最近通信', 'Last seen'),
  lastHeartbeatAt: field(Millis.nullable(), '最近心跳', 'Last heartbeat'),
  linkLostAt: field(Millis.nullable(), '断链时间', 'Link lost'),
  boot: field(z.int().nullable(), '启动序号', 'Boot'),
  seq: field(z.int().nullable(), '消息序号', 'Sequence'),
  skewMs: field(z.int().nullable(), '时钟偏差（毫秒）', 'Clock skew (ms)'),
  batteryPct: field(z.int().nullable(), '电量', 'Battery'),
  rssi: field(z.int().nullable(), '信号强度', 'Signal strength'),
  fw: field(z.string().nullable(), '固件版本', 'Firmware'),
  cfgVersion: field(z.string().nullable(), '配置版本', 'Configuration version'),
  unsent: field(z.int().nullable(), '未发送数', 'Unsent'),
  changeCount: z.int(),
  changesSince: Millis.nullable(),
  flapping: field(z.boolean(), '频繁上下线', 'Flapping'),
  batteryFromPct: z.int().nullable(),
  batteryFromAt: Millis.nullable(),
  batteryLowPct: z.int().nullable(),
})
export type DeviceState = z.output<typeof DeviceState>

/** Requirements of an installed device with alarms of people that its school does not meet (domain 2.14-12). */
export const deviceLacks = ['POLICE_STATION', 'RECIPIENT'] as const
export type DeviceLack = (typeof deviceLacks)[number]

export const DeviceRow = Device.extend({
  /** The stored stage; `lifecycle` is COMMISSIONING while a requirement is missing (decision 036). */
  registeredLifecycle: field(z.enum(lifecycles), '登记阶段', 'Registered stage'),
  /** Secrets that are valid now: two during a rotation. */
  secretCount: field(z.int(), '密钥', 'Secrets'),
  /** Another secret is valid, and the device has not used the newest. */
  isNewestSecretUnused: field(z.boolean(), '新密钥未使用', 'New secret not used yet'),
  installationId: field(Id.nullable(), '安装', 'Installation'),
  installationStatus: field(z.enum(installationStatuses).nullable(), '安装状态', 'Installation'),
  modelName: field(z.string(), '型号', 'Model'),
  kind: field(z.enum(deviceKinds), '类型', 'Kind'),
  schoolName: field(z.string().nullable(), '学校', 'School'),
  placePath: field(z.string().nullable(), '安装位置', 'Place'),
  gatewaySn: field(z.string().nullable(), '所属网关', 'Gateway'),
  /** Codes of open DEVICE_HEALTH records whose fault still exists. */
  healthFlags: field(z.array(z.string()), '健康状态', 'Health'),
  /** Null while the discharge rate is unknown. */
  batteryDaysLeft: field(z.int().nullable(), '预计剩余天数', 'Battery days left'),
  lacks: field(z.array(z.enum(deviceLacks)), '缺少', 'Lacks'),
  ...DeviceState.pick({ connectivity: true, lastSeenAt: true, batteryPct: true, rssi: true, fw: true, flapping: true })
    .shape,
})
export type DeviceRow = z.output<typeof DeviceRow>

export const DeviceDetail = DeviceRow.extend(
  DeviceState.pick({
    since: true,
    lastHeartbeatAt: true,
    linkLostAt: true,
    boot: true,
    seq: true,
    skewMs: true,
    cfgVersion: true,
    unsent: true,
    batteryFromPct: true,
    batteryFromAt: true,
  }).extend({
    power: field(z.enum(powerSources), '供电', 'Power'),
    /** Types of the command schema of its model. */
    commandTypes: field(z.array(z.enum(commandTypes)), '可用命令', 'Commands'),
    since: field(Millis.nullable(), '状态开始', 'Since'),
  }).shape,
)
export type DeviceDetail = z.output<typeof DeviceDetail>

/** One change of connectivity; the first may be before the period, and gives its initial state. */
export const ConnectivityChange = z.strictObject({
  at: field(Millis, '时间', 'Time'),
  toState: field(z.enum(connectivities), '连接状态', 'Connectivity'),
})
export type ConnectivityChange = z.output<typeof ConnectivityChange>

/** A message of the device as it was decoded; an unparsable one has its bytes and the reason. */
export const DeviceMessageRow = z.strictObject({
  at: field(Millis, '时间', 'Time'),
  channel: field(z.string(), '通道', 'Channel'),
  code: field(z.string().nullable(), '代码', 'Code'),
  message: field(z.record(z.string(), z.unknown()).nullable(), '内容', 'Content'),
  raw: field(z.string().nullable(), '原始数据', 'Raw bytes'),
  reason: field(z.string().nullable(), '无法解析的原因', 'Why it could not be read'),
})
export type DeviceMessageRow = z.output<typeof DeviceMessageRow>

export const DeviceQuery = PageQuery.extend({
  keyword: field(z.string().max(64).optional(), '序列号', 'Serial number'),
  schoolId: field(queryId.optional(), '学校', 'School'),
  lifecycle: field(queryList(lifecycles).optional(), '阶段', 'Stage'),
  connectivity: field(queryList(connectivities).optional(), '连接状态', 'Connectivity'),
  modelId: field(queryId.optional(), '型号', 'Model'),
  batchNo: field(z.string().max(32).optional(), '批次', 'Batch'),
  /** The warranty ends within ninety days, or has ended. */
  warrantyDue: field(queryBool.optional(), '保修将到期', 'Warranty ends soon'),
  rotating: field(queryBool.optional(), '密钥轮换中', 'Secret rotating'),
  noSecret: field(queryBool.optional(), '无密钥', 'Without a secret'),
  battery: field(queryList(batteryConcerns).optional(), '电池', 'Battery'),
  ids: field(queryIds.optional(), '编号', 'Ids'),
  orderBy: sortable(['sn', 'modelName', 'schoolName', 'batchNo', 'warrantyUntil', 'fw', 'createTime']),
})
export type DeviceQuery = z.output<typeof DeviceQuery>

export const UnknownDevice = z.strictObject({
  id: Id,
  sn: field(z.string(), '设备序列号', 'Serial number'),
  productKey: field(z.string(), '产品标识', 'Product key'),
  ip: field(z.string(), '地址', 'Address'),
  reason: field(z.enum(['UNKNOWN_SN', 'BAD_SECRET', 'RETIRED', 'BAD_NAME']), '原因', 'Reason'),
  count: field(z.int(), '次数', 'Count'),
  firstAt: field(Millis, '首次', 'First'),
  lastAt: field(Millis, '最近', 'Last'),
})
export type UnknownDevice = z.output<typeof UnknownDevice>

export const devices = {
  page: endpoint({
    method: 'GET',
    path: '/device/device/page',
    kind: 'json',
    permission: 'device:device:query',
    scope: 'school',
    summary: '设备分页',
    summaryEn: 'Devices, by page',
    query: DeviceQuery,
    data: page(DeviceRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/device/device/get',
    kind: 'json',
    permission: 'device:device:query',
    scope: 'school',
    summary: '设备详情',
    summaryEn: 'One device',
    query: ById,
    data: DeviceDetail,
  }),
  unknown: endpoint({
    method: 'GET',
    path: '/device/device/unknown-page',
    kind: 'json',
    permission: 'device:device:quarantine',
    scope: 'none',
    summary: '被拒绝的设备分页',
    summaryEn: 'Refused devices, by page',
    query: PageQuery,
    data: page(UnknownDevice),
  }),
}
