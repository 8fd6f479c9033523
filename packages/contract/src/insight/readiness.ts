import { z } from 'zod'
import { Day, Id, Millis, queryBool, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { PageQuery, page, sortable } from '../page.ts'
import { keywordText } from '../text-fields.ts'

/** Below this value action is needed: a device gets a maintenance order. */
export const LOW_READINESS = 60
export const GOOD_READINESS = 90
export const TREND_DAYS = 90

/** A battery that lasts longer costs no points. */
export const BATTERY_AHEAD_DAYS = 30

/**
 * What a score of 100 is reduced for, by the published weights (weights/readiness-weights.ts). The value of each reason: days
 * since the last proven press or test (PRESS; `NEVER` if none), 1 for a fact that holds, percent of the last seven days
 * without connection (HEARTBEAT), missing percent of charge (BATTERY), days by which the battery ends within
 * `BATTERY_AHEAD_DAYS` (BATTERY_AHEAD), seconds (CLOCK).
 */
export const readinessCodes = [
  'OFFLINE',
  'PRESS',
  'STATION',
  'RECIPIENT',
  'BATTERY',
  'BATTERY_AHEAD',
  'HEARTBEAT',
  'FLAPPING',
  'SHIFT',
  'SHIFT_AHEAD',
  'CLOCK',
  'PLACE',
  'FIRMWARE',
  'PROCEDURE',
] as const
export type ReadinessCode = (typeof readinessCodes)[number]

/** The value of PRESS for a device that nobody has pressed or tested yet. */
export const NEVER = 9999

/** Reasons that work on the device can fix; the other reasons are fixed at the school. */
export const deviceReasons: readonly ReadinessCode[] = [
  'OFFLINE',
  'PRESS',
  'BATTERY',
  'BATTERY_AHEAD',
  'HEARTBEAT',
  'FLAPPING',
  'CLOCK',
]

export const ReadinessReason = z.strictObject({
  code: field(z.enum(readinessCodes), '原因', 'Reason'),
  points: field(z.int(), '扣分', 'Points'),
  value: field(z.int(), '数值', 'Value'),
})
export type ReadinessReason = z.output<typeof ReadinessReason>

/** The score of a device as if the chosen reasons were fixed. */
export const scoreWithout = (reasons: readonly ReadinessReason[], done: ReadonlySet<ReadinessCode> = new Set()) =>
  Math.max(
    0,
    reasons.reduce((score, { code, points }) => (done.has(code) ? score : score - points), 100),
  )

/** The score of a school: the mean of its devices; null without any. */
export const schoolScore = (scores: readonly number[]): number | null =>
  scores.length === 0 ? null : Math.floor(scores.reduce((sum, score) => sum + score, 0) / scores.length)

export const DeviceReadiness = z.strictObject({
  deviceId: Id,
  schoolId: Id,
  score: field(z.int(), '就绪度', 'Readiness'),
  reasons: field(z.array(ReadinessReason), '原因', 'Reasons'),
  /** Since when the score is below the limit. */
  lowSince: field(Millis.nullable(), '低于及格线起', 'Low since'),
  weightsVersion: field(z.int(), '权重版本', 'Weights version'),
  computedAt: field(Millis, '计算时间', 'Computed'),
})
export type DeviceReadiness = z.output<typeof DeviceReadiness>

/** A reason over all devices of a school: how many have it, and the points of the school that it costs. */
export const SchoolReason = z.strictObject({
  code: field(z.enum(readinessCodes), '原因', 'Reason'),
  devices: field(z.int(), '设备数', 'Devices'),
  points: field(z.int(), '扣分', 'Points'),
  value: field(z.int(), '最大数值', 'Largest value'),
})
export type SchoolReason = z.output<typeof SchoolReason>

export const SchoolReadiness = z.strictObject({
  schoolId: field(Id, '学校', 'School'),
  score: field(z.int(), '就绪度', 'Readiness'),
  devices: field(z.int(), '设备数', 'Devices'),
  low: field(z.int(), '低于 60 的设备', 'Devices below 60'),
  reasons: field(z.array(SchoolReason), '主要原因', 'Main reasons'),
  /** The earliest version by which one of its devices was computed. */
  weightsVersion: field(z.int(), '权重版本', 'Weights version'),
  computedAt: field(Millis, '计算时间', 'Computed'),
})
export type SchoolReadiness = z.output<typeof SchoolReadiness>

export const SchoolReadinessRow = SchoolReadiness.extend({
  schoolName: field(z.string(), '学校', 'School'),
  districtName: field(z.string().nullable(), '区县', 'District'),
  /** Compared with 30 days before; null without a value of that time. */
  change: field(z.int().nullable(), '近 30 天变化', 'Change in 30 days'),
})
export type SchoolReadinessRow = z.output<typeof SchoolReadinessRow>

export const SchoolReadinessDetail = SchoolReadinessRow.extend({
  /** The version is unknown of days before versions were published. */
  days: field(
    z.array(z.strictObject({ day: Day, score: z.int(), weightsVersion: z.int().nullable() })),
    '趋势',
    'Trend',
  ),
  deviceList: field(
    z.array(
      DeviceReadiness.pick({ deviceId: true, score: true, reasons: true }).extend({
        sn: field(z.string(), '设备序列号', 'Serial number'),
        modelName: field(z.string(), '型号', 'Model'),
        placePath: field(z.string(), '位置', 'Place'),
        /** The open maintenance order of the device, if any. */
        orderId: Id.nullable(),
      }),
    ),
    '设备',
    'Devices',
  ),
})
export type SchoolReadinessDetail = z.output<typeof SchoolReadinessDetail>

export const ReadinessQuery = PageQuery.extend({
  keyword: field(keywordText(40).optional(), '学校', 'School'),
  districtId: field(queryId.optional(), '区县', 'District'),
  /** Only schools below 60, or with a device below 60. */
  low: field(queryBool.optional(), '低于 60', 'Below 60'),
  orderBy: sortable(['schoolName', 'score', 'devices']),
})
export type ReadinessQuery = z.output<typeof ReadinessQuery>

export const WorstReasons = z.strictObject({
  score: z.int().nullable(),
  reasons: z.array(ReadinessReason),
})

const read = { method: 'GET', kind: 'json', permission: 'insight:readiness:query', scope: 'school' } as const

export const readiness = {
  page: endpoint({
    ...read,
    path: '/insight/readiness/page',
    summary: '学校就绪度排名',
    summaryEn: 'Schools by readiness, the lowest first',
    query: ReadinessQuery,
    data: page(SchoolReadinessRow),
  }),
  get: endpoint({
    ...read,
    path: '/insight/readiness/get',
    summary: '学校就绪度',
    summaryEn: 'Readiness of one school: devices, reasons and 90 days',
    query: z.strictObject({ schoolId: field(queryId, '学校', 'School') }),
    data: SchoolReadinessDetail,
  }),
  worst: endpoint({
    ...read,
    path: '/insight/readiness/worst',
    summary: '最主要的三个扣分原因',
    summaryEn: 'The three worst reasons of a device or a school',
    query: z.strictObject({
      schoolId: field(queryId.optional(), '学校', 'School'),
      deviceId: field(queryId.optional(), '设备', 'Device'),
    }),
    data: WorstReasons,
  }),
}
