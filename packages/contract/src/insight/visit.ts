import { z } from 'zod'
import { Day, queryInt } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'

const count = z.int().min(0)

/** One figure a day, in the order of `dates`: page views, users, addresses. */
export const VisitTrend = z.strictObject({
  dates: field(z.array(Day), '日期', 'Days'),
  pvList: field(z.array(count), '浏览量', 'Page views'),
  uvList: field(z.array(count), '访客数', 'Visitors'),
  ipList: field(z.array(count), 'IP 数', 'Addresses'),
})
export type VisitTrend = z.output<typeof VisitTrend>

export const VisitTrendQuery = z.strictObject({
  /** Default: the last seven days including today; at most 92 days. */
  startDate: field(Day.optional(), '开始日期', 'From'),
  endDate: field(Day.optional(), '结束日期', 'To'),
  /** The last ones instead of the first. */
  days: field(queryInt(1, 92).optional(), '天数', 'Days'),
})
export type VisitTrendQuery = z.output<typeof VisitTrendQuery>

export const VisitStat = z.strictObject({
  title: z.string(),
  type: z.enum(['pv', 'uv', 'ip']),
  todayCount: count,
  totalCount: count,
  /**
   * Change of the completed hours of today from the same hours of yesterday, as a fraction; null when yesterday had no
   * visits.
   */
  growthRate: z.number().nullable(),
  granularityLabel: z.string(),
})
export type VisitStat = z.output<typeof VisitStat>

const seen = { method: 'GET', kind: 'json', permission: 'token', scope: 'dept' } as const

/** Visits of users that the caller can see, always including the caller. */
export const visits = {
  trend: endpoint({
    ...seen,
    path: '/insight/visit-trend',
    also: [{ path: '/api/v1/logs/visit-trend' }],
    summary: '访问趋势',
    summaryEn: 'Visits by day',
    query: VisitTrendQuery,
    data: VisitTrend,
  }),
  stats: endpoint({
    ...seen,
    path: '/insight/visit-trend/stats',
    also: [{ path: '/api/v1/logs/visit-stats' }],
    summary: '访问统计',
    summaryEn: 'Visits of today and in all',
    data: z.array(VisitStat),
  }),
  count: endpoint({
    method: 'POST',
    path: '/insight/visit-trend/visit',
    kind: 'json',
    permission: 'token',
    scope: 'self',
    summary: '记一次访问',
    summaryEn: 'I have opened the console',
    data: z.literal(true),
  }),
}
