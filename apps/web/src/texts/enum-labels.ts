import { trialLabels } from '@tocsin/contract/alarm/rule-trial'
import { outageLabels } from '@tocsin/contract/alarm/outage'
import { accessLabels } from '@tocsin/contract/access/access-labels'
import { codegenLabels } from '@tocsin/contract/codegen/codegen-labels'
import { fileLabels } from '@tocsin/contract/files/file-labels'
import { noticeLabels } from '@tocsin/contract/notices/notice-labels'
import { alarmLabels } from '@tocsin/contract/alarm/alarm-labels'
import { deviceLabels } from '@tocsin/contract/device/device-labels'
import type { DeviceLack, UnknownDevice } from '@tocsin/contract/device/device'
import { startLabels } from '@tocsin/contract/insight/home/start-steps'
import { mapLabels } from '@tocsin/contract/insight/map'
import { silenceLabels } from '@tocsin/contract/insight/silence'
import { reportLabels } from '@tocsin/contract/insight/report-labels'
import { wallLabels } from '@tocsin/contract/insight/wall-labels'
import { readinessLabels } from '@tocsin/contract/insight/readiness-labels'
import { maintenanceLabels } from '@tocsin/contract/device/maintenance-labels'
import { rolloutLabels } from '@tocsin/contract/device/rollout/rollout-labels'
import { procedureLabels } from '@tocsin/contract/device/procedure/procedure-labels'
import type { Capability, commandTypes, DeviceModel } from '@tocsin/contract/device/model'
import { type EnumLabels, type Lang, lookupLabel } from '@tocsin/contract/field'
import { notifyLabels } from '@tocsin/contract/notify/notify-labels'
import { employeeLabels } from '@tocsin/contract/school/employee-labels'
import { dutyLabels } from '@tocsin/contract/security/duty-labels'
import { coordinateLabels } from '@tocsin/contract/school/plan/coordinate-system'
import { schoolLabels } from '@tocsin/contract/school/school-labels'
import { announcementLabels } from '@tocsin/contract/announcement/announcement-labels'
import { superviseLabels } from '@tocsin/contract/supervise/supervise-labels'
import { auditLabels } from '@tocsin/contract/audit/audit-labels'
import { policeLabels } from '@tocsin/contract/police/police-labels'

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
  UPDATE: ['远程升级', 'Update'],
}

const deviceLack: EnumLabels<DeviceLack> = {
  POLICE_STATION: ['未指定派出所', 'No police station'],
  RECIPIENT: ['学校无人接警', 'No recipient at the school'],
}

const strangerReason: EnumLabels<UnknownDevice['reason']> = {
  UNKNOWN_SN: ['序列号未登记', 'Unknown serial number'],
  BAD_SECRET: ['密钥错误', 'Wrong secret'],
  RETIRED: ['设备已报废', 'Retired device'],
  BAD_NAME: ['名称不合规', 'Malformed name'],
}

const vocabulary = {
  ...alarmLabels,
  ...outageLabels,
  ...trialLabels,
  ...deviceLabels,
  ...maintenanceLabels,
  ...procedureLabels,
  ...rolloutLabels,
  ...readinessLabels,
  ...silenceLabels,
  ...reportLabels,
  ...wallLabels,
  ...startLabels,
  ...mapLabels,
  ...dutyLabels,
  ...employeeLabels,
  ...policeLabels,
  ...notifyLabels,
  ...superviseLabels,
  ...announcementLabels,
  deviceProtocol,
  capability,
  commandType,
  deviceLack,
  strangerReason,
  ...schoolLabels,
  ...coordinateLabels,
  ...accessLabels,
  ...noticeLabels,
  ...fileLabels,
  ...codegenLabels,
  ...auditLabels,
} satisfies Record<string, EnumLabels<string>>
export type EnumKind = keyof typeof vocabulary

export const hasEnumKind = (kind: string): kind is EnumKind => kind in vocabulary

export const enumLabel = (kind: EnumKind, value: string | number, lang: Lang): string =>
  lookupLabel(vocabulary[kind], value, lang)

/** All values that have a label of this kind. */
export const enumValues = (kind: EnumKind): string[] => Object.keys(vocabulary[kind])

/** Select options for these values, in their order. */
export const enumOptions = <V extends string>(kind: EnumKind, values: readonly V[], lang: Lang) =>
  values.map((value) => ({ value, label: enumLabel(kind, value, lang) }))
