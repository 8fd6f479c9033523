import { readiness } from '@tocsin/contract/insight/readiness'
import { readinessWeights } from '@tocsin/contract/insight/weights/readiness-weights'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { countEffect } from './weights-effect.ts'
import { getReadiness, getWorst, pageReadiness } from './readiness-reads.ts'
import { getWeightsStatus, listWeights, publishWeights } from './weights.ts'

export const readinessRoutes = ({ db }: { db: Db }): Route[] => [
  route(readiness.page, ({ query, actor }) => pageReadiness(db, actor, query)),
  route(readiness.get, ({ query, actor }) => getReadiness(db, actor, query.schoolId)),
  route(readiness.worst, ({ query, actor }) => getWorst(db, actor, query)),
  route(readinessWeights.get, ({ actor }) => getWeightsStatus(db, actor)),
  route(readinessWeights.list, () => listWeights(db)),
  route(readinessWeights.preview, ({ body, actor }) => countEffect(db, actor, body)),
  route(readinessWeights.publish, ({ body, caller }) => publishWeights(db, body, caller)),
]
