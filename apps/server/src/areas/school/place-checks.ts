import { codes } from '@tocsin/contract/codes'
import { findCrossingCorner } from '@tocsin/contract/school/geofence'
import { PlaceDraft } from '@tocsin/contract/school/place'
import { MAX_PLACES } from '@tocsin/contract/school/place-plan'
import { sql } from 'kysely'
import { fieldError } from '#areas/audit/edit-transaction'
import type { Db, UnscopedDb } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'

type Place = Row<'place'>

export const all = (trx: Db): UnscopedDb => unscoped(trx, 'the school was locked in the visibility of the caller')

export const checkParent = async (
  trx: Db,
  schoolId: number,
  parentId: number | null | undefined,
): Promise<Place | undefined> => {
  if (parentId === null || parentId === undefined) return undefined
  const parent = await all(trx)
    .selectFrom('place')
    .selectAll()
    .where('id', '=', parentId)
    .where('schoolId', '=', schoolId)
    .executeTakeFirst()
  if (!parent) throw new BusinessError(codes.placeParent)
  return parent
}

export const checkName = async (
  trx: Db,
  { schoolId, parentId, name, id = 0 }: Pick<Place, 'schoolId' | 'parentId' | 'name'> & { id?: number },
) => {
  const twin = await all(trx)
    .selectFrom('place')
    .select('id')
    .where('schoolId', '=', schoolId)
    .where('parentId', 'is not distinct from', parentId)
    .where('name', '=', name)
    .where('id', '<>', id)
    .executeTakeFirst()
  if (twin) throw new BusinessError(codes.placeName, { name })
}

export const checkCameras = async (trx: Db, schoolId: number, ids: readonly number[] = []): Promise<void> => {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const found = await all(trx)
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select('device.id')
    .where('device.id', 'in', wanted)
    .where('device.schoolId', '=', schoolId)
    .where('deviceModel.kind', '=', 'CAMERA')
    .execute()
  if (found.length < wanted.length) throw new BusinessError(codes.placeCameras)
}

export const checkPosition = ({
  lng,
  lat,
}: {
  lng?: number | null | undefined
  lat?: number | null | undefined
}): void => {
  if ((lng ?? null) === null && (lat ?? null) !== null) throw fieldError(PlaceDraft, 'lng', 'required')
  if ((lat ?? null) === null && (lng ?? null) !== null) throw fieldError(PlaceDraft, 'lat', 'required')
}

/** An outline is stored without its first corner repeated at the end. */
export const checkOutline = (outline: PlaceDraft['polygon'] | undefined): void => {
  const [first] = outline ?? []
  const corner = outline && first && findCrossingCorner([...outline, first])
  if (corner) throw new BusinessError(codes.outlineCrosses, { corner })
}

const countPlaces = async (trx: Db, schoolId: number): Promise<number> => {
  const { count } = await all(trx)
    .selectFrom('place')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('schoolId', '=', schoolId)
    .executeTakeFirstOrThrow()
  return count
}

export const checkRoom = async (trx: Db, schoolId: number, more: number): Promise<void> => {
  if ((await countPlaces(trx, schoolId)) + more > MAX_PLACES)
    throw new BusinessError(codes.placesTooMany, { count: MAX_PLACES })
}

const MAX_NAMED = 3

/** The first names, with an ellipsis when there are more. */
const firstNames = (names: readonly string[]): string =>
  `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? '…' : ''}`

/** Rejects the deletion of a place that has places below it or has ever had a device, and names those. */
export const checkUnused = async (trx: Db, actor: Actor, id: number): Promise<void> => {
  const below = await all(trx).selectFrom('place').select('name').where('parentId', '=', id).orderBy('sort').execute()
  if (below.length > 0)
    throw new BusinessError(codes.placeChildren, {
      count: below.length,
      names: firstNames(below.map(({ name }) => name)),
    })
  const devices = await scoped(trx, actor)
    .selectFrom('schoolDevice')
    .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
    .select(['device.sn', 'schoolDevice.validTo'])
    .where('schoolDevice.placeId', '=', id)
    .orderBy('schoolDevice.id')
    .execute()
  const installed = devices.filter(({ validTo }) => validTo === null).map(({ sn }) => sn)
  if (installed.length > 0)
    throw new BusinessError(codes.placeDevices, { count: installed.length, names: firstNames(installed) })
  const past = [...new Set(devices.map(({ sn }) => sn))]
  if (past.length > 0) throw new BusinessError(codes.placePastDevices, { names: firstNames(past) })
}
