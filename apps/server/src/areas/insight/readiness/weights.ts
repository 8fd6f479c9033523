import { codes } from '@tocsin/contract/codes'
import {
  findWeightErrors,
  readinessWeights,
  type Weights,
  type WeightsDraft,
  WeightsVersionRow,
} from '@tocsin/contract/insight/weights/readiness-weights'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { recordChange } from '#areas/audit/edit-row'
import { runEdit } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError, ValidationError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import type { UsedWeights } from './readiness-sql.ts'

const MAX_LISTED = 100

const selectVersions = (db: Db) =>
  unscoped(db, 'who published weights is shown to everybody who reads readiness')
    .selectFrom('readinessWeights as one')
    .leftJoin('users', 'users.id', 'one.byId')
    .selectAll('one')
    .select('users.nickname as byName')
    .orderBy('one.version', 'desc')

const getCurrent = (db: Db): Promise<WeightsVersionRow> => selectVersions(db).limit(1).executeTakeFirstOrThrow()

/** The weights by which values are computed from now on. */
export const getCurrentWeights = (db: Db): Promise<UsedWeights> =>
  db
    .selectFrom('readinessWeights')
    .select(['version', 'weights'])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

/** The latest versions, the newest first. */
export const listWeights = (db: Db): Promise<WeightsVersionRow[]> => selectVersions(db).limit(MAX_LISTED).execute()

/** The current weights, and how many of the visible schools are still to be computed by them. */
export const getWeightsStatus = async (db: Db, actor: Actor) => {
  const current = await getCurrent(db)
  const { schools, outdated } = await scoped(db, actor)
    .selectFrom('schoolReadiness')
    .select(({ fn }) => [
      fn.countAll<number>().as('schools'),
      fn.countAll<number>().filterWhere('weightsVersion', '<>', current.version).as('outdated'),
    ])
    .executeTakeFirstOrThrow()
  return { current, schools, outdated }
}

export const assertOrdered = (weights: Weights): void => {
  const errors = findWeightErrors(weights)
  if (errors.length > 0) throw new ValidationError(errors)
}

const refuseStale = async (trx: Db): Promise<never> => {
  throw new BusinessError(codes.stale, undefined, { current: z.encode(WeightsVersionRow, await getCurrent(trx)) })
}

/**
 * Publishes weights as the next version. Its event makes the sweep compute every school again. @returns the new version
 */
export const publishWeights = (db: Db, { version, weights, note }: WeightsDraft, caller: Caller): Promise<number> =>
  runEdit(db, 'all', async (trx) => {
    const before = await getCurrentWeights(trx)
    if (before.version !== version) return refuseStale(trx)
    assertOrdered(weights)
    if (isDeepStrictEqual(before.weights, weights)) throw new BusinessError(codes.weightsUnchanged)
    const after = await trx
      .insertInto('readinessWeights')
      .values({ version: version + 1, weights, note, byId: caller.actor.userId })
      // Another user may have published meanwhile.
      .onConflict((conflict) => conflict.column('version').doNothing())
      .returning(['version', 'weights', 'note'])
      .executeTakeFirst()
    if (!after) return refuseStale(trx)
    await recordChange(trx, caller, {
      action: readinessWeights.publish.permission,
      subject: 'readiness_weights',
      id: after.version,
      before,
      after,
      events: [{ type: 'weights.changed', ref: after.version }],
    })
    return after.version
  })
