import { z } from 'zod'
import { alarmLabel } from '../alarm/alarm-labels.ts'
import { Millis } from '../codecs.ts'
import { type EnumLabels, field, type Lang } from '../field.ts'

/** What the system found when it issued an order. */
export const evidenceKinds = [
  'ALARM_OPEN',
  'BUTTON_OFFLINE',
  'READINESS_LOW',
  'FALSE_RATE',
  'SHIFTS_ABSENT',
  'TESTS_OVERDUE',
  'BULLYING_OPEN',
  'DRILL_LATE',
] as const
export type EvidenceKind = (typeof evidenceKinds)[number]

const measured = {
  kind: field(z.enum(evidenceKinds), '情形', 'Finding'),
  figure: field(z.int(), '数值', 'Measured'),
  /** What `figure` is a part of, or over how many days it was measured. */
  total: field(z.int().nullable(), '总数', 'Of'),
  /** The value that `figure`, or its share of `total` in percent, has passed. */
  limit: field(z.int().nullable(), '上限', 'Limit'),
  level: field(z.int().nullable(), '级别', 'Level'),
  place: field(z.string().nullable(), '位置', 'Place'),
}

/** `since` alone: when it began. With `until`: the period that was counted. */
export const OrderEvidence = z.strictObject({
  ...measured,
  since: field(Millis.nullable(), '起', 'Since'),
  until: field(Millis.nullable(), '止', 'Until'),
})
export type OrderEvidence = z.output<typeof OrderEvidence>

/** Stored form: instants in epoch ms. */
export const StoredEvidence = z.strictObject({ ...measured, since: z.int().nullable(), until: z.int().nullable() })
export type StoredEvidence = z.output<typeof StoredEvidence>

/** What `figure`, `total` and `limit` are called. */
export const evidenceFigure: EnumLabels<EvidenceKind> = {
  ALARM_OPEN: ['未结束（分钟）', 'Open for (minutes)'],
  BUTTON_OFFLINE: ['离线（小时）', 'Offline for (hours)'],
  READINESS_LOW: ['最高就绪度', 'Highest readiness'],
  FALSE_RATE: ['误报（起）', 'False alarms'],
  SHIFTS_ABSENT: ['缺岗（班次）', 'Shifts without anybody'],
  TESTS_OVERDUE: ['测试过期（台）', 'Devices with an overdue test'],
  BULLYING_OPEN: ['未结束（天）', 'Open for (days)'],
  DRILL_LATE: ['距上次演练（天）', 'Days since the last drill'],
}
export const evidenceTotal: EnumLabels<EvidenceKind> = {
  ALARM_OPEN: ['总数', 'Of'],
  BUTTON_OFFLINE: ['总数', 'Of'],
  READINESS_LOW: ['连续（天）', 'Days in a row'],
  FALSE_RATE: ['计入警情（起）', 'Alarms counted'],
  SHIFTS_ABSENT: ['总数', 'Of'],
  TESTS_OVERDUE: ['在用设备（台）', 'Devices in use'],
  BULLYING_OPEN: ['总数', 'Of'],
  DRILL_LATE: ['总数', 'Of'],
}
export const evidenceLimit: EnumLabels<EvidenceKind> = {
  ALARM_OPEN: ['上限（分钟）', 'Limit (minutes)'],
  BUTTON_OFFLINE: ['上限（小时）', 'Limit (hours)'],
  READINESS_LOW: ['下限', 'Lowest allowed'],
  FALSE_RATE: ['上限（%）', 'Limit (%)'],
  SHIFTS_ABSENT: ['触发（班次）', 'Reported from'],
  TESTS_OVERDUE: ['宽限（天）', 'Grace (days)'],
  BULLYING_OPEN: ['上限（天）', 'Limit (days)'],
  DRILL_LATE: ['间隔（天）', 'Interval (days)'],
}

/** The texts of an order, stored in Chinese and shown in the reader's language. */
export type OrderText = { title: string; content: string; requirement: string }
type Told = Pick<OrderEvidence, 'figure' | 'total' | 'limit'> & { label: string; where: string }
type Texts = { [K in keyof OrderText]: (told: Told) => string }

