import type { FloorPlanRow, FloorView, PlanDevice } from '@tocsin/contract/school/plan/floor-plan'
import { sql } from 'kysely'
import { fileLink } from '#areas/files/file-store'
import type { AllTablesDb, Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Row } from '#db/tables'
import type { Actor } from '#http/route'

const toRow = (plan: Row<'floorPlan'>, { userId }: Actor): FloorPlanRow => ({
  ...plan,
  url: fileLink(plan.fileId, userId),
})

export const listFloorPlans = async (db: Db, actor: Actor, schoolId: number): Promise<FloorPlanRow[]> => {
  const rows = await scoped(db, actor)
    .selectFrom('floorPlan')
    .selectAll()
    .where('schoolId', '=', schoolId)
    .orderBy('placeId')
    .orderBy('number', 'desc')
    .limit(1000)
    .execute()
  return rows.map((row) => toRow(row, actor))
}

/** The nearest floor at or above a place. */
const findFloor = (db: AllTablesDb, placeId: number) =>
  db
    .withRecursive('up', (qb) =>
      qb
        .selectFrom('place')
        .where('id', '=', placeId)
        .select(['id', 'parentId', 'kind', 'name', sql<number>`0`.as('depth')])
        .unionAll((below) =>
          below
            .selectFrom('place')
            .innerJoin('up', 'up.parentId', 'place.id')
            .select(['place.id', 'place.parentId', 'place.kind', 'place.name', sql<number>`up.depth + 1`.as('depth')]),
        ),
    )
    .selectFrom('up')
    .select(['id', 'name'])
    .where('kind', '=', 'FLOOR')
    .orderBy('depth')
    .limit(1)
    .executeTakeFirst()

/** The floor and everything below it. */
const listRooms = (db: AllTablesDb, floorId: number) =>
  db
    .withRecursive('down', (qb) =>
      qb
        .selectFrom('place')
        .where('parentId', '=', floorId)
        .select('id')
        .union((above) => above.selectFrom('place').innerJoin('down', 'down.id', 'place.parentId').select('place.id')),
    )
    .selectFrom('place')
    .innerJoin('down', 'down.id', 'place.id')
    .select(['place.id', 'place.version', 'place.kind', 'place.name', 'place.sensitivity'])
    .select(['place.polygon', 'place.planRoute'])
    .orderBy('place.sort')
    .orderBy('place.id')
    .limit(500)
    .execute()

/** The expression of the device area, which comes after this one. */
const connectivity = sql<PlanDevice['connectivity']>`coalesce(device_state.connectivity, 'NEVER_SEEN')`

const listDevices = (db: AllTablesDb, placeIds: readonly number[]) =>
  db
    .selectFrom('schoolDevice')
    .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .leftJoin('deviceState', 'deviceState.deviceId', 'device.id')
    .select(['schoolDevice.id', 'schoolDevice.version', 'schoolDevice.placeId', 'device.sn'])
    .select(connectivity.as('connectivity'))
    .select(sql<boolean>`device_model.kind = 'CAMERA'`.as('isCamera'))
    .select(['schoolDevice.planX', 'schoolDevice.planY'])
    .where('schoolDevice.placeId', 'in', [...placeIds])
    .where('schoolDevice.validTo', 'is', null)
    .orderBy('device.sn')
    .limit(500)
    .execute()

/** The drawing data of a place: the plan of its floor, the rooms on it, and the devices installed there now. */
export const viewFloor = async (db: Db, actor: Actor, placeId: number): Promise<FloorView | null> => {
  const seen = scoped(db, actor)
  const floor = await findFloor(seen, placeId)
  if (!floor) return null
  const plan = await seen
    .selectFrom('floorPlan')
    .selectAll()
    .where('placeId', '=', floor.id)
    .where('publishedAt', 'is not', null)
    .executeTakeFirst()
  const rooms = await listRooms(seen, floor.id)
  const devices = await listDevices(seen, [floor.id, ...rooms.map(({ id }) => id)])
  return { floorId: floor.id, floorName: floor.name, plan: plan ? toRow(plan, actor) : null, rooms, devices }
}
