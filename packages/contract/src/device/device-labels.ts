import { installationLabels, lifecycleLabels } from '../codes/business-codes.ts'
import { type EnumLabels, type Lang, lookupLabel } from '../field.ts'
import type { TestPlanState, TestResultState } from './button-test.ts'
import type { CommandState, InstallationPeriodEnd } from './command.ts'
import type { BatteryConcern, Connectivity, DeviceLogEntry } from './device.ts'
import type { LifecycleVerb } from './lifecycle.ts'
import type { DeviceModel } from './model.ts'

const connectivity: EnumLabels<Connectivity> = {
  NEVER_SEEN: ['从未上线', 'Never seen'],
  ONLINE: ['在线', 'Online'],
  LATE: ['心跳迟到', 'Heartbeat late'],
  OFFLINE: ['离线', 'Offline'],
}

const batteryConcern: EnumLabels<BatteryConcern> = {
  LOW: ['电量低于 20%', 'Below 20 %'],
  ENDING: ['30 天内用完', 'Empty within 30 days'],
}

const deviceKind: EnumLabels<DeviceModel['kind']> = {
  PANIC_BUTTON: ['一键报警按钮', 'Panic button'],
  PANIC_PILLAR: ['报警柱', 'Panic pillar'],
  WEARABLE: ['佩戴式终端', 'Wearable'],
  VOICE_TERMINAL: ['语音终端', 'Voice terminal'],
  INTERCOM: ['对讲机', 'Intercom'],
  GATEWAY: ['网关', 'Gateway'],
  SIREN: ['警笛', 'Siren'],
  CAMERA: ['摄像机', 'Camera'],
  SENSOR: ['传感器', 'Sensor'],
}

const power: EnumLabels<DeviceModel['power']> = {
  MAINS: ['市电', 'Mains'],
  POE: ['PoE', 'PoE'],
  BATTERY: ['电池', 'Battery'],
}

const commandState: EnumLabels<CommandState> = {
  CREATED: ['待下发', 'Created'],
  SENT: ['已下发', 'Sent'],
  DELIVERED: ['已送达', 'Delivered'],
  ACCEPTED: ['执行中', 'Running'],
  SUCCEEDED: ['成功', 'Done'],
  FAILED: ['失败', 'Failed'],
  TIMEOUT: ['无应答', 'No answer'],
  EXPIRED: ['已过期', 'Expired'],
  CANCELLED: ['已取消', 'Cancelled'],
}

const installationPeriodEnd: EnumLabels<InstallationPeriodEnd> = {
  MOVED: ['设备已移位', 'Device moved'],
  REMOVED: ['设备已拆除', 'Device removed'],
  LOST: ['设备已报失', 'Device lost'],
  RETIRED: ['设备已报废', 'Device retired'],
  GATEWAY_CHANGED: ['设备已更换网关', 'Gateway changed'],
}

const testResult: EnumLabels<TestResultState> = {
  PENDING: ['待测', 'To test'],
  PASSED: ['通过', 'Passed'],
  NOT_PRESSED: ['未按下', 'Not pressed'],
  NOT_RECEIVED: ['未收到', 'Not received'],
}

const testPlanState: EnumLabels<TestPlanState> = {
  SCHEDULED: ['已计划', 'Scheduled'],
  NOTIFIED: ['已报备', 'Police told'],
  RUNNING: ['测试中', 'Running'],
  COMPLETED: ['已完成', 'Completed'],
}

/** Past tense, as the history reads (screens 1.4). */
const deviceLogVerb: EnumLabels<LifecycleVerb | 'create' | 'rotateSecret'> = {
  create: ['登记', 'Registered'],
  rotateSecret: ['轮换密钥', 'Secret rotated'],
  allocate: ['分配', 'Allocated'],
  restock: ['退库', 'Returned to stock'],
  plan: ['开始安装', 'Installation begun'],
  install: ['装好', 'Installed'],
  accept: ['验收', 'Accepted'],
  move: ['换位', 'Moved'],
  remove: ['拆除', 'Removed'],
  removeForRepair: ['拆下送修', 'Removed for repair'],
  suspend: ['停用', 'Suspended'],
  resume: ['恢复使用', 'Resumed'],
  repair: ['送修', 'Sent to repair'],
  repaired: ['修好恢复', 'Repaired'],
  lost: ['报失', 'Reported lost'],
  found: ['找回', 'Found'],
  retire: ['报废', 'Retired'],
}

/** Buttons (screens 1.4). */
const deviceVerb: EnumLabels<LifecycleVerb> = {
  allocate: ['分配', 'Allocate'],
  restock: ['退库', 'Return to stock'],
  plan: ['开始安装', 'Plan'],
  install: ['装好', 'Install'],
  accept: ['验收', 'Accept'],
  move: ['换位', 'Move'],
  remove: ['拆除', 'Remove'],
  removeForRepair: ['拆下送修', 'Remove for repair'],
  suspend: ['停用', 'Suspend'],
  resume: ['恢复使用', 'Resume'],
  repair: ['送修', 'Send to repair'],
  repaired: ['修好恢复', 'Back in service'],
  lost: ['报失', 'Report lost'],
  found: ['找回', 'Found'],
  retire: ['报废', 'Retire'],
}

export const deviceLabels = {
  deviceVerb,
  lifecycle: lifecycleLabels satisfies EnumLabels<DeviceLogEntry['toState']>,
  installation: installationLabels,
  connectivity,
  batteryConcern,
  deviceKind,
  power,
  commandState,
  installationPeriodEnd,
  testResult,
  testPlanState,
  deviceLogVerb,
}
export type DeviceLabelKind = keyof typeof deviceLabels

export const deviceLabel = (kind: DeviceLabelKind, value: string, lang: Lang): string =>
  lookupLabel(deviceLabels[kind], value, lang)
