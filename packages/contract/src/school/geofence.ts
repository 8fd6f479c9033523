import { z } from 'zod'

const Point = z.tuple([z.number(), z.number()])
type Point = z.output<typeof Point>

/** A GeoJSON Polygon of one ring, longitude before latitude, CGCS2000. */
export const Geofence = z.strictObject({ type: z.literal('Polygon'), coordinates: z.array(z.array(Point)) })
export type Geofence = z.output<typeof Geofence>

const Corner = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)])
export const GeofenceDraft = Geofence.extend({ coordinates: z.array(z.array(Corner).min(4).max(300)).length(1) })

/** Corners on a plan that is 1 wide and 1 high. */
export const PlanPolygon = z.array(Point)
export const PlanPolygonDraft = z
  .array(z.tuple([z.number().min(0).max(1), z.number().min(0).max(1)]))
  .min(3)
  .max(100)

const METRES_PER_DEGREE = 111_320

/** Square metres within a small ring, as a shoelace over a plane that touches it. */
export const areaOf = ({ coordinates: [ring = []] }: Geofence): number => {
  const [, lat = 0] = ring[0] ?? []
  const width = METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180)
  const twice = ring.reduce((sum, [x, y], at) => {
    const [nextX, nextY]: Point = ring[at + 1] ?? [x, y]
    return sum + (x * nextY - nextX * y)
  }, 0)
  return Math.abs(twice / 2) * width * METRES_PER_DEGREE
}
