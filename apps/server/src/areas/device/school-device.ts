import { codes } from '@tocsin/contract/codes'
import { type SchoolDeviceQuery, schoolDevices } from '@tocsin/contract/device/school-device'
import { sql } from 'kysely'
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
import { joinMissingRequirements, missingRequirements } from './device-readiness.ts'

export const installationRows = (seen: AllTablesDb) =>
  joinMissingRequirements(seen)
    .selectFrom('schoolDevice')
    .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .innerJoin('school', 'school.id', 'schoolDevice.schoolId')
    .leftJoin('deviceState', 'deviceState.deviceId', 'schoolDevice.deviceId')

/** Only what is in use must be tested. */
const isTestOverdue = sql<boolean>`coalesce(
  school_device.valid_to is null and school_device.status = 'ACCEPTED' and school_device.next_test_due < current_date,
  false)`

export const selectInstallationRow = (found: ReturnType<typeof installationRows>) =>
  found
    .selectAll('schoolDevice')
    .select([
      'device.sn',
      'deviceModel.name as modelName',
      'deviceModel.kind',
      'school.name as schoolName',
      connectivity.as('connectivity'),
      'deviceState.lastSeenAt',
      'device.readiness',
      missingRequirements.as('lacks'),
      isTestOverdue.as('testOverdue'),
    ])

export type StoredInstallationRow = Awaited<ReturnType<ReturnType<typeof selectInstallationRow>['execute']>>[number]

export const completeInstallations = async (seen: AllTablesDb, found: StoredInstallationRow[]) => {
  const paths = await loadPlacePaths(
    seen,
    found.map(({ placeId }) => placeId),
  )
  return found.map((row) => ({ ...row, placePath: paths.get(row.placeId) ?? '' }))
}

export const filterInstallations = (
  from: ReturnType<typeof installationRows>,
  { keyword, schoolId, silent, ...asked }: SchoolDeviceQuery,
) =>
  from
    .$if(!!keyword, (q) => q.where('device.sn', 'ilike', likePattern(keyword ?? '')))
    .$if(schoolId !== undefined, (q) => q.where('schoolDevice.schoolId', '=', schoolId ?? 0))
    .$if(silent !== undefined, (q) => q.where('schoolDevice.silent', '=', silent ?? false))
    .$if(!!asked.status?.length, (q) => q.where('schoolDevice.status', 'in', asked.status ?? []))
    // What hangs on a wall now; the past is asked for by its status.
    .$if(!asked.status?.length, (q) => q.where('schoolDevice.validTo', 'is', null))
    .$if(!!asked.connectivity?.length, (q) => q.where(connectivity, 'in', asked.connectivity ?? []))
    .$if(asked.testOverdue !== undefined, (q) => q.where(isTestOverdue, '=', asked.testOverdue ?? true))
    .$if(asked.noRecipient !== undefined, (q) =>
      q.where(sql<boolean>`'RECIPIENT' = any(${missingRequirements})`, '=', asked.noRecipient ?? true),
    )

/** Every installation of one device, the latest first. */
export const listInstallations = async (db: Db, actor: Actor, deviceId: number) => {
  const seen = scoped(db, actor)
  const found = selectInstallationRow(installationRows(seen).where('schoolDevice.deviceId', '=', deviceId))
  return completeInstallations(seen, await found.orderBy('schoolDevice.id', 'desc').limit(200).execute())
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
  const found = await selectInstallationRow(installationRows(seen).where('schoolDevice.id', '=', id)).execute()
  const [row] = await completeInstallations(seen, found)
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
    const found = filterInstallations(installationRows(seen), query)
    const [list, total] = await Promise.all([
      selectInstallationRow(found).orderBy('schoolDevice.id', 'desc').limit(limit).offset(offset).execute(),
      countCapped(db, found.select('schoolDevice.id')),
    ])
    return { list: await completeInstallations(seen, list), ...total }
  }),
  route(schoolDevices.get, ({ query, actor }) => getInstallation(db, actor, query.id)),
]
