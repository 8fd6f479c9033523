import type {
  FoundKind,
  MapDevices,
  MapFound,
  MapOverview,
  MapPart,
  MapRecord,
  MapSchool,
  MapUnit,
} from '@tocsin/contract/insight/map'
import type { Lang } from '@tocsin/contract/field'
import { enumLabel } from '#texts/enum-labels.ts'

import type { MapPoint, MapRing, PointKind } from '#ui/map/map-shapes.ts'

/** One row of the list beside the map; without a position it has no point. */
export type MapItem = {
  key: string
  /** FOUND: by the search only; it is not drawn until it is selected. */
  part: Extract<MapPart, 'RECORDS' | 'UNITS' | 'SCHOOLS'> | 'FOUND'
  id: number
  schoolId?: number | null
  /** Of what was found. */
  kind?: FoundKind
  title: string
  subtitle: string
  /** Of an alarm record. */
  level?: number
  isClaimed?: boolean
  mode?: MapRecord['mode']
  point?: MapPoint
}

/** How long a new alarm pulses. */
const NEW_MS = 10_000

const pointOf = (
  row: { lng: number | null; lat: number | null },
  point: Omit<MapPoint, 'lng' | 'lat'>,
): Pick<MapItem, 'point'> =>
  row.lng === null || row.lat === null ? {} : { point: { ...point, lng: row.lng, lat: row.lat } }

const modeKinds = { TEST: 'test', DRILL: 'drill' } as const

const kindOf = ({ mode, isClaimed }: MapRecord): PointKind => {
  if (mode !== 'LIVE') return modeKinds[mode]
  return isClaimed ? 'claimed' : 'alarm'
}

type Describe = {
  lang: Lang
  now: number
  describeSchool: (school: MapSchool) => string
  describeUnit: (unit: MapUnit) => string
}

/** @param now the server's time, which decides what is new. */
export const buildItems = (
  { units, schools }: MapOverview,
  records: readonly MapRecord[],
  { lang, now, describeSchool, describeUnit }: Describe,
): MapItem[] => [
  ...records.map((row): MapItem => {
    const isLive = row.mode === 'LIVE'
    const words = [enumLabel('alarmCode', row.code, lang), row.schoolName ?? row.no]
    const title = [...(isLive ? [] : [enumLabel('mode', row.mode, lang)]), ...words].join(' · ')
    const key = `record-${row.id}`
    const kind = kindOf(row)
    const isNew = isLive && !row.isClaimed && row.level <= 2 && now - row.firstAt.getTime() < NEW_MS
    return {
      key,
      part: 'RECORDS',
      id: row.id,
      title,
      subtitle: row.placePath ?? row.no,
      level: row.level,
      isClaimed: row.isClaimed,
      mode: row.mode,
      ...pointOf(row, { key, kind, label: title, isNew, ...(isLive && { level: row.level }) }),
    }
  }),
  ...units.map((row): MapItem => {
    const key = `unit-${row.id}`
    return {
      key,
      part: 'UNITS',
      id: row.id,
      title: row.name,
      subtitle: describeUnit(row),
      ...pointOf(row, { key, kind: 'unit', label: row.name }),
    }
  }),
  ...schools.map((row): MapItem => {
    const key = `school-${row.id}`
    return {
      key,
      part: 'SCHOOLS',
      id: row.id,
      title: row.name,
      subtitle: describeSchool(row),
      ...pointOf(row, { key, kind: 'school', label: row.name }),
    }
  }),
]

/** Installed devices are drawn but not listed: the list of devices has its own screen. */
export const buildDevicePoints = ({ ids, lngs, lats, connectivities }: MapDevices): MapPoint[] =>
  ids.map((id, index) => ({
    key: `device-${id}`,
    kind: connectivities[index] === 'ONLINE' ? 'online' : 'offline',
    lng: lngs[index] ?? 0,
    lat: lats[index] ?? 0,
    label: '',
  }))