const zh: Record<EvidenceKind, Texts> = {
  ALARM_OPEN: {
    title: ({ label }) => `警情 ${label} 超时未结束`,
    content: ({ label, where, figure }) =>
      `警情 ${label}${where && `（${where}）`}已 ${figure} 分钟未结束，超过本级别的处置时限。`,
    requirement: () => '查明超时原因，处置并结束警情，提交处置情况与整改措施。',
  },
  BUTTON_OFFLINE: {
    title: ({ label }) => `报警按钮 ${label} 离线`,
    content: ({ label, figure, limit }) => `报警按钮 ${label} 已离线 ${figure} 小时，超过 ${limit} 小时的上限。`,
    requirement: () => '恢复在线并完成按钮测试，提交原因与处理结果。',
  },
  READINESS_LOW: {
    title: ({ total, limit }) => `就绪度连续 ${total} 天低于 ${limit}`,
    content: ({ label, figure, total, limit }) => `${label} 就绪度连续 ${total} 天低于 ${limit}，其间最高 ${figure}。`,
    requirement: () => '逐项处理就绪度页面列出的扣分原因，恢复到 80 以上。',
  },
  FALSE_RATE: {
    title: ({ limit }) => `误报率超过 ${limit}%`,
    content: ({ label, figure, total, limit }) =>
      `${label} 近 30 天 ${total} 起警情中 ${figure} 起为误报，超过 ${limit}%。`,
    requirement: () => '查明误报原因，调整设备或规则，提交整改措施。',
  },
  SHIFTS_ABSENT: {
    title: ({ figure }) => `7 天内 ${figure} 次缺岗`,
    content: ({ label, figure }) => `${label} 近 7 天有 ${figure} 个班次无人到岗，也无人替班。`,
    requirement: () => '说明缺岗原因，落实替班安排，提交后续排班。',
  },
  TESTS_OVERDUE: {
    title: () => '按钮测试过期',
    content: ({ label, figure, total, limit }) =>
      `${label} ${total} 台在用设备中 ${figure} 台的测试已过期 ${limit} 天以上。`,
    requirement: () => '报备派出所后完成按钮测试，处理未通过的设备。',
  },
  BULLYING_OPEN: {
    title: ({ label, limit }) => `欺凌警情 ${label} 超过 ${limit} 天未结`,
    content: ({ label, where, figure, limit }) =>
      `欺凌警情 ${label}${where && `（${where}）`}已 ${figure} 天未结束，调查应在 ${limit} 天内完成。`,
    requirement: () => '完成调查与认定，结束警情，提交调查结论与保护措施。',
  },
  DRILL_LATE: {
    title: ({ figure }) => `${figure} 天没有演练`,
    content: ({ label, figure, limit }) => `${label} 距上次演练已 ${figure} 天，超过 ${limit} 天的间隔。`,
    requirement: () => '组织应急疏散演练，提交演练记录与存在的问题。',
  },
}

const en: Record<EvidenceKind, Texts> = {
  ALARM_OPEN: {
    title: ({ label }) => `Alarm ${label} not ended in time`,
    content: ({ label, where, figure }) =>
      `Alarm ${label}${where && ` (${where})`} has been open for ${figure} minutes, longer than its level allows.`,
    requirement: () =>
      'Find out why, handle and end the alarm, and report how it was handled and what will prevent a delay.',
  },
  BUTTON_OFFLINE: {
    title: ({ label }) => `Alarm button ${label} offline`,
    content: ({ label, figure, limit }) =>
      `Alarm button ${label} has been offline for ${figure} hours; the limit is ${limit}.`,
    requirement: () => 'Bring it online, test the button, and report the cause and the result.',
  },
  READINESS_LOW: {
    title: ({ total, limit }) => `Readiness below ${limit} for ${total} days`,
    content: ({ label, figure, total, limit }) =>
      `The readiness of ${label} was below ${limit} for ${total} days in a row, at most ${figure}.`,
    requirement: () => 'Resolve the reasons listed on the readiness page until it is above 80.',
  },
  FALSE_RATE: {
    title: ({ limit }) => `More than ${limit}% false alarms`,
    content: ({ label, figure, total, limit }) =>
      `${label}: ${figure} of ${total} alarms in the last 30 days were false, more than ${limit}%.`,
    requirement: () => 'Find the causes, adjust devices or rules, and report the measures.',
  },
  SHIFTS_ABSENT: {
    title: ({ figure }) => `${figure} absences within 7 days`,
    content: ({ label, figure }) =>
      `${label}: nobody came to ${figure} shifts in the last 7 days, and nobody stood in.`,
    requirement: () => 'Explain the absences, arrange stand-ins, and submit the coming shifts.',
  },
  TESTS_OVERDUE: {
    title: () => 'Button tests overdue',
    content: ({ label, figure, total, limit }) =>
      `${label}: the test of ${figure} of ${total} devices in use is more than ${limit} days overdue.`,
    requirement: () => 'Announce the tests to the police station, carry them out, and repair devices that fail.',
  },
  BULLYING_OPEN: {
    title: ({ label, limit }) => `Bullying alarm ${label} open for more than ${limit} days`,
    content: ({ label, where, figure, limit }) =>
      `Bullying alarm ${label}${where && ` (${where})`} has been open for ${figure} days; an inquiry ends within ${limit}.`,
    requirement: () => 'Complete the inquiry, end the alarm, and report its findings and the protective measures.',
  },
  DRILL_LATE: {
    title: ({ figure }) => `No drill for ${figure} days`,
    content: ({ label, figure, limit }) =>
      `The last drill of ${label} was ${figure} days ago; the interval is ${limit} days.`,
    requirement: () => 'Hold an evacuation drill, and submit its record and the problems found.',
  },
}

type Facts = Pick<OrderEvidence, 'kind' | 'figure' | 'total' | 'limit' | 'level' | 'place'>

/** The texts of an automatic order. @param label its subject as the order names it */
export const describeEvidence = (evidence: Facts, label: string, lang: Lang): OrderText => {
  const { kind, level, place } = evidence
  const where = [level === null ? null : alarmLabel('level', level, lang), place].filter(Boolean).join(' · ')
  const told = { ...evidence, label, where }
  const { title, content, requirement } = (lang === 'en' ? en : zh)[kind]
  return { title: title(told), content: content(told), requirement: requirement(told) }
}

type Described = OrderText & { evidence: Facts | null; subjectLabel: string | null }

/** As written by a person; of an automatic order in the reader's language. */
export const orderTextIn = (order: Described, lang: Lang): OrderText =>
  order.evidence && lang === 'en' ? describeEvidence(order.evidence, order.subjectLabel ?? '', lang) : order
