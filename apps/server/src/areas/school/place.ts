import { type CameraName, places } from '@tocsin/contract/school/place'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { scoped } from '#db/scope'
import { type Route, route } from '#http/route'

/**
 * Paths of places like `教学楼 / 3层 / 301室`, the campus left out, by place id.
 * @param db a handle whose sight covers the places.
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

/**
 * Names of cameras by id. One that left the school since it was written beside a place is not among them.
 * @param db a handle whose sight covers them.
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

/** In the order in which they were written down. */
export const pickCameras = (names: ReadonlyMap<number, CameraName>, ids: readonly number[]): CameraName[] =>
  ids.flatMap((id) => names.get(id) ?? [])

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
  return list.map((place) => ({ ...place, cameras: pickCameras(names, place.cameraIds) }))
}

export const placeRoutes = ({ db }: { db: Db }): Route[] => [
  route(places.list, ({ query, actor }) => placesOf(scoped(db, actor), query.schoolId)),
]
