import { recordStateLabels } from '../business-codes.ts'
import { type EnumLabels, type Lang, lookupLabel } from '../field.ts'
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
  VOICE: ['语音求助', 'Voice'],
  BULLY: ['欺凌', 'Bullying'],
  INTRUSION: ['入侵', 'Intrusion'],
  MEDICAL: ['医疗急救', 'Medical'],
  FIRE: ['火警', 'Fire'],
  DEVICE_HEALTH: ['设备健康', 'Device health'],
  SECURITY_DUTY: ['安保值守', 'Security duty'],
}

const mode: EnumLabels<Mode> = { LIVE: ['真实', 'Live'], TEST: ['测试', 'Test'], DRILL: ['演练', 'Drill'] }

const disposition: EnumLabels<Disposition> = {
  REAL_HANDLED: ['属实，已处置', 'Real, handled'],
  REAL_POLICE: ['属实，移交警方', 'Real, handed to police'],
  FALSE_ACCIDENTAL: ['误触', 'False: accidental'],
  FALSE_DEVICE: ['设备误报', 'False: device'],
  FALSE_KEYWORD: ['关键词误报', 'False: keyword'],
  FALSE_MALICIOUS: ['恶意误报', 'False: malicious'],
  TEST: ['测试', 'Test'],
  DRILL: ['演练', 'Drill'],
  DUPLICATE: ['重复', 'Duplicate'],
  AUTO_RECOVERED: ['自动恢复', 'Recovered by itself'],
  NO_PERSON_FOUND: ['现场无人', 'Nobody found'],
}

const verb: EnumLabels<Verb> = {
  claim: ['认领', 'Claim'],
  release: ['释放', 'Release'],
  reassign: ['转交', 'Reassign'],
  verify: ['核实', 'Verify'],
  dispatch: ['派出', 'Dispatch'],
  arrive: ['到场', 'On site'],
  note: ['记录', 'Note'],
  escalate: ['升级', 'Escalate'],
  returned: ['退回', 'Hand back'],
  resolve: ['处置完成', 'Resolve'],
  false: ['标记误报', 'Mark as false'],
  confirmFalse: ['确认误报', 'Confirm false'],
  refuseFalse: ['不认可误报', 'Not false'],
  merge: ['合并', 'Merge'],
  close: ['审核关闭', 'Close'],
  reject: ['审核退回', 'Send back'],
  reopen: ['重新打开', 'Reopen'],
  shelve: ['搁置', 'Shelve'],
  unshelve: ['取消搁置', 'Unshelve'],
  take: ['接手', 'Take over'],
  loseLease: ['认领失效', 'Claim lapsed'],
  escalateBySystem: ['超时升级', 'Escalated: nobody came'],
  recover: ['自动恢复', 'Recovered by itself'],
  ringAgain: ['再次响铃', 'Rang again'],
  closeBySystem: ['自动关闭', 'Closed by itself'],
}

const logKind: EnumLabels<WarnLogRow['kind']> = {
  SIGNAL: ['信号', 'Signal'],
  TRANSITION: ['状态变化', 'Transition'],
  NOTE: ['记录', 'Note'],
  DELIVERY: ['通知', 'Delivery'],
  COMMAND: ['指令', 'Command'],
  VIEW: ['查看', 'View'],
  MEDIA: ['音视频', 'Media'],
  AUDIT: ['审计', 'Audit'],
}

const situation: EnumLabels<WarnRecord['condition']> = {
  ACTIVE: ['持续中', 'Active'],
  RECOVERED: ['已恢复', 'Recovered'],
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

const dedup: EnumLabels<WarnRule['dedupBy']> = {
  DEVICE: ['设备', 'Device'],
  ZONE: ['区域', 'Zone'],
  SCHOOL: ['学校', 'School'],
}

/** ANSI/TMA AVS-01's levels of validation, from no call for service to a confirmed threat to life. */
const validation: EnumLabels<'0' | '1' | '2' | '3' | '4'> = {
  '0': ['0 级 无需出动', '0 No call for service'],
  '1': ['1 级 需要出动，情况不明', '1 Call for service, little known'],
  '2': ['2 级 现场有人，意图不明', '2 A person is present, intent unknown'],
  '3': ['3 级 现场有人，威胁财物或秩序', '3 A person is present, threat to property or order'],
  '4': ['4 级 确认危及生命，须立即升级', '4 Confirmed threat to life, escalate at once'],
}

/** Usual causes, offered beside free codes. */
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

/** What devices report, the protocol's codes; others are shown as they came. */
const alarmCode = {
  PANIC: ['紧急报警', 'Panic'],
  PANIC_SILENT: ['无声报警', 'Silent panic'],
  VOICE_HELP: ['语音求救', 'Cry for help'],
  VOICE_ABUSE: ['辱骂语音', 'Abusive speech'],
  SOUND_VIOLENCE: ['暴力声响', 'Sounds of violence'],
  INTERCOM: ['对讲呼叫', 'Intercom call'],
  MEDICAL: ['医疗求助', 'Medical'],
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
  // Found by the server itself.
  UNPARSABLE: ['无法解析的报警', 'Unreadable alarm'],
  OFFLINE: ['设备离线', 'Device offline'],
  ONLINE: ['设备上线', 'Device online'],
  FLAPPING: ['频繁上下线', 'Unstable connection'],
  FLAPPING_ENDED: ['连接恢复稳定', 'Connection stable'],
  SEQ_GAP: ['消息序号缺失', 'Messages missing'],
  MESSAGES_DROPPED: ['消息过多被丢弃', 'Too many messages, dropped'],
  TAKEN_OVER: ['同一设备重复连接', 'Duplicate connection'],
  SELF_TEST_FAILED: ['自检未通过', 'Self-test failed'],
} as const

/** What the system itself writes into a record's trace, beside the verbs of people. */
const traceLabel = {
  raise: ['产生警情', 'Raised'],
  signal: ['收到信号', 'Signal'],
  repeat: ['再次收到信号', 'Signal again'],
  recovery: ['收到恢复信号', 'Recovery signal'],
  cancel: ['现场取消', 'Cancelled on site'],
  reset: ['设备手动复位', 'Reset on the device'],
  raiseLevel: ['提高级别', 'Level raised'],
  merged: ['其他警情并入', 'Another record merged in'],
  wentOn: ['由新警情继续处置', 'Goes on in a new record'],
  T1: ['超时未认领，再次提醒', 'Unclaimed: reminded'],
  T2: ['认领后未处置，提醒值班长', 'No action after the claim: lead told'],
  T3: ['属实未升级，提醒', 'Real and not escalated: reminded'],
  T4: ['派出人员未到场，提醒', 'Not on site: reminded'],
  overdue: ['超时未处置完成', 'Overdue'],
} as const

/** Why the system did it. */
const traceReason = {
  LEASE: ['席位失去响应', 'The desk did not answer'],
  T1: ['超时未认领', 'Nobody claimed it in time'],
  T2: ['认领后超时未处置', 'No action in time after the claim'],
  T3: ['属实后超时未升级', 'Real, and not escalated in time'],
  // Why a message could not be read.
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

/** The words of alarms: on screens, in exports and in what the server says. */
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
  via,
  validation,
  cause,
  alarmCode,
  ruleCondition,
  dedup,
} satisfies Record<string, EnumLabels<string>>
export type AlarmLabelKind = keyof typeof alarmLabels

export const alarmLabel = (kind: AlarmLabelKind, value: string | number, lang: Lang): string =>
  lookupLabel(alarmLabels[kind], value, lang)
