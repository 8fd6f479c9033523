import { buttonTests } from '@tocsin/contract/device/button-test'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { closePlan, createPlan, deletePlan, recordResult, tellStation } from './test-plan.ts'
import { getPlan, pagePlans } from './test-reads.ts'

export const buttonTestRoutes = ({ db }: { db: Db }): Route[] => [
  route(buttonTests.page, ({ query, actor }) => pagePlans(db, actor, query)),
  route(buttonTests.get, ({ query, actor }) => getPlan(db, actor, query.id)),
  route(buttonTests.create, ({ body, actor, origin }) => createPlan(db, body, { actor, origin })),
  route(buttonTests.tell, ({ body, actor, origin }) => tellStation(db, body, { actor, origin })),
  route(buttonTests.record, ({ body, actor, origin }) => recordResult(db, body, { actor, origin })),
  route(buttonTests.close, ({ body, actor, origin }) => closePlan(db, body, { actor, origin })),
  route(buttonTests.delete, ({ query, actor, origin }) => deletePlan(db, query.id, { actor, origin })),
]
