import type { FoundKind, MapFound } from '@tocsin/contract/insight/map'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { scoped } from '#db/scope'
import { type Actor, hasPermission } from '#http/route'
import { pinyin } from 'pinyin-pro'

/** Names change seldom and are asked for at each key. */
const MAX_KNOWN = 100_000
const known = new Map<string, string>()

/** The first letters of a name as they are typed: 东湖第一小学A栋 is dhdyxxad. */
const toInitials = (name: string): string => {
  const found = known.get(name)
  if (found !== undefined) return found
  const letters = pinyin(name, { pattern: 'first', toneType: 'none', type: 'array', nonZh: 'consecutive' })
  const initials = letters.join('').toLowerCase().replaceAll(/\s/g, '')
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(name, initials)
  return initials
}

/** Only letters and digits can be initials. */
const isInitials = (keyword: string): boolean => /^[a-z0-9]{2,}$/i.test(keyword)

/** Rows of each kind that are answered, and that are compared by their initials. */
const MAX_OF_KIND = 20
const MAX_COMPARED = 20_000

type Search = { seen: AllTablesDb; keyword: string; pattern: string }
type Found = Omit<MapFound, 'kind'>

const schools = ({ seen }: Search) =>
  seen
    .selectFrom('school')
    .select(['school.id', 'school.id as schoolId', 'school.name as title', 'school.lng', 'school.lat'])
    .select(sql<string>`coalesce(school.address, school.code)`.as('subtitle'))
    .where('school.status', '<>', 'CLOSED')
    .orderBy('school.name')

const places = ({ seen }: Search) =>
  seen
    .selectFrom('place')
    .innerJoin('school', 'school.id', 'place.schoolId')
    .select(['place.id', 'place.schoolId', 'place.name as title', 'school.name as subtitle'])
    .select([
      sql<number | null>`coalesce(place.lng, school.lng)`.as('lng'),
      sql<number | null>`coalesce(place.lat, school.lat)`.as('lat'),
    ])
    .orderBy('place.name')
    .orderBy('place.id')

/** A station has no position of its own: it is found, and its jurisdiction is on the map. */
const stations = ({ seen }: Search) =>
  seen
    .selectFrom('policeStation')
    .innerJoin('dept', 'dept.id', 'policeStation.deptId')
    .select(['policeStation.id', 'dept.name as title'])
    .select([
      sql<null>`null::bigint`.as('schoolId'),
      sql<null>`null::float8`.as('lng'),
      sql<null>`null::float8`.as('lat'),
    ])
    .select(sql<string>`coalesce(police_station.duty_phone, '')`.as('subtitle'))
    .where('dept.kind', '=', 'POLICE_STATION')
    .orderBy('dept.name')

const devices = ({ seen }: Search) =>
  seen
    .selectFrom('schoolDevice')
    .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
    .innerJoin('place', 'place.id', 'schoolDevice.placeId')
    .innerJoin('school', 'school.id', 'schoolDevice.schoolId')
    .select(['device.id', 'schoolDevice.schoolId', 'device.sn as title'])
    .select([
      sql<string>`school.name || ' · ' || place.name`.as('subtitle'),
      sql<number | null>`coalesce(school_device.lng, place.lng, school.lng)`.as('lng'),
      sql<number | null>`coalesce(school_device.lat, place.lat, school.lat)`.as('lat'),
    ])
    .where('schoolDevice.validTo', 'is', null)
    .orderBy('device.sn')

/** Rows whose first letters contain the keyword; without such rows those that match as text. */
const findNamed = async (
  keyword: string,
  { all, matching }: { all: () => Promise<Found[]>; matching: () => Promise<Found[]> },
): Promise<Found[]> => {
  if (!isInitials(keyword)) return matching()
  const letters = keyword.toLowerCase()
  const found = (await all()).filter(({ title }) => toInitials(title).includes(letters))
  return found.length > 0 ? found : matching()
}

const findSchools = (search: Search): Promise<Found[]> =>
  findNamed(search.keyword, {
    all: () => schools(search).limit(MAX_COMPARED).execute(),
    matching: () =>
      schools(search)
        .where((eb) =>
          eb.or([
            eb('school.name', 'ilike', search.pattern),
            eb('school.code', 'ilike', search.pattern),
            eb('school.address', 'ilike', search.pattern),
          ]),
        )
        .limit(MAX_OF_KIND)
        .execute(),
  })

const findPlaces = (search: Search): Promise<Found[]> =>
  findNamed(search.keyword, {
    all: () => places(search).limit(MAX_COMPARED).execute(),
    matching: () =>
      places(search)
        .where((eb) => eb.or([eb('place.name', 'ilike', search.pattern), eb('place.code', 'ilike', search.pattern)]))
        .limit(MAX_OF_KIND)
        .execute(),
  })

const findStations = (search: Search): Promise<Found[]> =>
  findNamed(search.keyword, {
    all: () => stations(search).limit(MAX_COMPARED).execute(),
    matching: () => stations(search).where('dept.name', 'ilike', search.pattern).limit(MAX_OF_KIND).execute(),
  })

const findDevices = (search: Search): Promise<Found[]> =>
  devices(search).where('device.sn', 'ilike', search.pattern).limit(MAX_OF_KIND).execute()

const finders: Record<FoundKind, { permission: string; find: (search: Search) => Promise<Found[]> }> = {
  SCHOOL: { permission: 'school:school:query', find: findSchools },
  STATION: { permission: 'police:station:query', find: findStations },
  PLACE: { permission: 'school:place:query', find: findPlaces },
  DEVICE: { permission: 'device:school-device:query', find: findDevices },
}

/** Finds by name, code, address and first letters, among what the actor may read. */
export const searchMap = async (db: Db, actor: Actor, keyword: string): Promise<MapFound[]> => {
  const may = hasPermission(actor)
  const search = { seen: scoped(db, actor), keyword, pattern: likePattern(keyword) }
  const found = await Promise.all(
    Object.entries(finders).map(async ([kind, { permission, find }]) => {
      const rows = may(permission) ? await find(search) : []
      return rows.slice(0, MAX_OF_KIND).map((row) => ({ ...row, kind: kind as FoundKind }))
    }),
  )
  return found.flat()
}
