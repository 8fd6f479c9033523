import { sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Actor } from '#http/route'

/** Rollouts of which the reader sees a device; one whose devices have all left it hides nothing. */
export const visibleRollouts = (db: Db, actor: Actor) =>
  scoped(db, actor)
    .selectFrom('rollout')
    .where(({ or, not, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('rolloutDevice as seen')
            .innerJoin('device', 'device.id', 'seen.deviceId')
            .select('seen.id')
            .whereRef('seen.rolloutId', '=', 'rollout.id'),
        ),
        not(exists(selectFrom('rolloutDevice as any').select('any.id').whereRef('any.rolloutId', '=', 'rollout.id'))),
      ]),
    )

const countByRollout = async (found: { execute: () => Promise<{ rolloutId: number; count: number }[]> }) =>
  new Map((await found.execute()).map(({ rolloutId, count }) => [rolloutId, count]))

/** How many devices of each rollout the person does not see. Who sees everything is not counted. */
export const countUnseen = async (db: Db, actor: Actor, ids: readonly number[]): Promise<Map<number, number>> => {
  if (ids.length === 0 || actor.depts === 'all') return new Map()
  const count = sql<number>`count(*)::int4`.as('count')
  const [all, seen] = await Promise.all([
    countByRollout(
      unscoped(db, 'counts of a rollout over all schools')
        .selectFrom('rolloutDevice')
        .select(['rolloutId', count])
        .where('rolloutId', 'in', [...ids])
        .groupBy('rolloutId'),
    ),
    countByRollout(
      scoped(db, actor)
        .selectFrom('rolloutDevice')
        .innerJoin('device', 'device.id', 'rolloutDevice.deviceId')
        .select(['rolloutDevice.rolloutId', count])
        .where('rolloutDevice.rolloutId', 'in', [...ids])
        .groupBy('rolloutDevice.rolloutId'),
    ),
  ])
  return new Map([...all].map(([id, total]) => [id, total - (seen.get(id) ?? 0)]))
}
