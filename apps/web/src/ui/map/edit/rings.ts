import type { Geofence } from '@tocsin/contract/school/geofence'

type Corner = readonly [lng: number, lat: number]
type Pixel = { x: number; y: number }
export type Project = (lng: number, lat: number) => Pixel

/** How near the pointer must be, in pixels. */
const CORNER_PX = 14
const SIDE_PX = 8
const MICRO = 1_000_000

const sidesOf = (ring: readonly Corner[]): [Corner, Corner][] =>
  ring.slice(1).map((to, index): [Corner, Corner] => [ring[index] ?? to, to])

const distance = (a: Pixel, b: Pixel): number => Math.hypot(a.x - b.x, a.y - b.y)

/** The share of the way along a side at which it is nearest to a point. */
const shareOf = (at: Pixel, from: Pixel, to: Pixel): number => {
  const [x, y] = [to.x - from.x, to.y - from.y]
  const length = x * x + y * y
  return length === 0 ? 0 : Math.min(1, Math.max(0, ((at.x - from.x) * x + (at.y - from.y) * y) / length))
}

/** The corner of a ring near the pointer, or else the nearest point of a side; undefined where there is neither. */
export const snapToRings = (at: Pixel, rings: readonly Geofence[], project: Project): [number, number] | undefined => {
  const corners = rings.flatMap(({ coordinates }) => coordinates.flat())
  const candidates = [
    ...corners.map((corner) => ({ corner, away: distance(at, project(...corner)), limit: CORNER_PX, rank: 0 })),
    ...rings
      .flatMap(({ coordinates: [ring = []] }) => sidesOf(ring))
      .map(([from, to]) => {
        const [start, end] = [project(...from), project(...to)]
        const share = shareOf(at, start, end)
        const on = { x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share }
        const corner: Corner = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
        return { corner, away: distance(at, on), limit: SIDE_PX, rank: 1 }
      }),
  ].filter(({ away, limit }) => away <= limit)
  const [best] = candidates.toSorted((some, other) => some.rank - other.rank || some.away - other.away)
  return best && [Math.round(best.corner[0] * MICRO) / MICRO, Math.round(best.corner[1] * MICRO) / MICRO]
}

const turn = ([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner): number =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))

const doCross = ([a, b]: [Corner, Corner], [c, d]: [Corner, Corner]): boolean =>
  turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0

/** Inside a ring, its border left out. */
const isInside = (point: Corner, ring: readonly Corner[]): boolean => {
  let inside = false
  for (const [[ax, ay], [bx, by]] of sidesOf(ring)) {
    const isBetween = Math.min(ax, bx) <= point[0] && point[0] <= Math.max(ax, bx)
    if (isBetween && turn([ax, ay], [bx, by], point) === 0) {
      if (Math.min(ay, by) <= point[1] && point[1] <= Math.max(ay, by)) return false
    }
    if (ay > point[1] !== by > point[1] && point[0] < ((bx - ax) * (point[1] - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}

const middlesOf = (ring: readonly Corner[]): Corner[] =>
  sidesOf(ring).map(([from, to]): Corner => [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2])

const centreOf = (ring: readonly Corner[]): Corner => {
  const corners = ring.slice(1)
  const mean = (index: 0 | 1) => corners.reduce((sum, corner) => sum + corner[index], 0) / corners.length
  return [mean(0), mean(1)]
}

/** Whether two rings have an area in common; neighbours that only share a border have none. */
export const doOverlap = ({ coordinates: [item = []] }: Geofence, { coordinates: [other = []] }: Geofence): boolean => {
  const otherSides = sidesOf(other)
  if (sidesOf(item).some((side) => otherSides.some((crossed) => doCross(side, crossed)))) return true
  return [
    [item, other],
    [other, item],
  ].some(([inner = [], outer = []]) =>
    [...inner, ...middlesOf(inner), centreOf(inner)].some((point) => isInside(point, outer)),
  )
}
