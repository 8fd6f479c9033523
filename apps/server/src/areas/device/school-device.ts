import { codes } from '@tocsin/contract/codes'
import { schoolDevices } from '@tocsin/contract/device/school-device'
import { loadCameraNames, pickCameras, loadPlacePaths } from '#areas/school/place'
import { listAttachedFiles } from '#areas/files/attachments'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { unscoped, scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Actor, type Route, route } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { connectivity } from './connectivity.ts'

const rows = (seen: AllTablesDb) =>
  seen
    .selectFrom('schoolDevice')
    .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .innerJoin('school', 'school.id', 'schoolDevice.schoolId')
    .leftJoin('deviceState', 'deviceState.deviceId', 'schoolDevice.deviceId')

const shown = (found: ReturnType<typeof rows>) =>
  found
    .selectAll('schoolDevice')
    .select([
      'device.sn',
      'deviceModel.name as modelName',
      'deviceModel.kind',
      'school.name as schoolName',
      connectivity.as('connectivity'),
      'deviceState.lastSeenAt',
    ])

type Found = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>

const withPlaces = async (seen: AllTablesDb, found: Found) => {
  const paths = await loadPlacePaths(
    seen,
    found.map(({ placeId }) => placeId),
  )
  return found.map((row) => ({ ...row, placePath: paths.get(row.placeId) ?? '' }))
}

/** What refers to the pictures of an installation: they are files of the store, and stay while it names them. */
export const PHOTOS_OF = 'schoolDevice'

const photosOf = async (db: Db, actor: Actor, id: number) => {
  const uses = await db
    .selectFrom('fileUse')
    .select('fileId')
    .where('subject', '=', PHOTOS_OF)
    .where('subjectId', '=', id)
    .orderBy('fileId')
    .execute()
  const ids = uses.map(({ fileId }) => fileId)
  const held = await listAttachedFiles(db, actor, ids)
  return ids.flatMap((fileId) => held(fileId) ?? []).map(({ id: photo, name, url }) => ({ id: photo, name, url }))
}

const getInstallation = async (db: Db, actor: Actor, id: number) => {
  const seen = scoped(db, actor)
  const found = await shown(rows(seen).where('schoolDevice.id', '=', id)).execute()
  const [row] = await withPlaces(seen, found)
  if (!row) throw new BusinessError(codes.notFound, { what: '设备' })
  const workers = [row.installedBy, row.acceptedBy].filter((worker) => worker !== null)
  const people = await unscoped(db, 'names on an installation that was read through the sight of the caller')
    .selectFrom('users')
    .select(['id', 'nickname'])
    .where('id', 'in', [0, ...workers])
    .execute()
  const nameOf = (worker: number | null) => people.find((one) => one.id === worker)?.nickname ?? null
  return {
    ...row,
    cameras: pickCameras(await loadCameraNames(seen, row.schoolId, row.cameraIds), row.cameraIds),
    installedByName: nameOf(row.installedBy),
    acceptedByName: nameOf(row.acceptedBy),
    photos: await photosOf(db, actor, id),
  }
}

export const schoolDeviceRoutes = ({ db }: { db: Db }): Route[] => [
  route(schoolDevices.page, async ({ query, actor }) => {
    const { limit, offset } = toOffsetLimit(query)
    const seen = scoped(db, actor)
    const found = rows(seen)
      .$if(!!query.keyword, (q) => q.where('device.sn', 'ilike', likePattern(query.keyword ?? '')))
      .$if(query.schoolId !== undefined, (q) => q.where('schoolDevice.schoolId', '=', query.schoolId ?? 0))
    const [list, total] = await Promise.all([
      shown(found).orderBy('schoolDevice.id', 'desc').limit(limit).offset(offset).execute(),
      countCapped(db, found.select('schoolDevice.id')),
    ])
    return { list: await withPlaces(seen, list), ...total }
  }),
  route(schoolDevices.get, ({ query, actor }) => getInstallation(db, actor, query.id)),
]
