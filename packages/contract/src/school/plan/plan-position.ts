import type { ControlPoint } from './floor-plan.ts'

const METRES_PER_DEGREE = 111_320
/** Three points whose triangle covers less of the plan lie almost in one line and say nothing across it. */
const MIN_TRIANGLE = 0.005

type Size = { width: number; height: number }
type Position = { lng: number; lat: number }

/** Twice the area of the triangle of three points; negative when they turn to the left. */
const turnOf = ([a, b, c]: readonly { x: number; y: number }[]): number =>
  a && b && c ? (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y) : 0

/** Whether control points fix the plan on the map. */
export const isTriangle = (points: readonly ControlPoint[]): boolean =>
  points.length === 3 && Math.abs(turnOf(points)) / 2 >= MIN_TRIANGLE

/** The position on the map of a point of the plan: an affine map through the three control points. */
export const toMapPosition = (points: readonly ControlPoint[], x: number, y: number): Position | undefined => {
  const [a, b, c] = points
  if (!a || !b || !c || !isTriangle(points)) return undefined
  const whole = turnOf(points)
  const [ofB, ofC] = [turnOf([a, { x, y }, c]) / whole, turnOf([a, b, { x, y }]) / whole]
  const mix = (name: 'lng' | 'lat') => a[name] + (b[name] - a[name]) * ofB + (c[name] - a[name]) * ofC
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
  return { lng: round(mix('lng')), lat: round(mix('lat')) }
}

/** Scale and north that follow from the control points; north is the angle from the upper edge, clockwise. */
export const measurePlan = (
  points: readonly ControlPoint[],
  { width, height }: Size,
): { metresPerPixel: number; north: number } | undefined => {
  const [top, bottom, left, right] = [
    toMapPosition(points, 0.5, 0),
    toMapPosition(points, 0.5, 1),
    toMapPosition(points, 0, 0.5),
    toMapPosition(points, 1, 0.5),
  ]
  if (!top || !bottom || !left || !right) return undefined
  const shrink = Math.cos((top.lat * Math.PI) / 180)
  const metresOf = (from: Position, to: Position) =>
    [(to.lng - from.lng) * shrink * METRES_PER_DEGREE, (to.lat - from.lat) * METRES_PER_DEGREE] as const
  const [upEast, upNorth] = metresOf(bottom, top)
  const across = Math.hypot(...metresOf(left, right)) / width
  const along = Math.hypot(upEast, upNorth) / height
  const bearing = (Math.atan2(upEast, upNorth) * 180) / Math.PI
  return {
    metresPerPixel: (across + along) / 2,
    // The upper edge looks to the bearing, so north lies as far to its left.
    north: Math.round((360 - bearing) % 360) % 360,
  }
}
