import { localStamp } from '../time-zone.ts'
import type { Lang } from '../field.ts'
import type { WarnLog } from './log.ts'
import { type AlarmLabelKind, alarmLabel } from './alarm-labels.ts'

const names: Record<string, readonly [string, string]> = {
  step: ['步骤', 'Step'],
  code: ['代码', 'Code'],
  occurredAt: ['发生时间', 'Occurred'],
  via: ['途径', 'Via'],
  pressCount: ['按压次数', 'Presses'],
  late: ['迟到', 'Late'],
  class: ['类别', 'Class'],
  level: ['级别', 'Level'],
  from: ['原级别', 'From'],
  to: ['新级别', 'To'],
  reason: ['理由', 'Reason'],
  overrideReason: ['未复位理由', 'Reason without a reset'],
  note: ['说明', 'Note'],
  validation: ['核实', 'Verification'],
  guards: ['派出人员', 'Sent'],
  toldName: ['电话告知', 'Told by telephone'],
  toldPhone: ['联系电话', 'Telephone number'],
  responder: ['人员', 'Person'],
  declineReason: ['原因', 'Reason'],
  onBehalf: ['代签', 'On behalf'],
  doneAt: ['操作时间', 'Done at'],
  disposition: ['处置结果', 'Disposition'],
  causeCode: ['原因', 'Cause'],
  name: ['转交给', 'Given to'],
  until: ['至', 'Until'],
  intoNo: ['并入', 'Merged into'],
  no: ['警情编号', 'Alarm no.'],
  linkedNo: ['关联警情', 'Linked alarm'],
  loop: ['催办次数', 'Reminder'],
  unseen: ['此时尚无席位看到', 'Seen by no seat yet'],
  takenOver: ['接手', 'Taken over'],
  proposed: ['待他人确认', 'To be confirmed'],
  eventId: ['信号编号', 'Signal id'],
  eventIdReused: ['设备重复使用事件编号', 'Event id used again'],
  fault: ['故障', 'Fault'],
  passed: ['通过', 'Passed'],
  detail: ['详情', 'Detail'],
  'keyword.id': ['关键词', 'Keyword'],
  'keyword.conf': ['置信度', 'Confidence'],
  'keyword.db': ['音量（dB）', 'Loudness (dB)'],
  'press.holdMs': ['按住（毫秒）', 'Held (ms)'],
  'pos.lng': ['经度', 'Longitude'],
  'pos.lat': ['纬度', 'Latitude'],
  'pos.acc': ['误差（米）', 'Accuracy (m)'],
  bat: ['电量（%）', 'Battery (%)'],
  rssi: ['信号强度（dBm）', 'Signal (dBm)'],
  channel: ['通道', 'Channel'],
  field: ['字段', 'Field'],
  count: ['条数', 'Messages'],
  withinSec: ['时限（秒）', 'Within (s)'],
}

/** The label of a value in a log entry; ids have none. */
const traceName = (key: string, lang: Lang): string | undefined => {
  const known = names[key]?.[lang === 'en' ? 1 : 0]
  return known ?? (/Ids?$|Version$|By$/.test(key) ? undefined : key)
}

const kinds: Record<string, AlarmLabelKind> = {
  via: 'via',
  code: 'alarmCode',
  class: 'warnClass',
  level: 'level',
  from: 'level',
  to: 'level',
  validation: 'validation',
  disposition: 'disposition',
  causeCode: 'cause',
  reason: 'traceReason',
  declineReason: 'declineReason',
}
const instants = new Set(['occurredAt', 'until', 'doneAt'])

const shown = (key: string, value: unknown, lang: Lang): string => {
  if (typeof value === 'boolean') return lang === 'en' ? (value ? 'Yes' : 'No') : value ? '是' : '否'
  if (typeof value === 'number' && instants.has(key)) return localStamp(new Date(value))
  const kind = kinds[key]
  if (kind && (typeof value === 'string' || typeof value === 'number')) return alarmLabel(kind, value, lang)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What helps to find a fault, and tells nothing about the alarm. */
const technical = new Set([
  'eventId',
  'eventIdReused',
  'via',
  'channel',
  'field',
  'rssi',
  'bat',
  'keyword.id',
  'keyword.conf',
  'keyword.db',
  'press.holdMs',
  'pos.lng',
  'pos.lat',
  'pos.acc',
  'withinSec',
])
const isTechnical = (key: string): boolean => technical.has(key) || traceName(key, 'en') === undefined

type Payload = WarnLog['payload']

const pick = (payload: Payload, isWanted: (key: string) => boolean): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([key]) => isWanted(key)))

/** The values of a log entry that people read; its technical values are in `formatTechnicalText`. */
export const formatReadableText = (payload: Payload, lang: Lang): string =>
  formatLogText(
    pick(payload, (key) => !isTechnical(key)),
    lang,
  )

/** Ids, versions and measured values of a log entry, as `name: value`. */
export const formatTechnicalText = (payload: Payload, lang: Lang): string => {
  const values = pick(payload, isTechnical)
  const ids = Object.entries(values).filter(([key, value]) => traceName(key, lang) === undefined && value !== null)
  const named = formatLogText(values, lang)
  return [...(named ? [named] : []), ...ids.map(([key, value]) => `${key}: ${JSON.stringify(value)}`)].join('; ')
}

/** The values of a log entry besides its transition, as `name: value`; empty when none has a label. */
export const formatLogText = (payload: Payload, lang: Lang): string => {
  const [colon, between] = lang === 'en' ? [': ', '; '] : ['：', '；']
  // The database stores the keys in an order of its own.
  const keys = [
    ...Object.keys(names).filter((key) => key in payload),
    ...Object.keys(payload).filter((key) => !(key in names)),
  ]
  const given = keys.flatMap((key) => {
    const value = payload[key]
    const name = value === null || value === '' ? undefined : traceName(key, lang)
    return name === undefined ? [] : [`${name}${colon}${shown(key, value, lang)}`]
  })
  return given.join(between)
}
