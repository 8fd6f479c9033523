import { codes } from '@tocsin/contract/codes'
import { schoolDevices } from '@tocsin/contract/device/school-device'
import { cameraNames, camerasOf, placePaths } from '#areas/school/place'
import { filesHeld } from '#areas/system/file/hold'
import type { AllDb, Db } from '#db/db'
import { like } from '#db/like'
import { countUpTo } from '#db/page'
import { everything, scoped } from '#db/scope'
import { Refusal } from '#http/refusal'
import { type Actor, type Route, route } from '#http/route'
import { pageOf } from '#http/window'
import { connectivity } from './connectivity.ts'

const rows = (seen: AllDb) =>
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

const withPlaces = async (seen: AllDb, found: Found) => {
  const paths = await placePaths(
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
  const held = await filesHeld(db, actor, ids)
  return ids.flatMap((fileId) => held(fileId) ?? []).map(({ id: photo, name, url }) => ({ id: photo, name, url }))
}

const getInstallation = async (db: Db, actor: Actor, id: number) => {
  const seen = scoped(db, actor)
  const found = await shown(rows(seen).where('schoolDevice.id', '=', id)).execute()
  const [row] = await withPlaces(seen, found)
  if (!row) throw new Refusal(codes.notFound, { what: '设备' })
  const workers = [row.installedBy, row.acceptedBy].filter((worker) => worker !== null)
  const people = await everything(db, 'names on an installation that was read through the sight of the caller')
    .selectFrom('users')
    .select(['id', 'nickname'])
    .where('id', 'in', [0, ...workers])
    .execute()
  const nameOf = (worker: number | null) => people.find((one) => one.id === worker)?.nickname ?? null
  return {
    ...row,
    cameras: camerasOf(await cameraNames(seen, row.schoolId, row.cameraIds), row.cameraIds),
    installedByName: nameOf(row.installedBy),
    acceptedByName: nameOf(row.acceptedBy),
    photos: await photosOf(db, actor, id),
  }
}

export const schoolDeviceRoutes = ({ db }: { db: Db }): Route[] => [
  route(schoolDevices.page, async ({ query, actor }) => {
    const { limit, offset } = pageOf(query)
    const seen = scoped(db, actor)
    const found = rows(seen)
      .$if(!!query.keyword, (q) => q.where('device.sn', 'ilike', like(query.keyword ?? '')))
      .$if(query.schoolId !== undefined, (q) => q.where('schoolDevice.schoolId', '=', query.schoolId ?? 0))
    const [list, total] = await Promise.all([
      shown(found).orderBy('schoolDevice.id', 'desc').limit(limit).offset(offset).execute(),
      countUpTo(db, found.select('schoolDevice.id')),
    ])
    return { list: await withPlaces(seen, list), ...total }
  }),
  route(schoolDevices.get, ({ query, actor }) => getInstallation(db, actor, query.id)),
]
