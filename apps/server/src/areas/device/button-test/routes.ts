import { buttonTests } from '@tocsin/contract/device/button-test'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { closePlan, createPlan, deletePlan, recordResult, tellStation } from './test-plan.ts'
import { getPlan, pagePlans } from './test-reads.ts'

export const buttonTestRoutes = ({ db }: { db: Db }): Route[] => [
  route(buttonTests.page, ({ query, actor }) => pagePlans(db, actor, query)),
  route(buttonTests.get, ({ query, actor }) => getPlan(db, actor, query.id)),
  route(buttonTests.create, ({ body, caller }) => createPlan(db, body, caller)),
  route(buttonTests.tell, ({ body, caller }) => tellStation(db, body, caller)),
  route(buttonTests.record, ({ body, caller }) => recordResult(db, body, caller)),
  route(buttonTests.close, ({ body, caller }) => closePlan(db, body, caller)),
  route(buttonTests.delete, ({ query, caller }) => deletePlan(db, query.id, caller)),
]
