import { wallClock } from '@tocsin/contract/time-zone'
import { codes } from '@tocsin/contract/codes'
import { type VisitStat, type VisitTrend, VisitTrendQuery, visits } from '@tocsin/contract/insight/visit'
import { sql } from 'kysely'
import { createHmac } from 'node:crypto'
import type { AuthKeys } from '#areas/access/sign-in/deps'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { reversedRangeError } from '#http/time-window'
import { type Actor, type RequestInfo, type Route, route } from '#http/route'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 7
const MAX_DAYS = 92
const KEPT_DAYS = 400

const pv = sql<number>`coalesce(sum(views), 0)::int`
const uv = sql<number>`count(distinct user_id)::int`
const ip = sql<number>`count(distinct ip_hash)::int`

const dayText = (at: number) => new Date(at).toISOString().slice(0, 10)
/** Day and hour in the configured zone. */
const placeOf = (now: Date) => ({ day: dayText(wallClock(now).getTime()), hour: wallClock(now).getUTCHours() })

type Visitor = { actor: Actor; origin: RequestInfo; key: Uint8Array; now: Date }

/**
 * Counts one opening of the console by this user from this address. Not audited, because it changes no data of users.
 */
export const recordVisit = async (db: Db, { actor, origin, key, now }: Visitor): Promise<true> => {
  const ipHash = createHmac('sha256', key).update(origin.ip).digest()
  await scoped(db, actor)
    .insertInto('visit')
    .values({ ...placeOf(now), userId: actor.userId, deptId: actor.deptId, ipHash })
    .onConflict((other) =>
      other.columns(['day', 'hour', 'userId', 'ipHash']).doUpdateSet({ views: sql`visit.views + 1` }),
    )
    .execute()
  return true
}

/** Every day from the first to the last, both included. */
const daysOf = ({ startDate, endDate, days = DEFAULT_DAYS }: VisitTrendQuery, now: Date): string[] => {
  const last = Date.parse(endDate ?? placeOf(now).day)
  const first = startDate ? Date.parse(startDate) : last - (days - 1) * DAY_MS
  if (first > last) throw reversedRangeError('startDate', dayText(last), VisitTrendQuery.shape.startDate)
  const length = (last - first) / DAY_MS + 1
  if (length > MAX_DAYS) throw new BusinessError(codes.timeWindow, { days: MAX_DAYS })
  return Array.from({ length }, (_, at) => dayText(first + at * DAY_MS))
}

export const visitTrend = async (db: Db, actor: Actor, query: VisitTrendQuery, now: Date): Promise<VisitTrend> => {
  const dates = daysOf(query, now)
  const rows = await scoped(db, actor)
    .selectFrom('visit')
    .select(['day', pv.as('pv'), uv.as('uv'), ip.as('ip')])
    .where('day', 'in', dates)
    .groupBy('day')
    .execute()
  const of = new Map(rows.map((row) => [row.day, row]))
  return {
    dates,
    pvList: dates.map((day) => of.get(day)?.pv ?? 0),
    uvList: dates.map((day) => of.get(day)?.uv ?? 0),
    ipList: dates.map((day) => of.get(day)?.ip ?? 0),
  }
}

const titles = { pv: '浏览量', uv: '访客数', ip: 'IP 数' } as const

export const visitStats = async (db: Db, actor: Actor, now: Date): Promise<VisitStat[]> => {
  const { day, hour } = placeOf(now)
  const yesterday = dayText(Date.parse(day) - DAY_MS)
  const seen = scoped(db, actor)
    .selectFrom('visit')
    .select([pv.as('pv'), uv.as('uv'), ip.as('ip')])
  const [today, total, until, before] = await Promise.all([
    seen.where('day', '=', day).executeTakeFirstOrThrow(),
    seen.executeTakeFirstOrThrow(),
    seen.where('day', '=', day).where('hour', '<', hour).executeTakeFirstOrThrow(),
    seen.where('day', '=', yesterday).where('hour', '<', hour).executeTakeFirstOrThrow(),
  ])
  return (['pv', 'uv', 'ip'] as const).map((type) => ({
    title: titles[type],
    type,
    todayCount: today[type],
    totalCount: total[type],
    growthRate: before[type] > 0 ? (until[type] - before[type]) / before[type] : null,
    granularityLabel: '日',
  }))
}

/** Deletes visits of more than a year ago. */
export const deleteOldVisits = async (db: Db): Promise<void> => {
  await unscoped(db, 'visits age wherever they belong')
    .deleteFrom('visit')
    .where('day', '<', sql<string>`current_date - ${KEPT_DAYS}::int`)
    .execute()
}

export const visitRoutes = ({ db, keys }: { db: Db; keys: AuthKeys }): Route[] => [
  route(visits.trend, ({ actor, query }) => visitTrend(db, actor, query, new Date())),
  route(visits.stats, ({ actor }) => visitStats(db, actor, new Date())),
  route(visits.count, ({ caller }) => recordVisit(db, { ...caller, key: keys.visit, now: new Date() })),
]
