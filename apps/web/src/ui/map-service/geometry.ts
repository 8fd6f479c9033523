import type { LngLat, Shape, ShapeKind } from './types.ts'

const EARTH_M = 6_371_008
const CIRCLE_CORNERS = 64

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180
const toDegrees = (radians: number): number => (radians * 180) / Math.PI

/** Metres along a great circle. */
export const measureDistance = ([lng, lat]: LngLat, [otherLng, otherLat]: LngLat): number => {
  const north = Math.sin(toRadians(otherLat - lat) / 2) ** 2
  const east = Math.sin(toRadians(otherLng - lng) / 2) ** 2
  const share = north + Math.cos(toRadians(lat)) * Math.cos(toRadians(otherLat)) * east
  return 2 * EARTH_M * Math.asin(Math.sqrt(Math.min(1, share)))
}

export const measurePath = (path: readonly LngLat[]): number =>
  path.slice(1).reduce((sum, point, index) => sum + measureDistance(path[index] ?? point, point), 0)

const pointOnCircle = ([lng, lat]: LngLat, radius: number, angle: number): LngLat => {
  const north = toDegrees(radius / EARTH_M) * Math.cos(angle)
  const east = (toDegrees(radius / EARTH_M) * Math.sin(angle)) / Math.cos(toRadians(lat))
  return [lng + east, lat + north]
}

const boxCorners = ([[west, south], [east, north]]: readonly [LngLat, LngLat]): LngLat[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
]

/** The corners that are drawn; areas are closed by who draws them. */
export const cornersOf = (shape: Shape): readonly LngLat[] => {
  if (shape.kind === 'rectangle') return boxCorners(shape.bounds)
  if (shape.kind !== 'circle') return shape.path
  const { center, radius } = shape
  return Array.from({ length: CIRCLE_CORNERS }, (_, index) =>
    pointOnCircle(center, radius, (2 * Math.PI * index) / CIRCLE_CORNERS),
  )
}

/** The points by which a shape is edited: its corners, or of a circle the centre and a point on its edge. */
export const handlesOf = (shape: Shape): readonly LngLat[] => {
  if (shape.kind === 'circle') return [shape.center, pointOnCircle(shape.center, shape.radius, Math.PI / 2)]
  return shape.kind === 'rectangle' ? shape.bounds : shape.path
}

const boundsBetween = ([lng, lat]: LngLat, [otherLng, otherLat]: LngLat): [LngLat, LngLat] => [
  [Math.min(lng, otherLng), Math.min(lat, otherLat)],
  [Math.max(lng, otherLng), Math.max(lat, otherLat)],
]

/** The shape after one of its handles was moved. */
export const moveHandle = (shape: Shape, index: number, to: LngLat): Shape => {
  if (shape.kind === 'circle') {
    return index === 0 ? { ...shape, center: to } : { ...shape, radius: measureDistance(shape.center, to) }
  }
  if (shape.kind === 'rectangle') {
    const [southWest, northEast] = shape.bounds
    return { ...shape, bounds: boundsBetween(index === 0 ? northEast : southWest, to) }
  }
  return { ...shape, path: shape.path.map((point, at) => (at === index ? to : point)) }
}

/** Points that a drawing needs at least; rectangles and circles are complete with them. */
const needed: Record<ShapeKind, number> = { polyline: 2, polygon: 3, rectangle: 2, circle: 2 }

/** Whether a drawing ends by itself, without a double click. */
export const isComplete = (kind: ShapeKind, points: readonly LngLat[]): boolean =>
  (kind === 'rectangle' || kind === 'circle') && points.length >= needed[kind]

/** The shape of the clicked points, or undefined while there are too few. */
export const shapeOf = (kind: ShapeKind, points: readonly LngLat[]): Shape | undefined => {
  const [first, second] = points
  if (!first || !second || points.length < needed[kind]) return undefined
  if (kind === 'rectangle') return { kind, bounds: boundsBetween(first, second) }
  if (kind === 'circle') return { kind, center: first, radius: measureDistance(first, second) }
  return { kind, path: points }
}

/** A point on a path, so many metres after its beginning. */
export const pointAlong = (path: readonly LngLat[], metres: number): LngLat | undefined => {
  let rest = Math.max(0, metres)
  for (const [index, to] of path.slice(1).entries()) {
    const from = path[index] ?? to
    const length = measureDistance(from, to)
    if (rest <= length) {
      const share = length === 0 ? 0 : rest / length
      return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
    }
    rest -= length
  }
  return path.at(-1)
}

/** "lng lat" or "lng,lat", as the service writes positions. */
export const parseLngLat = (text: string): LngLat | null => {
  const [lng, lat] = text
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return lng === undefined || lat === undefined || Number.isNaN(lng) || Number.isNaN(lat) ? null : [lng, lat]
}

/** "lng,lat;lng,lat;…" */
export const parsePath = (text: string): LngLat[] =>
  text.split(';').flatMap((part) => {
    const point = parseLngLat(part)
    return point && part.trim() !== '' ? [point] : []
  })
