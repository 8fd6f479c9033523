import { assignmentStateLabels, recordStateLabels } from '../codes/business-codes.ts'
import { type EnumLabels, type Lang, lookupLabel } from '../field.ts'
import type { AssignmentState, DeclineReason, ResponderState } from './assignment-machine.ts'
import type { WarnLogRow } from './log.ts'
import type { Disposition, Mode, RecordState, Verb } from './state-machine.ts'
import type { Occurrence, WarnRecord } from './record.ts'
import type { WarnClass, WarnRule } from './rule.ts'

const recordState: EnumLabels<RecordState> = recordStateLabels

const level: EnumLabels<'1' | '2' | '3' | '4'> = {
  '1': ['一级', 'Level 1'],
  '2': ['二级', 'Level 2'],
  '3': ['三级', 'Level 3'],
  '4': ['四级', 'Level 4'],
}

const warnClass: EnumLabels<WarnClass> = {
  PANIC: ['紧急报警', 'Panic'],
  VOICE: ['语音求助', 'Voice help'],
  BULLY: ['欺凌', 'Bullying'],
  INTRUSION: ['入侵', 'Intrusion'],
  MEDICAL: ['医疗急救', 'Medical'],
  FIRE: ['火警', 'Fire'],
  DEVICE_HEALTH: ['设备异常', 'Device trouble'],
  SECURITY_DUTY: ['值守异常', 'Duty gap'],
}

const mode: EnumLabels<Mode> = { LIVE: ['真实', 'Live'], TEST: ['测试', 'Test'], DRILL: ['演练', 'Drill'] }

const disposition: EnumLabels<Disposition> = {
  REAL_HANDLED: ['属实，已处置', 'Real, handled'],
  REAL_POLICE: ['属实，移交警方', 'Real, handed to police'],
  FALSE_ACCIDENTAL: ['误触', 'False alarm: accidental'],
  FALSE_DEVICE: ['设备误报', 'False alarm: device'],
  FALSE_KEYWORD: ['关键词误报', 'False alarm: keyword'],
  FALSE_MALICIOUS: ['恶意误报', 'False alarm: malicious'],
  TEST: ['测试', 'Test'],
  DRILL: ['演练', 'Drill'],
  DUPLICATE: ['重复', 'Duplicate'],
  AUTO_RECOVERED: ['设备自行恢复', 'Cleared by device'],
  NO_PERSON_FOUND: ['现场无人', 'Nobody found'],
}

const verb: EnumLabels<Verb> = {
  claim: ['接警', 'Claim'],
  release: ['退回队列', 'Release'],
  reassign: ['转交', 'Reassign'],
  verify: ['核实', 'Verify'],
  dispatch: ['派人', 'Send'],
  sendMore: ['增派', 'Send more'],
  arrive: ['到场', 'Arrive'],
  note: ['备注', 'Note'],
  escalate: ['转警方', 'Hand to police'],
  returned: ['退回学校', 'Return to school'],
  resolve: ['处置完成', 'Resolve'],
  false: ['标记误报', 'Mark as false alarm'],
  confirmFalse: ['确认误报', 'Confirm'],
  refuseFalse: ['不认可', 'Reject'],
  merge: ['合并', 'Merge'],
  close: ['结案', 'Close'],
  reject: ['退回重办', 'Send back'],
  reopen: ['重新打开', 'Reopen'],
  shelve: ['搁置', 'Shelve'],
  unshelve: ['取消搁置', 'Unshelve'],
  take: ['接手', 'Take over'],
  loseLease: ['席位离线，退回队列', 'Seat lost, released'],
  escalateBySystem: ['超时转警方', 'Overdue, handed to police'],
  recover: ['设备自行恢复', 'Cleared by device'],
  ringAgain: ['再次响铃', 'Rang again'],
  endTest: ['测试完成', 'Test completed'],
  closeBySystem: ['自动结案', 'Closed automatically'],
}

