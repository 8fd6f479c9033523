import { alarmLabels } from '@tocsin/contract/alarm/alarm-labels'
import { deviceLabels } from '@tocsin/contract/device/device-labels'
import type { DeviceLack, UnknownDevice } from '@tocsin/contract/device/device'
import type { Capability, commandTypes, DeviceModel } from '@tocsin/contract/device/model'
import { type EnumLabels, type Lang, lookupLabel } from '@tocsin/contract/field'
import type { ContactRole } from '@tocsin/contract/school/contact'
import type { Place } from '@tocsin/contract/school/place'
import type { School } from '@tocsin/contract/school/school'
import { auditLabels } from '@tocsin/contract/audit/audit-labels'
import { systemLabels } from './system-labels.ts'

const deviceProtocol: EnumLabels<DeviceModel['protocol']> = {
  TOCSIN: ['校警联 MQTT / HTTP', 'Tocsin MQTT / HTTP'],
  THINGSBOARD: ['ThingsBoard', 'ThingsBoard'],
  GB28181: ['GB/T 28181', 'GB/T 28181'],
  HIKVISION: ['海康 ISAPI / ISUP', 'Hikvision ISAPI / ISUP'],
  DAHUA: ['大华', 'Dahua'],
  SIA_DC09: ['SIA DC-09', 'SIA DC-09'],
  CONTACT_ID: ['Contact ID', 'Contact ID'],
  SPARKPLUG_B: ['Sparkplug B', 'Sparkplug B'],
  JETLINKS: ['JetLinks', 'JetLinks'],
  ONENET: ['OneNET', 'OneNET'],
  ALIYUN_IOT: ['阿里云物联网', 'Aliyun IoT'],
}

const capability: EnumLabels<Capability> = {
  twoWayAudio: ['双向对讲', 'Two-way audio'],
  siren: ['警笛', 'Siren'],
  led: ['指示灯', 'Light'],
  keywordPack: ['关键词包', 'Keyword pack'],
  ota: ['远程升级', 'Update over the air'],
  silent: ['静默报警', 'Silent alarm'],
}

const commandType: EnumLabels<(typeof commandTypes)[number]> = {
  PLAY_TTS: ['语音播报', 'Speak a text'],
  TALK_START: ['开始对讲', 'Start talking'],
  TALK_STOP: ['结束对讲', 'Stop talking'],
  SIREN: ['鸣响警笛', 'Siren'],
  LED: ['控制指示灯', 'Light'],
  RESET: ['复位', 'Reset'],
  REBOOT: ['重启', 'Reboot'],
  SELF_TEST: ['自检', 'Self-test'],
  SET_CONFIG: ['下发配置', 'Set configuration'],
  TIME_SYNC: ['校时', 'Set the clock'],
  LISTEN: ['现场监听', 'Listen in'],
}

const deviceLack: EnumLabels<DeviceLack> = {
  POLICE_STATION: ['未指定派出所', 'No police station'],
  RECIPIENT: ['学校无人接警', 'No recipient at the school'],
}

const contactRole: EnumLabels<ContactRole> = {
  PRINCIPAL: ['校长', 'Principal'],
  SAFETY_OFFICER: ['安全主任', 'Safety officer'],
  LEGAL_VICE_HEAD: ['法治副校长', 'Legal vice-head'],
  GUARD_ROOM: ['保安室', 'Guard room'],
  OTHER: ['其他', 'Other'],
}

const strangerReason: EnumLabels<UnknownDevice['reason']> = {
  UNKNOWN_SN: ['序列号未登记', 'Unknown serial number'],
  BAD_SECRET: ['密钥错误', 'Wrong secret'],
  RETIRED: ['设备已报废', 'Retired device'],
  BAD_NAME: ['名称不合规', 'Malformed name'],
}

const placeKind: EnumLabels<Place['kind']> = {
  CAMPUS: ['校区', 'Campus'],
  BUILDING: ['楼栋', 'Building'],
  FLOOR: ['楼层', 'Floor'],
  ROOM: ['房间', 'Room'],
  ZONE: ['区域', 'Zone'],
  GATE: ['出入口', 'Gate'],
  OUTDOOR: ['室外', 'Outdoors'],
}

const sensitivity: EnumLabels<Place['sensitivity']> = { NORMAL: ['普通', 'Normal'], PRIVATE: ['隐私', 'Private'] }

const stage: EnumLabels<School['stage']> = {
  KINDERGARTEN: ['幼儿园', 'Kindergarten'],
  PRIMARY: ['小学', 'Primary'],
  JUNIOR: ['初中', 'Junior secondary'],
  SENIOR: ['高中', 'Senior secondary'],
  VOCATIONAL: ['职业学校', 'Vocational'],
  SPECIAL: ['特殊教育', 'Special needs'],
  UNIVERSITY: ['高等院校', 'University'],
}

const areaType: EnumLabels<School['areaType']> = {
  URBAN: ['城区', 'Urban'],
  SUBURBAN: ['城郊', 'Suburban'],
  RURAL: ['乡村', 'Rural'],
}

const schoolStatus: EnumLabels<School['status']> = {
  PREPARING: ['筹备', 'Preparing'],
  ACTIVE: ['在用', 'Active'],
  SUSPENDED: ['暂停', 'Suspended'],
  CLOSED: ['关闭', 'Closed'],
}

const vocabulary = {
  ...alarmLabels,
  ...deviceLabels,
  deviceProtocol,
  capability,
  commandType,
  deviceLack,
  contactRole,
  strangerReason,
  placeKind,
  sensitivity,
  stage,
  areaType,
  schoolStatus,
  ...systemLabels,
  ...auditLabels,
} satisfies Record<string, EnumLabels<string>>
export type EnumKind = keyof typeof vocabulary

export const enumLabel = (kind: EnumKind, value: string | number, lang: Lang): string =>
  lookupLabel(vocabulary[kind], value, lang)

/** Everything that has a word of this kind. */
export const enumValues = (kind: EnumKind): string[] => Object.keys(vocabulary[kind])

/** Options of a select over these words, in their order. */
export const enumOptions = <V extends string>(kind: EnumKind, values: readonly V[], lang: Lang) =>
  values.map((value) => ({ value, label: enumLabel(kind, value, lang) }))
