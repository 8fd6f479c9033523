import { bucketLimits, type BucketStep, type SituationTimes } from '@tocsin/contract/police/report'
import type { SituationQuery } from '@tocsin/contract/police/situation'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Actor } from '#http/route'
import { toTimeWindow } from '#http/time-window'
import { arriveTarget, filterSituations } from './situation-rows.ts'

const stampsOf = {
  sign: ['dispatched_at', 'signed_at'],
  depart: ['dispatched_at', 'departed_at'],
  feedback: ['arrived_at', 'fed_back_at'],
} as const satisfies Record<BucketStep, readonly [string, string]>

/** How many of the found incidents took up to each limit, and how many longer than the last. */
const countBuckets = (step: BucketStep): RawBuilder<number[]> => {
  const [from, to] = stampsOf[step]
  const took = sql`extract(epoch from ${sql.ref(to)} - ${sql.ref(from)})`
  const limits = bucketLimits[step]
  const buckets = [...limits, null].map((limit, at) => {
    const above = limits[at - 1]
    const isAbove = above === undefined ? sql`true` : sql`${took} > ${above}`
    const isWithin = limit === null ? sql`true` : sql`${took} <= ${limit}`
    return sql`(count(*) filter (where ${took} is not null and ${isAbove} and ${isWithin}))::int`
  })
  return sql<number[]>`array[${sql.join(buckets)}]`
}

/** How long the live incidents took that the list finds with the same filters. */
export const loadSituationTimes = async (db: Db, actor: Actor, query: SituationQuery): Promise<SituationTimes> => {
  const found = filterSituations(scoped(db, actor), query, toTimeWindow(query, new Date())).where('mode', '=', 'LIVE')
  const isLate = sql`arrived_at - dispatched_at > make_interval(mins => ${arriveTarget})`
  const [times, slowest] = await Promise.all([
    found
      .select([
        sql<number>`count(*)::int`.as('total'),
        countBuckets('sign').as('sign'),
        countBuckets('depart').as('depart'),
        countBuckets('feedback').as('feedback'),
        sql<number>`(count(*) filter (where not (${isLate})))::int`.as('arriveMet'),
        sql<number>`(count(*) filter (where ${isLate}))::int`.as('arriveLate'),
      ])
      .executeTakeFirstOrThrow(),
    unscoped(db, 'units of incidents that the caller sees')
      .selectFrom(found.select(['id', 'no']).as('s'))
      .innerJoin('assignment as a', 'a.situationId', 's.id')
      .select(['s.id as situationId', 's.no', 'a.responderName as unitName'])
      .select(sql<number>`extract(epoch from a.received_at - a.assigned_at)::int`.as('seconds'))
      .where('a.unitId', 'is not', null)
      .where('a.receivedAt', 'is not', null)
      .orderBy('seconds', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ])
  return { ...times, slowest: slowest ?? null }
}