const logKind: EnumLabels<WarnLogRow['kind']> = {
  SIGNAL: ['信号', 'Signal'],
  TRANSITION: ['状态变化', 'Transition'],
  NOTE: ['备注', 'Note'],
  DELIVERY: ['通知', 'Delivery'],
  COMMAND: ['指令', 'Command'],
  VIEW: ['查看', 'View'],
  MEDIA: ['音视频', 'Media'],
  AUDIT: ['审计', 'Audit'],
}

const situation: EnumLabels<WarnRecord['condition']> = {
  ACTIVE: ['按钮未复位', 'Button not reset'],
  RECOVERED: ['按钮已复位', 'Button reset'],
}

/** The condition of a device alarm, which no button resets. */
const deviceSituation: EnumLabels<WarnRecord['condition']> = {
  ACTIVE: ['持续中', 'Active'],
  RECOVERED: ['设备自行恢复', 'Cleared by device'],
}

const via: EnumLabels<Occurrence['via']> = {
  MQTT: ['MQTT', 'MQTT'],
  HTTP: ['HTTP', 'HTTP'],
  SERVER: ['服务器', 'Server'],
}

const ruleCondition: EnumLabels<WarnRule['condition']> = {
  INSTANT: ['立即', 'At once'],
  REPEAT: ['时长内重复', 'Repeated within'],
  DURATION: ['持续时长', 'Lasting'],
  NO_DATA: ['无数据', 'No data'],
}

const ruleSchedule: EnumLabels<WarnRule['schedule']> = {
  ALWAYS: ['全天', 'Always'],
  CLASS: ['上课时间', 'School hours'],
  OUT_OF_CLASS: ['非上课时间', 'Out of school hours'],
  NIGHT: ['夜间', 'Night'],
  HOLIDAY: ['节假日', 'Holidays'],
}

const dedup: EnumLabels<WarnRule['dedupBy']> = {
  DEVICE: ['设备', 'Device'],
  ZONE: ['区域', 'Zone'],
  SCHOOL: ['学校', 'School'],
}

/** Levels of validation of ANSI/TMA AVS-01, worst last. Screens list the worst first (screens 1.2). */
const validation: EnumLabels<'0' | '1' | '2' | '3' | '4'> = {
  '0': ['无险情', 'Nothing is happening'],
  '1': ['情况不明，需要查看', 'Unclear, someone must look'],
  '2': ['现场有人，意图不明', 'Person present, intent unknown'],
  '3': ['有人威胁财物或秩序', 'Threat to property or order'],
  '4': ['危及生命', 'Life in danger'],
}

const assignmentState: EnumLabels<AssignmentState> = assignmentStateLabels

const responderState: EnumLabels<ResponderState> = {
  FREE: ['空闲', 'Free'],
  ASSIGNED: ['已派', 'Assigned'],
  EN_ROUTE: ['途中', 'On the way'],
  ON_SCENE: ['在现场', 'On scene'],
  OFF: ['未在岗', 'Off duty'],
}

const declineReason: EnumLabels<DeclineReason> = {
  BUSY: ['正在处理其他任务', 'Busy with another task'],
  FAR: ['距离太远', 'Too far away'],
  OFF_DUTY: ['不在岗', 'Not on duty'],
  UNABLE: ['身体或其他原因', 'Unwell or another cause'],
}

/** Usual causes, suggested beside free codes. */
const cause = {
  MISTOUCH: ['误触按钮', 'Pressed by mistake'],
  PRANK: ['恶作剧', 'Prank'],
  TRAINING: ['培训或测试', 'Training or test'],
  DEVICE_FAULT: ['设备故障', 'Device fault'],
  NOISE: ['环境噪声', 'Ambient noise'],
  INJURY: ['受伤或疾病', 'Injury or illness'],
  FIGHT: ['打架斗殴', 'Fight'],
  INTRUDER: ['外来人员', 'Intruder'],
  CONFLICT: ['纠纷冲突', 'Dispute'],
} as const

