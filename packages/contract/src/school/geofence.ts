import { z } from 'zod'

const Point = z.tuple([z.number(), z.number()])
type Point = z.output<typeof Point>

/** A GeoJSON Polygon of one ring, longitude before latitude, CGCS2000. */
export const Geofence = z.strictObject({ type: z.literal('Polygon'), coordinates: z.array(z.array(Point)) })
export type Geofence = z.output<typeof Geofence>

const Corner = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)])
export const GeofenceDraft = Geofence.extend({ coordinates: z.array(z.array(Corner).min(4).max(300)).length(1) })

/** Corners in units of the plan, which is 1 wide and 1 high. */
export const PlanPolygon = z.array(Point)
export const PlanPolygonDraft = z
  .array(z.tuple([z.number().min(0).max(1), z.number().min(0).max(1)]))
  .min(3)
  .max(100)

/** A way on such a plan. */
export const PlanRouteDraft = z
  .array(z.tuple([z.number().min(0).max(1), z.number().min(0).max(1)]))
  .min(2)
  .max(100)

const METRES_PER_DEGREE = 111_320

/** Area of a small ring in square metres, by the shoelace formula on a tangent plane. */
export const areaOf = ({ coordinates: [ring = []] }: Geofence): number => {
  const [, lat = 0] = ring[0] ?? []
  const width = METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180)
  const twice = ring.reduce((sum, [x, y], at) => {
    const [nextX, nextY]: Point = ring[at + 1] ?? [x, y]
    return sum + (x * nextY - nextX * y)
  }, 0)
  return Math.abs(twice / 2) * width * METRES_PER_DEGREE
}

const turn = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))

const isWithin = ([ax, ay]: Point, [bx, by]: Point, [x, y]: Point): boolean =>
  Math.min(ax, bx) <= x && x <= Math.max(ax, bx) && Math.min(ay, by) <= y && y <= Math.max(ay, by)

/** Whether two segments have a point in common. */
const doCross = ([a, b]: [Point, Point], [c, d]: [Point, Point]): boolean => {
  const [abc, abd, cda, cdb] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)]
  if (abc !== abd && cda !== cdb) return true
  return [
    abc === 0 && isWithin(a, b, c),
    abd === 0 && isWithin(a, b, d),
    cda === 0 && isWithin(c, d, a),
    cdb === 0 && isWithin(c, d, b),
  ].some(Boolean)
}

/** The side after `corner` crosses the side between two others; corners are counted from 1. */
export type Crossing = { corner: number; from: number; to: number }

/** The first side of a closed ring that crosses a side that is no neighbour. */
export const findCrossing = (ring: readonly Point[]): Crossing | undefined => {
  const sides = ring.slice(1).map((to, at): [Point, Point] => [ring[at] ?? to, to])
  for (const [at, side] of sides.entries()) {
    const crossed = sides.findIndex((other, index) => {
      const areNeighbours = Math.abs(index - at) <= 1 || Math.abs(index - at) === sides.length - 1
      return !areNeighbours && doCross(side, other)
    })
    if (crossed >= 0) return { corner: at + 1, from: crossed + 1, to: ((crossed + 1) % sides.length) + 1 }
  }
  return undefined
}

/** The number of the first corner, from 1, whose edge crosses an edge that is no neighbour. */
export const findCrossingCorner = (ring: readonly Point[]): number | undefined => findCrossing(ring)?.corner
