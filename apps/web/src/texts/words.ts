import type { WarnLogRow } from '@tocsin/contract/alarm/log'
import type { Disposition, Mode, RecordState, Verb } from '@tocsin/contract/alarm/machine'
import type { Occurrence, WarnRecord } from '@tocsin/contract/alarm/record'
import type { WarnClass, WarnRule } from '@tocsin/contract/alarm/rule'
import type { Device, DeviceState, UnknownDevice } from '@tocsin/contract/device/device'
import type { DeviceModel } from '@tocsin/contract/device/model'
import type { SchoolDevice } from '@tocsin/contract/device/school-device'
import type { Lang } from '@tocsin/contract/field'
import type { Place } from '@tocsin/contract/school/place'
import type { School } from '@tocsin/contract/school/school'
import { alarmCodes } from './alarm-codes.ts'
import { auditWords } from './audit-words.ts'
import { traceWords } from './log-words.ts'
import { systemWords } from './system-words.ts'

/** Chinese and English of each word of an enum; a word of the contract missing here is a compile error. */
type Labels<W extends string> = Record<W, readonly [zh: string, en: string]>

const recordState: Labels<RecordState> = {
  NEW: ['待认领', 'New'],
  CLAIMED: ['已认领', 'Claimed'],
  HANDLING: ['处置中', 'Handling'],
  ESCALATED: ['已升级', 'Escalated'],
  RESOLVED: ['待审核', 'Resolved'],
  CLOSED: ['已关闭', 'Closed'],
}

const level: Labels<'1' | '2' | '3' | '4'> = {
  '1': ['一级', 'Level 1'],
  '2': ['二级', 'Level 2'],
  '3': ['三级', 'Level 3'],
  '4': ['四级', 'Level 4'],
}

const warnClass: Labels<WarnClass> = {
  PANIC: ['紧急报警', 'Panic'],
  VOICE: ['语音求助', 'Voice'],
  BULLY: ['欺凌', 'Bullying'],
  INTRUSION: ['入侵', 'Intrusion'],
  MEDICAL: ['医疗急救', 'Medical'],
  FIRE: ['火警', 'Fire'],
  DEVICE_HEALTH: ['设备健康', 'Device health'],
  SECURITY_DUTY: ['安保值守', 'Security duty'],
}

const mode: Labels<Mode> = { LIVE: ['真实', 'Live'], TEST: ['测试', 'Test'], DRILL: ['演练', 'Drill'] }

