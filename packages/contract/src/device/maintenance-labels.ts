import { maintenanceStateLabels } from '../codes/maintenance-codes.ts'
import { type EnumLabels, type Lang, lookupLabel } from '../field.ts'
import type { MaintenanceCause, MaintenanceLogEntry, MaintenancePriority } from './maintenance.ts'
import type { MaintenanceState, MaintenanceVerb } from './maintenance-machine.ts'

const maintenanceCause: EnumLabels<MaintenanceCause> = {
  FAULT: ['故障', 'Fault'],
  LOW_BATTERY: ['电量低', 'Low battery'],
  OFFLINE: ['离线', 'Offline'],
  TEST_FAILED: ['测试未通过', 'Test failed'],
  TEST_OVERDUE: ['测试逾期', 'Test overdue'],
  READINESS: ['就绪度低', 'Low readiness'],
  MANUAL: ['其他', 'Other'],
}

const maintenancePriority: EnumLabels<MaintenancePriority> = {
  HIGH: ['紧急', 'High'],
  NORMAL: ['普通', 'Normal'],
  LOW: ['低', 'Low'],
}

/** Buttons (screens 1.4). */
const maintenanceVerb: EnumLabels<MaintenanceVerb> = {
  arrive: ['到现场', 'On site'],
  finish: ['完工', 'Done'],
  verify: ['验收', 'Verify'],
  assign: ['派单', 'Assign'],
  reopen: ['返修', 'Reopen'],
  note: ['备注', 'Note'],
  cancel: ['取消工单', 'Cancel order'],
}

/** Past tense, as the timeline reads. */
const maintenanceLogVerb: EnumLabels<MaintenanceLogEntry['verb']> = {
  create: ['开单', 'opened the order'],
  arrive: ['到现场', 'arrived on site'],
  finish: ['完工', 'finished the work'],
  verify: ['验收通过', 'verified the work'],
  assign: ['派单', 'assigned the order'],
  reopen: ['返修', 'reopened the order'],
  note: ['备注', 'noted'],
  cancel: ['取消工单', 'cancelled the order'],
  exchange: ['换新设备', 'replaced the device'],
  recover: ['发现原因已消除', 'found that the cause has ended'],
}

export const maintenanceLabels = {
  maintenanceState: maintenanceStateLabels satisfies EnumLabels<MaintenanceState>,
  maintenanceCause,
  maintenancePriority,
  maintenanceVerb,
  maintenanceLogVerb,
}
type MaintenanceLabelKind = keyof typeof maintenanceLabels

export const maintenanceLabel = (kind: MaintenanceLabelKind, value: string, lang: Lang): string =>
  lookupLabel(maintenanceLabels[kind], value, lang)