/** Codes of the device protocol. Other codes are shown unchanged. */
const alarmCode = {
  PANIC: ['紧急报警', 'Panic'],
  PANIC_SILENT: ['静默报警', 'Silent panic'],
  VOICE_HELP: ['语音求助', 'Voice help'],
  VOICE_ABUSE: ['辱骂语音', 'Abusive speech'],
  SOUND_VIOLENCE: ['暴力声响', 'Sounds of violence'],
  INTERCOM: ['对讲呼叫', 'Intercom call'],
  MEDICAL: ['医疗急救', 'Medical'],
  FIRE_MANUAL: ['手动火警', 'Manual fire alarm'],
  INTRUSION: ['入侵', 'Intrusion'],
  DURESS_CANCEL: ['胁迫取消', 'Cancelled under duress'],
  CANCEL: ['现场取消', 'Cancelled on site'],
  TAMPER: ['防拆报警', 'Tampered with'],
  TAMPER_RESTORED: ['防拆恢复', 'Tamper restored'],
  BATTERY_LOW: ['电量低', 'Battery low'],
  BATTERY_OK: ['电量恢复', 'Battery fine'],
  MAINS_LOST: ['市电中断', 'Mains lost'],
  MAINS_RESTORED: ['市电恢复', 'Mains restored'],
  FAULT: ['设备故障', 'Fault'],
  FAULT_CLEARED: ['故障恢复', 'Fault cleared'],
  SELF_TEST: ['自检', 'Self-test'],
  BOOT: ['启动', 'Started'],
  MANUAL_RESET: ['手动复位', 'Manual reset'],
  // Codes that the server raises itself.
  UNPARSABLE: ['无法解析的报警', 'Unreadable alarm'],
  OFFLINE: ['设备离线', 'Device offline'],
  ONLINE: ['设备上线', 'Device online'],
  OUTAGE: ['大面积离线', 'Many devices offline'],
  OUTAGE_ENDED: ['大面积离线结束', 'Devices are back'],
  FLAPPING: ['频繁上下线', 'Unstable connection'],
  FLAPPING_ENDED: ['连接恢复稳定', 'Connection stable'],
  SEQ_GAP: ['消息序号缺失', 'Messages missing'],
  MESSAGES_DROPPED: ['消息过多被丢弃', 'Too many messages, dropped'],
  TAKEN_OVER: ['同一设备重复连接', 'Duplicate connection'],
  CONNECT_FAULT: ['连接参数不合规', 'Wrong connection settings'],
  CONNECT_FAULT_CLEARED: ['连接参数恢复正常', 'Connection settings fixed'],
  SELF_TEST_FAILED: ['自检未通过', 'Self-test failed'],
} as const

/** Labels of log entries that the system writes. */
const traceLabel = {
  raise: ['产生警情', 'Raised'],
  signal: ['收到信号', 'Signal'],
  repeat: ['再次收到信号', 'Signal again'],
  recovery: ['收到恢复信号', 'Recovery signal'],
  cancel: ['现场取消', 'Cancelled on site'],
  reset: ['设备手动复位', 'Reset on the device'],
  raiseLevel: ['提高级别', 'Level raised'],
  merged: ['其他警情并入', 'Another alarm merged in'],
  wentOn: ['由新警情继续处置', 'Continues in a new alarm'],
  pressedAgain: ['该设备再次报警', 'The device was pressed again'],
  foundReal: ['按真实警情处置', 'Handled as a real alarm'],
  linkedFoundReal: ['该设备的另一次按键按真实警情处置', 'Another press of the device is handled as a real alarm'],
  leftToOwner: ['调试已结束，留给接警人', 'Commissioning ended, left to its owner'],
  pressedElsewhere: ['该设备已在别处报警', 'The device was pressed at another place'],
  T1: ['超时未接警，催办', 'Unclaimed: reminder'],
  noRecipient: ['无可通知的人，未送达任何人', 'Nobody could be told: no recipient'],
  T2: ['接警后未处置，提醒值班长', 'No action after the claim: shift lead told'],
  T3: ['危及生命未转警方，催办', 'Life in danger, not with police: reminder'],
  T4: ['派人后未到场，催办', 'Not on scene: reminder'],
  overdue: ['超时未处置完成', 'Overdue'],
  receive: ['签收任务', 'Task received'],
  depart: ['出发前往', 'On the way'],
  clear: ['完成任务', 'Task done'],
  decline: ['无法前往', 'Declined'],
  support: ['请求增援', 'Support asked for'],
  recall: ['撤回派人', 'Recalled'],
  noReceipt: ['派人后未签收，提醒', 'Not received yet: reminder'],
  timeOut: ['超时未签收，建议另派', 'No answer: send somebody else'],
  unanswered: ['派人后无人签收，升级通知', 'Nobody answered: escalated'],
  tick: ['完成预案步骤', 'Step of the plan done'],
  untick: ['取消勾选预案步骤', 'Step of the plan open again'],
  skipStep: ['跳过预案步骤', 'Step of the plan skipped'],
  speakStep: ['设备播报预案步骤', 'Step of the plan spoken at the device'],
  sirenStep: ['按预案鸣警笛', 'Siren sounded by the plan'],
} as const

