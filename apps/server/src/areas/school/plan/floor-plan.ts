import { floorPlans } from '@tocsin/contract/school/plan/floor-plan'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { createFloorPlan, deleteFloorPlan, drawFloor, publishFloorPlan, updateFloorPlan } from './floor-plan-edit.ts'
import { listFloorPlans, viewFloor } from './floor-view.ts'

export const floorPlanRoutes = ({ db }: { db: Db }): Route[] => [
  route(floorPlans.list, ({ query, actor }) => listFloorPlans(db, actor, query.schoolId)),
  route(floorPlans.view, ({ query, actor }) => viewFloor(db, actor, query.placeId)),
  route(floorPlans.create, ({ body, caller }) => createFloorPlan(db, body, caller)),
  route(floorPlans.update, ({ body, caller }) => updateFloorPlan(db, body, caller)),
  route(floorPlans.draw, ({ body, caller }) => drawFloor(db, body, caller)),
  route(floorPlans.publish, ({ body, caller }) => publishFloorPlan(db, body, caller)),
  route(floorPlans.delete, ({ query, caller }) => deleteFloorPlan(db, query.id, caller)),
]
