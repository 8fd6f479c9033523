import { z } from 'zod'
import { Day, Id, queryDate, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { warnClasses } from '../alarm/rule.ts'

const count = z.int().min(0)
const seconds = z.number().min(0).nullable()

/** Percentiles of a duration in seconds over `n` alarms that reached the step; null without any. */
export const HopStat = z.strictObject({ n: count, p50: seconds, p90: seconds, p99: seconds })
export type HopStat = z.output<typeof HopStat>

const Hops = z.strictObject({ displayed: HopStat, claimed: HopStat, dispatched: HopStat, onSite: HopStat })
/** A measured step after the press was received. */
export type Hop = keyof z.output<typeof Hops>

/**
 * A rate with its 95 % interval. `events` of `exposure` device-days; schools whose intervals overlap share a rank.
 */
export const SchoolRate = z.strictObject({
  schoolId: Id,
  schoolName: z.string(),
  events: count,
  exposure: z.number().min(0),
  rate: z.number().min(0),
  low: z.number().min(0),
  high: z.number().min(0),
  rank: z.int().min(1),
})
export type SchoolRate = z.output<typeof SchoolRate>

export const Govern = z.strictObject({
  /** The days of the period, in the zone of the server. */
  days: z.array(Day),
  /** Alarms by day and level, in the order of `days`. */
  byDay: z.strictObject({
    level1: z.array(count),
    level2: z.array(count),
    level3: z.array(count),
    level4: z.array(count),
  }),
  byClass: z.array(z.strictObject({ class: z.enum(warnClasses), n: count, before: count })),
  total: count,
  /** In the period of the same length before this one. */
  totalBefore: count,
  hops: Hops,
  schools: z.array(
    z.strictObject({ schoolId: Id, schoolName: z.string(), n: count, claimed: HopStat, onSite: HopStat }),
  ),
  falseAlarms: z.strictObject({
    n: count,
    resolved: count,
    deviceDays: z.number().min(0),
    pupils: count,
    causes: z.array(z.strictObject({ cause: z.string(), n: count })),
  }),
  /** Alarms by weekday (0 is Monday) and hour; entries without any are left out. */
  hours: z.array(z.strictObject({ weekday: z.int().min(0).max(6), hour: z.int().min(0).max(23), n: count })),
  /** Schools with alarms, most first. */
  places: z.array(
    z.strictObject({
      schoolId: Id,
      schoolName: z.string(),
      n: count,
      lng: z.number().nullable(),
      lat: z.number().nullable(),
    }),
  ),
  league: z.array(SchoolRate),
})
export type Govern = z.output<typeof Govern>

/** How fast the alarms of the schools of a police station were claimed and reached. */
export const StationSteps = z.strictObject({
  deptId: Id,
  name: z.string(),
  n: count,
  claimed: HopStat,
  onSite: HopStat,
})
export type StationSteps = z.output<typeof StationSteps>

/** What was due in the period: as planned, late, and not at all. */
const Compliance = z.strictObject({ done: count, late: count, missed: count })
export type Compliance = z.output<typeof Compliance>

/** What was to be done beside the alarms. A part is null for users who may not read its list. */
export const GovernWork = z.strictObject({
  /** Schools by their readiness now. */
  readiness: z.strictObject({ low: count, fair: count, good: count }).nullable(),
  shifts: Compliance.nullable(),
  patrols: Compliance.nullable(),
  /** Button tests of devices. */
  tests: Compliance.nullable(),
  drills: count.nullable(),
  /** Open supervision orders by their light now. */
  orders: z.strictObject({ red: count, yellow: count, green: count }).nullable(),
})
export type GovernWork = z.output<typeof GovernWork>

export const GovernQuery = z.strictObject({
  /** Default: the last 30 days; at most 92. */
  from: field(queryDate.optional(), '开始时间', 'From'),
  to: field(queryDate.optional(), '结束时间', 'To'),
  deptId: field(queryId.optional(), '区县或部门', 'District or department'),
})
export type GovernQuery = z.output<typeof GovernQuery>

export const governs = {
  get: endpoint({
    method: 'GET',
    path: '/insight/govern/get',
    kind: 'json',
    permission: 'report:govern:query',
    scope: 'school',
    summary: '治理数据',
    summaryEn: 'Figures of governance',
    query: GovernQuery,
    data: Govern,
  }),
  stations: endpoint({
    method: 'GET',
    path: '/insight/govern/stations',
    kind: 'json',
    permission: 'report:govern:query',
    scope: 'school',
    summary: '治理数据：派出所的响应',
    summaryEn: 'Figures of governance: response by station',
    query: GovernQuery,
    data: z.array(StationSteps),
  }),
  work: endpoint({
    method: 'GET',
    path: '/insight/govern/work',
    kind: 'json',
    permission: 'report:govern:query',
    scope: 'school',
    summary: '治理数据：履职',
    summaryEn: 'Figures of governance: work that was due',
    query: GovernQuery,
    data: GovernWork,
  }),
}
