import { codes } from '@tocsin/contract/codes'
import { type SchoolDeviceQuery, schoolDevices } from '@tocsin/contract/device/school-device'
import { sql } from 'kysely'
import { loadCameraNames, loadPlacePaths, pickCameras, sortablePlacePaths } from '#areas/school/place'
import { listAttachedFiles } from '#areas/files/attachments'
import type { AllTablesDb, Db, UnscopedDb } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { unscoped, scoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import { type Actor, type Route, route } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { connectivity } from './connectivity.ts'
import { joinMissingRequirements, missingRequirements, storedReadiness } from './device-readiness.ts'

export const installationRows = (seen: AllTablesDb) =>
  joinMissingRequirements(seen)
    .selectFrom('schoolDevice')
    .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .innerJoin('school', 'school.id', 'schoolDevice.schoolId')
    .leftJoin('deviceState', 'deviceState.deviceId', 'schoolDevice.deviceId')

/** Only devices in use must be tested. */
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
      storedReadiness.as('readiness'),
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

const order: ListOrder<SchoolDeviceQuery> = {
  columns: {
    placePath: { by: sql`place_order.path` },
    schoolName: { by: sql`school.name` },
    readiness: { by: sql`${storedReadiness}`, nullable: true },
    installedAt: { by: sql`school_device.installed_at`, nullable: true },
    lastTestAt: { by: sql`school_device.last_test_at`, nullable: true },
    nextTestDue: { by: sql`school_device.next_test_due`, nullable: true },
  },
  usual: sql`school_device.id desc`,
  id: sql`school_device.id`,
}

const isByPlace = (orderBy: SchoolDeviceQuery['orderBy']) => orderBy === 'placePath' || orderBy === '-placePath'

/** As chosen; else the latest first. */
export const orderInstallations = (
  seen: AllTablesDb,
  found: ReturnType<typeof selectInstallationRow>,
  { orderBy, schoolId }: Pick<SchoolDeviceQuery, 'orderBy' | 'schoolId'>,
) =>
  found
    .$if(isByPlace(orderBy), (q) =>
      q.leftJoin(sortablePlacePaths(seen, schoolId).as('placeOrder'), 'placeOrder.id', 'schoolDevice.placeId'),
    )
    .orderBy(toOrderBy(orderBy, order))
    .$castTo<StoredInstallationRow>()

/** At a place or anywhere below it; the rows themselves are limited to what the reader sees. */
const isBelow = (placeId: number) => sql<boolean>`school_device.place_id in (
  with recursive below as (
    select id from place where id = ${placeId}
    union all select place.id from place join below on place.parent_id = below.id
  ) select id from below)`

export const filterInstallations = (
  from: ReturnType<typeof installationRows>,
  { keyword, schoolId, placeId, silent, ...filter }: SchoolDeviceQuery,
) =>
  from
    .$if(!!keyword, (q) =>
      q.where((eb) =>
        eb.or([
          eb('device.sn', 'ilike', likePattern(keyword ?? '')),
          eb.exists(
            eb
              .selectFrom('place')
              .select(sql.lit(1).as('found'))
              .whereRef('place.id', '=', 'schoolDevice.placeId')
              .where('place.name', 'ilike', likePattern(keyword ?? '')),
          ),
        ]),
      ),
    )
    .$if(placeId !== undefined, (q) => q.where(isBelow(placeId ?? 0)))
    .$if(schoolId !== undefined, (q) => q.where('schoolDevice.schoolId', '=', schoolId ?? 0))
    .$if(silent !== undefined, (q) => q.where('schoolDevice.silent', '=', silent ?? false))
    .$if(!!filter.status?.length, (q) => q.where('schoolDevice.status', 'in', filter.status ?? []))
    // The present installations; a status filter finds past ones.
    .$if(!filter.status?.length, (q) => q.where('schoolDevice.validTo', 'is', null))
    .$if(!!filter.connectivity?.length, (q) => q.where(connectivity, 'in', filter.connectivity ?? []))
    .$if(filter.testOverdue !== undefined, (q) => q.where(isTestOverdue, '=', filter.testOverdue ?? true))
    .$if(filter.noRecipient !== undefined, (q) =>
      q.where(sql<boolean>`'RECIPIENT' = any(${missingRequirements})`, '=', filter.noRecipient ?? true),
    )

/** The moment of a transaction in which one device came down at a place and another went up there. */
const isExchange = sql<boolean>`older.place_id = newer.place_id and older.valid_to = newer.valid_from
  and older.device_id <> newer.device_id`

const snOf = (_all: UnscopedDb, column: string) =>
  sql<string>`(select sn from device where device.id = ${sql.ref(column)})`

/**
 * Which device took the place of which. Both hung at one school, so who sees one installation reads the number of the
 * other device; there is no link to it once it has left what the reader sees.
 */
const listExchanges = (seen: AllTablesDb, deviceId: number) => {
  const all = unscoped(seen, 'serial numbers of installations that were read within the visibility of the reader')
  return seen
    .selectFrom('schoolDevice as older')
    .innerJoin('schoolDevice as newer', (join) => join.on(isExchange))
    .leftJoin('device as before', 'before.id', 'older.deviceId')
    .leftJoin('device as after', 'after.id', 'newer.deviceId')
    .select(['older.id as olderId', 'newer.id as newerId', 'before.id as olderSeen', 'after.id as newerSeen'])
    .select([snOf(all, 'older.device_id').as('olderSn'), snOf(all, 'newer.device_id').as('newerSn')])
    .where((eb) => eb.or([eb('older.deviceId', '=', deviceId), eb('newer.deviceId', '=', deviceId)]))
    .execute()
}

/** Every installation of one device, the latest first, with those it took the place of and gave its place to. */
export const listInstallations = async (db: Db, actor: Actor, deviceId: number) => {
  const seen = scoped(db, actor)
  const found = selectInstallationRow(installationRows(seen).where('schoolDevice.deviceId', '=', deviceId))
  const rows = await completeInstallations(seen, await found.orderBy('schoolDevice.id', 'desc').limit(200).execute())
  const exchanges = await listExchanges(seen, deviceId)
  return rows.map((row) => {
    const earlier = exchanges.find(({ newerId }) => newerId === row.id)
    const later = exchanges.find(({ olderId }) => olderId === row.id)
    return {
      ...row,
      replacesId: earlier?.olderSeen ? earlier.olderId : null,
      replacesSn: earlier?.olderSn ?? null,
      replacedById: later?.newerSeen ? later.newerId : null,
      replacedBySn: later?.newerSn ?? null,
    }
  })
}

/** Sets which pictures an installation refers to: stored files, which stay while it names them. */
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
  const nameOf = (worker: number | null) => people.find((person) => person.id === worker)?.nickname ?? null
  return {
    ...row,
    cameras: pickCameras(await loadCameraNames(seen, row.schoolId, row.cameraIds), row.cameraIds),
    installedByName: nameOf(row.installedBy),
    acceptedByName: nameOf(row.acceptedBy),
    photos: await photosOf(db, actor, id),
  }
}

export const pageInstallations = async (db: Db, actor: Actor, query: SchoolDeviceQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const seen = scoped(db, actor)
  const found = filterInstallations(installationRows(seen), query)
  const [list, total] = await Promise.all([
    orderInstallations(seen, selectInstallationRow(found), query).limit(limit).offset(offset).execute(),
    countCapped(db, found.select('schoolDevice.id')),
  ])
  return { list: await completeInstallations(seen, list), ...total }
}

export const schoolDeviceRoutes = ({ db }: { db: Db }): Route[] => [
  route(schoolDevices.page, ({ query, actor }) => pageInstallations(db, actor, query)),
  route(schoolDevices.get, ({ query, actor }) => getInstallation(db, actor, query.id)),
]