const disposition: Labels<Disposition> = {
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

const verb: Labels<Verb> = {
  claim: ['认领', 'Claim'],
  release: ['释放', 'Release'],
  reassign: ['转交', 'Reassign'],
  verify: ['核实', 'Verify'],
  dispatch: ['派出', 'Dispatch'],
  arrive: ['到场', 'On site'],
  note: ['记录', 'Note'],
  escalate: ['升级', 'Escalate'],
  returned: ['退回', 'Returned'],
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

const logKind: Labels<WarnLogRow['kind']> = {
  SIGNAL: ['信号', 'Signal'],
  TRANSITION: ['状态变化', 'Transition'],
  NOTE: ['记录', 'Note'],
  DELIVERY: ['通知', 'Delivery'],
  COMMAND: ['指令', 'Command'],
  VIEW: ['查看', 'View'],
  MEDIA: ['音视频', 'Media'],
  AUDIT: ['审计', 'Audit'],
}

const situation: Labels<WarnRecord['condition']> = {
  ACTIVE: ['持续中', 'Active'],
  RECOVERED: ['已恢复', 'Recovered'],
}

const via: Labels<Occurrence['via']> = { MQTT: ['MQTT', 'MQTT'], HTTP: ['HTTP', 'HTTP'], SERVER: ['服务器', 'Server'] }

const ruleCondition: Labels<WarnRule['condition']> = {
  INSTANT: ['立即', 'At once'],
  REPEAT: ['时长内重复', 'Repeated within'],
  DURATION: ['持续时长', 'Lasting'],
  NO_DATA: ['无数据', 'No data'],
}

const dedup: Labels<WarnRule['dedupBy']> = {
  DEVICE: ['设备', 'Device'],
  ZONE: ['区域', 'Zone'],
  SCHOOL: ['学校', 'School'],
}

const lifecycle: Labels<Device['lifecycle']> = {
  IN_STOCK: ['在库', 'In stock'],
  ALLOCATED: ['已分配', 'Allocated'],
  INSTALLING: ['安装中', 'Installing'],
  COMMISSIONING: ['调试中', 'Commissioning'],
  IN_SERVICE: ['使用中', 'In service'],
  UNDER_REPAIR: ['维修中', 'Under repair'],
  SUSPENDED: ['停用', 'Suspended'],
  LOST: ['丢失', 'Lost'],
  RETIRED: ['报废', 'Retired'],
}

const connectivity: Labels<DeviceState['connectivity']> = {
  NEVER_SEEN: ['从未上线', 'Never seen'],
  ONLINE: ['在线', 'Online'],
  LATE: ['心跳迟到', 'Late'],
  OFFLINE: ['离线', 'Offline'],
}

const deviceKind: Labels<DeviceModel['kind']> = {
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

const power: Labels<DeviceModel['power']> = {
  MAINS: ['市电', 'Mains'],
  POE: ['PoE', 'PoE'],
  BATTERY: ['电池', 'Battery'],
}

const installation: Labels<SchoolDevice['status']> = {
  PLANNED: ['计划', 'Planned'],
  INSTALLED: ['已安装', 'Installed'],
  ACCEPTED: ['已验收', 'Accepted'],
  SUSPENDED: ['停用', 'Suspended'],
  REMOVED: ['已拆除', 'Removed'],
}

const strangerReason: Labels<UnknownDevice['reason']> = {
  UNKNOWN_SN: ['序列号未登记', 'Unknown serial number'],
  BAD_SECRET: ['密钥错误', 'Wrong secret'],
  RETIRED: ['设备已报废', 'Retired device'],
  BAD_NAME: ['名称不合规', 'Malformed name'],
}

const placeKind: Labels<Place['kind']> = {
  CAMPUS: ['校区', 'Campus'],
  BUILDING: ['楼栋', 'Building'],
  FLOOR: ['楼层', 'Floor'],
  ROOM: ['房间', 'Room'],
  ZONE: ['区域', 'Zone'],
  GATE: ['出入口', 'Gate'],
  OUTDOOR: ['室外', 'Outdoors'],
}

const sensitivity: Labels<Place['sensitivity']> = { NORMAL: ['普通', 'Normal'], PRIVATE: ['隐私', 'Private'] }

const stage: Labels<School['stage']> = {
  KINDERGARTEN: ['幼儿园', 'Kindergarten'],
  PRIMARY: ['小学', 'Primary'],
  JUNIOR: ['初中', 'Junior secondary'],
  SENIOR: ['高中', 'Senior secondary'],
  VOCATIONAL: ['职业学校', 'Vocational'],
  SPECIAL: ['特殊教育', 'Special needs'],
  UNIVERSITY: ['高等院校', 'University'],
}

const areaType: Labels<School['areaType']> = {
  URBAN: ['城区', 'Urban'],
  SUBURBAN: ['城郊', 'Suburban'],
  RURAL: ['乡村', 'Rural'],
}

const schoolStatus: Labels<School['status']> = {
  PREPARING: ['筹备', 'Preparing'],
  ACTIVE: ['在用', 'Active'],
  SUSPENDED: ['暂停', 'Suspended'],
  CLOSED: ['关闭', 'Closed'],
}

const vocabulary = {
  recordState,
  level,
  warnClass,
  mode,
  disposition,
  verb,
  traceVerb: { ...verb, ...traceWords },
  logKind,
  situation,
  via,
  alarmCode: alarmCodes,
  ruleCondition,
  dedup,
  lifecycle,
  connectivity,
  deviceKind,
  power,
  installation,
  strangerReason,
  placeKind,
  sensitivity,
  stage,
  areaType,
  schoolStatus,
  ...systemWords,
  ...auditWords,
} satisfies Record<string, Labels<string>>
export type WordKind = keyof typeof vocabulary

/** The word to show; one that is not known is shown as it came, the truth in code being better than none. */
export const word = (kind: WordKind, value: string | number, lang: Lang): string => {
  const labels: Partial<Record<string, readonly [string, string]>> = vocabulary[kind]
  return labels[String(value)]?.[lang === 'en' ? 1 : 0] ?? String(value)
}

/** Everything that has a word of this kind. */
export const wordsOf = (kind: WordKind): string[] => Object.keys(vocabulary[kind])

/** Options of a select over these words, in their order. */
export const wordOptions = <V extends string>(kind: WordKind, values: readonly V[], lang: Lang) =>
  values.map((value) => ({ value, label: word(kind, value, lang) }))
