import { z } from 'zod'
import { recordStates } from '../alarm/state-machine.ts'
import { Day, Id, Millis } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { HopStat } from './govern.ts'

const count = z.int().min(0)

const HomeWaiting = z.strictObject({
  id: Id,
  code: z.string(),
  level: z.int(),
  /** Decides whether it is claimed, or taken over from an escalation by the system. */
  state: z.enum(recordStates),
  schoolName: z.string().nullable(),
  placePath: z.string().nullable(),
  receivedAt: Millis,
})
export type HomeWaiting = z.output<typeof HomeWaiting>

/**
 * Open alarms of mode LIVE; `exercises` are the open tests and drills. `unclaimed`: without an owner, and not shelved.
 */
const HomeAlarms = z.strictObject({
  levels: z.array(z.strictObject({ level: z.int(), open: count, unclaimed: count })),
  exercises: count,
  /** Those that wait longest; at most five. */
  waiting: z.array(HomeWaiting),
  /** Records of mode LIVE, first reported since midnight in the zone of the server. */
  today: z.strictObject({ since: Millis, raised: count, ended: count, false: count }),
})

const HomeDevices = z.strictObject({
  total: field(count, '在用设备', 'In service'),
  online: field(count, '在线', 'Online'),
  late: field(count, '超时', 'Late'),
  offline: field(count, '离线', 'Offline'),
  neverSeen: field(count, '从未连接', 'Never seen'),
})

/** Business figures of the dashboard; null without the permission. `now` is the server's clock. */
export const Home = z.strictObject({ now: Millis, alarms: HomeAlarms.nullable(), devices: HomeDevices.nullable() })
export type Home = z.output<typeof Home>
export type HomeAlarms = z.output<typeof HomeAlarms>
export type HomeDevices = z.output<typeof HomeDevices>

/** Seconds from the reception of a press that 90 of 100 alarms must keep; arrival as the trade demands it in towns. */
export const responseLimitSec = { displayed: 2, claimed: 10, onSite: 300 } as const
export type ResponseHop = keyof typeof responseLimitSec

/** Alarms of mode LIVE, first reported since midnight in the server's zone. */
export const HomeResponse = z.strictObject({ since: Millis, displayed: HopStat, claimed: HopStat, onSite: HopStat })
export type HomeResponse = z.output<typeof HomeResponse>

/** Published shifts whose hours include this moment. */
export const HomeDuty = z.strictObject({
  planned: field(count, '应在岗', 'Planned'),
  onDuty: field(count, '在岗', 'On duty'),
  late: field(count, '迟到', 'Late'),
  absent: field(count, '缺岗', 'Absent'),
})
export type HomeDuty = z.output<typeof HomeDuty>

/** All schools in the caller's visibility; a score is the mean of the schools. */
export const HomeReadiness = z.strictObject({
  score: z.int().nullable(),
  schools: count,
  low: count,
  days: z.array(z.strictObject({ day: Day, score: z.int() })),
})
export type HomeReadiness = z.output<typeof HomeReadiness>

export const HomeSystem = z.strictObject({
  sessions: field(count, '在线会话', 'Sessions online'),
  pendingUsers: field(count, '待批账号', 'Accounts to approve'),
  failedDeliveries: field(count, '24 小时内未送达', 'Not delivered in 24 hours'),
  lateTimers: field(count, '延迟的定时任务', 'Late timers'),
})
export type HomeSystem = z.output<typeof HomeSystem>

const card = { method: 'GET', kind: 'json', scope: 'school' } as const

export const homes = {
  get: endpoint({
    method: 'GET',
    path: '/insight/home/get',
    kind: 'json',
    permission: 'token',
    scope: 'school',
    summary: '首页数据',
    summaryEn: 'Figures of the dashboard',
    data: Home,
  }),
  response: endpoint({
    ...card,
    path: '/insight/home/response',
    permission: 'warn:record:query',
    summary: '今日响应',
    summaryEn: 'How fast alarms of today were seen, claimed and reached',
    data: HomeResponse,
  }),
  duty: endpoint({
    ...card,
    path: '/insight/home/duty',
    permission: 'security:shift:query',
    summary: '此刻在岗',
    summaryEn: 'Who is on duty now, in numbers',
    data: HomeDuty,
  }),
  readiness: endpoint({
    ...card,
    path: '/insight/home/readiness',
    permission: 'insight:readiness:query',
    summary: '就绪度与 90 天趋势',
    summaryEn: 'Readiness of all visible schools with 90 days',
    data: HomeReadiness,
  }),
  system: endpoint({
    ...card,
    scope: 'dept',
    path: '/insight/home/system',
    permission: 'system:user:security',
    summary: '系统状态',
    summaryEn: 'State of the installation, in numbers',
    data: HomeSystem,
  }),
}
