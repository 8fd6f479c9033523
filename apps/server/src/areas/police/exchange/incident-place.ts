import type { Geofence } from '@tocsin/contract/school/geofence'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { ExchangeError } from './exchange-error.ts'
import type { IncomingMessage } from './incoming-message.ts'

type Point = { lng: number; lat: number }

/** Even-odd rule: a ray to the east crosses the ring an odd number of times. */
export const isInside = ({ lng, lat }: Point, { coordinates: [ring = []] }: Geofence): boolean =>
  ring.reduce((inside, [x, y], index) => {
    const [nextX, nextY] = ring[index + 1] ?? [x, y]
    if (y > lat === nextY > lat) return inside
    return lng < x + ((lat - y) / (nextY - y)) * (nextX - x) ? !inside : inside
  }, false)

const forExchange = (trx: Db) => unscoped(trx, 'another system names a place; the incident belongs to its station')

const findSchool = async (trx: Db, { format, schoolCode }: IncomingMessage) => {
  if (schoolCode === null) return undefined
  const school = await forExchange(trx)
    .selectFrom('school')
    .select(['id', 'name', 'address', 'policeDeptId', 'lng', 'lat'])
    .where('code', '=', schoolCode)
    .executeTakeFirst()
  if (!school) throw new ExchangeError(format === 'CAP' ? 'info.area.geocode' : 'schoolCode', 'names no school')
  return school
}

const findStation = async (trx: Db, point: Point): Promise<number | null> => {
  const stations = await forExchange(trx)
    .selectFrom('policeStation')
    .innerJoin('dept', 'dept.id', 'policeStation.deptId')
    .select(['policeStation.deptId', 'policeStation.jurisdiction'])
    .where('policeStation.jurisdiction', 'is not', null)
    .where('dept.enabled', '=', true)
    .orderBy('policeStation.id')
    .execute()
  return stations.find(({ jurisdiction }) => jurisdiction && isInside(point, jurisdiction))?.deptId ?? null
}

/**
 * The columns of an incident about its place. The station is the one of the school, else the one whose jurisdiction
 * contains the position; without either the command centre passes the incident on.
 */
export const locateIncident = async (trx: Db, message: IncomingMessage) => {
  const school = await findSchool(trx, message)
  const lng = message.lng ?? school?.lng ?? null
  const lat = message.lat ?? school?.lat ?? null
  const byPosition = lng === null || lat === null ? null : await findStation(trx, { lng, lat })
  return {
    schoolId: school?.id ?? null,
    schoolName: school?.name ?? null,
    place: message.place ?? school?.address ?? null,
    lng,
    lat,
    stationDeptId: school?.policeDeptId ?? byPosition,
  }
}
