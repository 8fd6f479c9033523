import { GOOD_READINESS, LOW_READINESS } from '@tocsin/contract/insight/readiness'
import type { WeightsEffect, WeightsTrial } from '@tocsin/contract/insight/weights/readiness-weights'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Actor } from '#http/route'
import { countBands } from './readiness-sql.ts'
import { findUncovered } from './refresh.ts'
import { assertOrdered } from './weights.ts'

/** Some 6,000 devices, computed in about half a second: the caller asks for one part after the other. */
const PART_SCHOOLS = 200

/** How many of the next visible schools are in each band now, and would be by other weights. */
export const countEffect = async (
  db: Db,
  actor: Actor,
  { weights, after = 0 }: WeightsTrial,
): Promise<WeightsEffect> => {
  assertOrdered(weights)
  const schools = await scoped(db, actor)
    .selectFrom('schoolReadiness')
    .select(['schoolId', 'score'])
    .where('schoolId', '>', after)
    .orderBy('schoolId')
    .limit(PART_SCHOOLS)
    .execute()
  const count = (isIn: (score: number) => boolean) => schools.filter(({ score }) => isIn(score)).length
  const before = {
    low: count((score) => score < LOW_READINESS),
    fair: count((score) => score >= LOW_READINESS && score < GOOD_READINESS),
    good: count((score) => score >= GOOD_READINESS),
  }
  const now = new Date()
  const target = { deviceIds: [], schoolIds: schools.map(({ schoolId }) => schoolId) }
  const all = unscoped(db, 'the schools were selected in sight')
  const would = await countBands(all, { target, now, ...(await findUncovered(db, target, now)) }, weights)
  return { before, after: would, next: schools.length === PART_SCHOOLS ? (schools.at(-1)?.schoolId ?? null) : null }
}