/** Reasons of actions of the system. */
const traceReason = {
  LEASE: ['席位失去响应', 'The seat did not answer'],
  T1: ['超时未接警', 'Nobody claimed it in time'],
  T2: ['接警后超时未处置', 'No action in time after the claim'],
  T3: ['危及生命，超时未转警方', 'Life in danger, not handed to police in time'],
  // Why the press that an installation expected was over.
  INSTALLATION_ACCEPTED: ['安装已验收', 'The installation was accepted'],
  // Why the health of a device was over, or an installation ended.
  DEVICE_MOVED: ['设备已移位', 'The device was moved'],
  DEVICE_REMOVED: ['设备已拆除', 'The device was removed'],
  DEVICE_LOST: ['设备已报失', 'The device was reported lost'],
  DEVICE_RETIRED: ['设备已报废', 'The device was retired'],
  DEVICE_GATEWAY_CHANGED: ['设备已更换网关', 'The gateway of the device was changed'],
  // Reasons why a message could not be decoded.
  TOO_LARGE: ['过大', 'Too large'],
  NOT_UTF8: ['不是 UTF-8 文本', 'Not UTF-8 text'],
  NOT_JSON: ['不是 JSON', 'Not JSON'],
  NOT_CBOR: ['不是有效的 CBOR', 'Not valid CBOR'],
  WRONG_SHAPE: ['格式不符', 'Not of the agreed shape'],
  FORBIDDEN_TEXT: ['含有不允许的字符', 'Holds characters that are not allowed'],
  FORBIDDEN_NUMBER: ['含有不允许的数值', 'Holds a number that is not allowed'],
  FORBIDDEN_KEY: ['含有不允许的键', 'Holds a key that is not allowed'],
  TOO_DEEP: ['嵌套过深', 'Nested too deeply'],
  UNKNOWN_CHILD: ['网关下没有这个设备', 'No such device behind this gateway'],
  NOT_A_GATEWAY: ['该设备不是网关', 'The device is no gateway'],
} as const

/** Labels of alarms for screens, exports and messages of the server. */
export const alarmLabels = {
  recordState,
  level,
  warnClass,
  mode,
  disposition,
  verb,
  traceVerb: { ...verb, ...traceLabel },
  traceReason,
  logKind,
  situation,
  deviceSituation,
  via,
  validation,
  cause,
  alarmCode,
  ruleCondition,
  ruleSchedule,
  dedup,
  assignmentState,
  responderState,
  declineReason,
} satisfies Record<string, EnumLabels<string>>
export type AlarmLabelKind = keyof typeof alarmLabels

/** The labels of the condition of a class: only alarms of people have a button to reset. */
export const situationKind = (of: WarnClass): 'situation' | 'deviceSituation' =>
  of === 'DEVICE_HEALTH' || of === 'SECURITY_DUTY' ? 'deviceSituation' : 'situation'

export const alarmLabel = (kind: AlarmLabelKind, value: string | number, lang: Lang): string =>
  lookupLabel(alarmLabels[kind], value, lang)
