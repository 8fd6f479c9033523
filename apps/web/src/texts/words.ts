import { alarmWords } from '@tocsin/contract/alarm/words'
import type { Device, DeviceState, UnknownDevice } from '@tocsin/contract/device/device'
import type { DeviceModel } from '@tocsin/contract/device/model'
import type { SchoolDevice } from '@tocsin/contract/device/school-device'
import { type Labels, type Lang, wordOf } from '@tocsin/contract/field'
import type { Place } from '@tocsin/contract/school/place'
import type { School } from '@tocsin/contract/school/school'
import { auditWords } from '@tocsin/contract/system/log/words'
import { systemWords } from './system-words.ts'

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
  ...alarmWords,
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

export const word = (kind: WordKind, value: string | number, lang: Lang): string =>
  wordOf(vocabulary[kind], value, lang)

/** Everything that has a word of this kind. */
export const wordsOf = (kind: WordKind): string[] => Object.keys(vocabulary[kind])

/** Options of a select over these words, in their order. */
export const wordOptions = <V extends string>(kind: WordKind, values: readonly V[], lang: Lang) =>
  values.map((value) => ({ value, label: word(kind, value, lang) }))
