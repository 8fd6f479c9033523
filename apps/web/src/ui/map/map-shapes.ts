import type { Geofence } from '@tocsin/contract/school/geofence'

/** Which kind of thing a point stands for: it decides its colour and size. */
export type PointKind =
  | 'alarm'
  | 'claimed'
  | 'test'
  | 'drill'
  | 'school'
  | 'ready'
  | 'partlyReady'
  | 'unready'
  | 'unit'
  | 'person'
  | 'online'
  | 'offline'

/** A point in CGCS2000. */
export type MapPoint = {
  key: string
  kind: PointKind
  lng: number
  lat: number
  /** Shown beside it when the map is near enough. */
  label: string
  /** Of an alarm, 1 to 4; clusters show the worst. A test or drill has none. */
  level?: number
  /** Draws attention for some seconds. */
  isNew?: boolean
}

export type MapRing = { key: string; kind: 'fence' | 'jurisdiction'; label: string; polygon: Geofence }

/** The way of somebody, in the order of time. */
export type MapLine = { key: string; corners: readonly (readonly [lng: number, lat: number])[] }

/** Where the base map is read from; without one only rings and points are drawn. */
export type MapBaseLayers = {
  urls: readonly string[]
  attribution: string
  minZoom: number
  maxZoom: number
  /** Of vector tiles; empty when the tiles are pictures. */
  vectorLayers: readonly string[]
  /** Of a page without a session: tiles are asked for by POST with this token, which stays out of addresses. */
  linkToken?: string
}

/** No alarm among the points of a cluster. */
export const NO_LEVEL = 9

/** Longitude and latitude of two corners that hold every point and ring, or undefined when there is none. */
export const boundsOf = (
  points: readonly Pick<MapPoint, 'lng' | 'lat'>[],
  rings: readonly MapRing[],
): [[number, number], [number, number]] | undefined => {
  const corners = rings.flatMap(({ polygon }) => polygon.coordinates.flat())
  const all = [...points.map(({ lng, lat }) => [lng, lat] as const), ...corners]
  const [first] = all
  if (!first) return undefined
  const bounds = all.reduce(
    (box, [lng, lat]) => [
      Math.min(box[0] ?? lng, lng),
      Math.min(box[1] ?? lat, lat),
      Math.max(box[2] ?? lng, lng),
      Math.max(box[3] ?? lat, lat),
    ],
    [first[0], first[1], first[0], first[1]],
  )
  const [west = 0, south = 0, east = 0, north = 0] = bounds
  return [
    [west, south],
    [east, north],
  ]
}

const feature = (geometry: object, properties: object) => ({ type: 'Feature' as const, geometry, properties })

export const pointCollection = (points: readonly MapPoint[]) => ({
  type: 'FeatureCollection' as const,
  features: points.map(({ key, kind, lng, lat, label, level = NO_LEVEL }) =>
    feature({ type: 'Point', coordinates: [lng, lat] }, { key, kind, label, level }),
  ),
})

export const ringCollection = (rings: readonly MapRing[]) => ({
  type: 'FeatureCollection' as const,
  features: rings.map(({ key, kind, label, polygon }) => feature(polygon, { key, kind, label })),
})

export const lineCollection = (lines: readonly MapLine[]) => ({
  type: 'FeatureCollection' as const,
  features: lines
    .filter(({ corners }) => corners.length > 1)
    .map(({ key, corners }) => feature({ type: 'LineString', coordinates: corners }, { key })),
})

/** The deepest zoom that has clusters; nearer, every point is drawn alone. */
export const MAX_CLUSTER_ZOOM = 12

/** Whether two lists draw the same. Their rows are flat, but for shapes that keep their identity while unchanged. */
export const hasSameRows = <T extends object>(some: readonly T[], others: readonly T[]): boolean => {
  if (some === others) return true
  return (
    some.length === others.length &&
    some.every((row, index) => {
      const other = others[index]
      if (row === other || other === undefined) return row === other
      const keys = Object.keys(row) as (keyof T)[]
      return keys.length === Object.keys(other).length && keys.every((key) => row[key] === other[key])
    })
  )
}
