import { type CameraName, places } from '@tocsin/contract/school/place'
import { placeEdits } from '@tocsin/contract/school/place-edits'
import { type RawBuilder, sql } from 'kysely'
import { importRoutes } from '#areas/files/import/routes'
import type { AllTablesDb, Db } from '#db/db'
import { scoped } from '#db/scope'
import { type Route, route } from '#http/route'
import { createPlace, createPlaces, deletePlace, movePlace, updatePlace, updatePlaces } from './place-edit.ts'
import { placeImporter } from './place-importer.ts'

/**
 * Paths of places like `教学楼 / 3层 / 301室`, without the campus, by place id.
 * @param db a handle whose visibility covers the places
 */
export const loadPlacePaths = async (db: AllTablesDb, ids: readonly number[]): Promise<Map<number, string>> => {
  if (ids.length === 0) return new Map()
  const found = await db
    .withRecursive('up', (qb) =>
      qb
        .selectFrom('place')
        .where('id', 'in', ids)
        .select(['id as leaf', 'parentId', 'kind', 'name', sql<number>`0`.as('depth')])
        .unionAll((parent) =>
          parent
            .selectFrom('place')
            .innerJoin('up', 'up.parentId', 'place.id')
            .select(['up.leaf', 'place.parentId', 'place.kind', 'place.name', sql<number>`up.depth + 1`.as('depth')]),
        ),
    )
    .selectFrom('up')
    .select([
      'leaf',
      sql<string>`string_agg(name, ' / ' order by depth desc) filter (where kind <> 'CAMPUS')`.as('path'),
    ])
    .groupBy('leaf')
    .execute()
  return new Map(found.map(({ leaf, path }) => [leaf, path ?? '']))
}

/** With its numbers padded to ten digits, so that floor 10 comes after floor 2. */
const padNumbers = (name: RawBuilder<unknown>) =>
  sql<string>`regexp_replace(regexp_replace(${name}, '(\\d+)', '000000000\\1', 'g'), '\\d*(\\d{10})', '\\1', 'g')`

/**
 * Every place with its path, without the campus, as a key to sort by. Computed for all of them at once: row by row it
 * takes seconds for the devices of a city.
 * @param seen a handle whose visibility covers the places
 */
export const sortablePlacePaths = (seen: AllTablesDb, schoolId: number | undefined) =>
  seen
    .withRecursive('ordered', (qb) =>
      qb
        .selectFrom('place')
        .where('parentId', 'is', null)
        .$if(schoolId !== undefined, (q) => q.where('schoolId', '=', schoolId ?? 0))
        .select(['id', sql<string>`case when kind <> 'CAMPUS' then ${padNumbers(sql.ref('name'))} end`.as('path')])
        .unionAll((parent) =>
          parent
            .selectFrom('place')
            .innerJoin('ordered', 'ordered.id', 'place.parentId')
            .select([
              'place.id',
              sql<string>`concat_ws(' / ', ordered.path, ${padNumbers(sql.ref('place.name'))})`.as('path'),
            ]),
        ),
    )
    .selectFrom('ordered')
    .select(['ordered.id', 'ordered.path'])

/**
 * Names of cameras by id. A camera that left the school since it was assigned to a place is not included.
 * @param db a handle whose visibility covers them
 */
export const loadCameraNames = async (db: AllTablesDb, schoolId: number, ids: readonly number[]) => {
  if (ids.length === 0) return new Map<number, CameraName>()
  const found = await db
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select(['device.id', 'device.sn', 'deviceModel.name as modelName'])
    .where('device.id', 'in', [...new Set(ids)])
    .where('device.schoolId', '=', schoolId)
    .where('deviceModel.kind', '=', 'CAMERA')
    .execute()
  return new Map<number, CameraName>(found.map((camera) => [camera.id, camera]))
}

/** In the order in which they were entered. */
export const pickCameras = (names: ReadonlyMap<number, CameraName>, ids: readonly number[]): CameraName[] =>
  ids.flatMap((id) => names.get(id) ?? [])

/** How many devices are installed at each place now. */
const countDevices = async (db: AllTablesDb, schoolId: number): Promise<Map<number, number>> => {
  const rows = await db
    .selectFrom('schoolDevice')
    .select(['placeId', sql<number>`count(*)::int`.as('count')])
    .where('schoolId', '=', schoolId)
    .where('validTo', 'is', null)
    .groupBy('placeId')
    .execute()
  return new Map(rows.map(({ placeId, count }) => [placeId, count]))
}

const countFloorPlans = async (db: AllTablesDb, schoolId: number): Promise<Map<number, number>> => {
  const rows = await db
    .selectFrom('floorPlan')
    .select(['placeId', sql<number>`count(*)::int`.as('count')])
    .where('schoolId', '=', schoolId)
    .groupBy('placeId')
    .execute()
  return new Map(rows.map(({ placeId, count }) => [placeId, count]))
}

const listCameras = (db: AllTablesDb, schoolId: number): Promise<CameraName[]> =>
  db
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select(['device.id', 'device.sn', 'deviceModel.name as modelName'])
    .where('device.schoolId', '=', schoolId)
    .where('deviceModel.kind', '=', 'CAMERA')
    .orderBy('device.sn')
    .limit(500)
    .execute()

const placesOf = async (db: AllTablesDb, schoolId: number) => {
  const list = await db
    .selectFrom('place')
    .selectAll()
    .where('schoolId', '=', schoolId)
    .orderBy('sort')
    .orderBy('id')
    .limit(5000)
    .execute()
  const ids = list.flatMap(({ cameraIds }) => cameraIds)
  const names = await loadCameraNames(db, schoolId, ids)
  const counts = await countDevices(db, schoolId)
  const plans = await countFloorPlans(db, schoolId)
  return list.map((place) => ({
    ...place,
    cameras: pickCameras(names, place.cameraIds),
    deviceCount: counts.get(place.id) ?? 0,
    floorPlanCount: plans.get(place.id) ?? 0,
  }))
}

export const placeRoutes = ({ db }: { db: Db }): Route[] => [
  route(places.list, ({ query, actor }) => placesOf(scoped(db, actor), query.schoolId)),
  route(placeEdits.cameras, ({ query, actor }) => listCameras(scoped(db, actor), query.schoolId)),
  route(placeEdits.create, ({ body, caller }) => createPlace(db, body, caller)),
  route(placeEdits.createMany, ({ body, caller }) => createPlaces(db, body, caller)),
  route(placeEdits.update, ({ body, caller }) => updatePlace(db, body, caller)),
  route(placeEdits.updateMany, ({ body, caller }) => updatePlaces(db, body, caller)),
  route(placeEdits.move, ({ body, caller }) => movePlace(db, body, caller)),
  route(placeEdits.delete, ({ query, caller }) => deletePlace(db, query, caller)),
  ...importRoutes(db, placeImporter),
]
