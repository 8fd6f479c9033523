import type { Hop } from '@tocsin/contract/insight/govern'
import type { HomeDuty, HomeReadiness, HomeResponse, HomeSystem } from '@tocsin/contract/insight/home'
import { LOW_READINESS, schoolScore, TREND_DAYS } from '@tocsin/contract/insight/readiness'
import { addDays, startOfDay } from '@tocsin/contract/security/hours'
import { zone } from '@tocsin/contract/time-zone'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor } from '#http/route'
import { toHopStat } from './rollup/buckets.ts'
import { loadDays, sumHistograms } from './rollup/load-figures.ts'
import { planFigures } from './rollup/plan-figures.ts'

/** How fast real alarms of today were seen, claimed and reached. */
export const getResponse = async (db: Db, actor: Actor): Promise<HomeResponse> => {
  const since = startOfDay(new Date())
  const days = await loadDays(await planFigures(db, actor, { from: since, to: addDays(since, 1), deptId: undefined }))
  const stepOf = (hop: Hop) => toHopStat(sumHistograms(days, hop))
  return { since, displayed: stepOf('displayed'), claimed: stepOf('claimed'), onSite: stepOf('onSite') }
}

const countState = (state: string) => sql<number>`(count(*) filter (where state = ${state}))::int`

export const getDuty = (db: Db, actor: Actor): Promise<HomeDuty> =>
  scoped(db, actor)
    .selectFrom('shift')
    // An excused person is not expected.
    .select([sql<number>`(count(*) filter (where absence_reason is null))::int`.as('planned')])
    .select([countState('CHECKED_IN').as('onDuty'), countState('LATE').as('late'), countState('ABSENT').as('absent')])
    .where('publishedAt', 'is not', null)
    .where('fromAt', '<=', sql<Date>`now()`)
    .where('toAt', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()

export const getHomeReadiness = async (db: Db, actor: Actor): Promise<HomeReadiness> => {
  const all = scoped(db, actor)
  const [scores, days] = await Promise.all([
    all.selectFrom('schoolReadiness').select(['score', 'low']).execute(),
    all
      .selectFrom('schoolReadinessDay')
      .select(['day', sql<number>`floor(avg(score))::int`.as('score')])
      .where('day', '>', sql<string>`(now() at time zone ${zone.name})::date - ${sql.lit(TREND_DAYS)}`)
      .groupBy('day')
      .orderBy('day')
      .execute(),
  ])
  return {
    score: schoolScore(scores.map(({ score }) => score)),
    schools: scores.length,
    low: scores.filter(({ score, low }) => score < LOW_READINESS || low > 0).length,
    days,
  }
}

/** A timer that is due for so long means that the scheduler is behind. */
const LATE_TIMER_SEC = 60

const countRows = sql<number>`count(*)::int`

export const getSystemState = async (db: Db, actor: Actor): Promise<HomeSystem> => {
  const all = scoped(db, actor)
  const [sessions, pending, failed, late] = await Promise.all([
    all
      .selectFrom('session')
      .innerJoin('users', 'users.id', 'session.userId')
      .select(countRows.as('n'))
      .where('session.endedAt', 'is', null)
      .where('session.expiresAt', '>', sql<Date>`now()`)
      .where('session.idleExpiresAt', '>', sql<Date>`now()`)
      .executeTakeFirstOrThrow(),
    all.selectFrom('users').select(countRows.as('n')).where('pending', '=', true).executeTakeFirstOrThrow(),
    all
      .selectFrom('delivery')
      .select(countRows.as('n'))
      .where('state', '=', 'FAILED')
      .where('createdAt', '>', sql<Date>`now() - interval '1 day'`)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('timer')
      .select(countRows.as('n'))
      .where('doneAt', 'is', null)
      .where('dueAt', '<', sql<Date>`now() - make_interval(secs => ${LATE_TIMER_SEC})`)
      .executeTakeFirstOrThrow(),
  ])
  return { sessions: sessions.n, pendingUsers: pending.n, failedDeliveries: failed.n, lateTimers: late.n }
}