/** The device under the pointer as a row: it has no name in the answer, since there may be 100,000. */
export const buildDeviceItem = (
  key: string | undefined,
  { ids, lngs, lats, connectivities }: MapDevices,
  lang: Lang,
): MapItem | undefined => {
  const index = ids.findIndex((id) => `device-${id}` === key)
  const [id, lng, lat, state] = [ids[index], lngs[index], lats[index], connectivities[index]]
  if (key === undefined || id === undefined || lng === undefined || lat === undefined || !state) return undefined
  const title = enumLabel('foundKind', 'DEVICE', lang)
  const point: MapPoint = { key, kind: state === 'ONLINE' ? 'online' : 'offline', lng, lat, label: '' }
  return { key, part: 'FOUND', kind: 'DEVICE', id, title, subtitle: enumLabel('connectivity', state, lang), point }
}

export const buildRings = ({ schools, stations }: MapOverview): MapRing[] => [
  ...stations.flatMap(({ id, name, jurisdiction }): MapRing[] =>
    jurisdiction ? [{ key: `station-${id}`, kind: 'jurisdiction', label: name, polygon: jurisdiction }] : [],
  ),
  ...schools.flatMap(({ id, name, geofence }): MapRing[] =>
    geofence ? [{ key: `fence-${id}`, kind: 'fence', label: name, polygon: geofence }] : [],
  ),
]

type Wanted = {
  parts: ReadonlySet<MapPart>
  keyword: string
  /** Of alarms; empty: all. */
  levels: readonly number[]
}

/** Rows of the parts and levels that are shown and that contain every word of the search. */
export const filterItems = (items: readonly MapItem[], { parts, keyword, levels }: Wanted): MapItem[] => {
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean)
  return items.filter(({ part, title, subtitle, level }) => {
    const text = `${title} ${subtitle}`.toLowerCase()
    if (level !== undefined && levels.length > 0 && !levels.includes(level)) return false
    return part !== 'FOUND' && parts.has(part) && words.every((word) => text.includes(word))
  })
}

/** What the search found besides the rows that are listed already. */
export const buildFound = (found: readonly MapFound[], listed: readonly MapItem[], lang: Lang): MapItem[] => {
  const known = new Set(listed.map(({ key }) => key))
  return found
    .filter(({ kind, id }) => !known.has(`${kind.toLowerCase()}-${id}`))
    .map((row) => {
      const key = `found-${row.kind}-${row.id}`
      const kindName = enumLabel('foundKind', row.kind, lang)
      return {
        key,
        part: 'FOUND' as const,
        id: row.id,
        schoolId: row.schoolId,
        kind: row.kind,
        title: row.title,
        subtitle: row.subtitle ? `${kindName} · ${row.subtitle}` : kindName,
        ...pointOf(row, { key, kind: 'school', label: row.title }),
      }
    })
}

/** The screen that an item leads to: the record, the school, the plans of the school of a place, or the device. */
export const findHref = ({ part, kind, id, schoolId }: MapItem, desk: string | undefined): string | undefined => {
  if (part === 'RECORDS') return desk === undefined ? undefined : `${desk}?id=${id}`
  if (part === 'SCHOOLS') return `/school/detail/${id}`
  if (part !== 'FOUND') return undefined
  if (kind === 'DEVICE') return `/device/detail/${id}`
  if (!schoolId) return undefined
  return kind === 'PLACE' ? `/school/detail/${schoolId}?tab=plans` : `/school/detail/${schoolId}`
}

const EARTH_M = 6_371_000
const toRadians = (degrees: number): number => (degrees * Math.PI) / 180

type Position = { lng: number; lat: number }

/** Metres as the crow flies. */
export const distanceBetween = (a: Position, b: Position): number => {
  const [north, east] = [toRadians(b.lat - a.lat), toRadians(b.lng - a.lng)]
  const half =
    Math.sin(north / 2) ** 2 + Math.cos(toRadians(a.lat)) * Math.cos(toRadians(b.lat)) * Math.sin(east / 2) ** 2
  return 2 * EARTH_M * Math.asin(Math.sqrt(half))
}
