import type { FloorPlanRow, FloorView, PlanDraw } from '@tocsin/contract/school/plan/floor-plan'
import type { Corner } from '#ui/plan/plan-shapes.ts'
import type { Drawn } from './plan-draft.ts'

/** The floor as an edition draws it. The drawing of the published one is that of the view. */
export const viewEdition = (view: FloorView, plan: FloorPlanRow | null): FloorView => {
  if (!plan || plan.publishedAt) return { ...view, plan }
  const places = new Map(plan.drawing?.places.map((place) => [place.id, place]))
  const pins = new Map(plan.drawing?.pins.map((pin) => [pin.id, pin]))
  return {
    ...view,
    plan,
    rooms: view.rooms.map((room) => {
      const { polygon = null, planRoute = null } = places.get(room.id) ?? {}
      return { ...room, polygon, planRoute }
    }),
    devices: view.devices.map((device) => {
      const { x: planX = null, y: planY = null } = pins.get(device.id) ?? {}
      return { ...device, planX, planY }
    }),
  }
}

/** Everything that a floor shows, to be drawn again on another edition. */
export const drawnOf = ({ rooms, devices }: FloorView): Drawn => ({
  outlines: Object.fromEntries(rooms.flatMap(({ id, polygon }) => (polygon ? [[id, polygon]] : []))),
  routes: Object.fromEntries(rooms.flatMap(({ id, planRoute }) => (planRoute ? [[id, planRoute]] : []))),
  pins: Object.fromEntries(
    devices.flatMap(({ id, planX, planY }) => {
      const pin: Corner = [planX ?? 0, planY ?? 0]
      return planX === null || planY === null ? [] : [[id, pin]]
    }),
  ),
})

/** Rows that were there when the drawing began, with their version of then, and those that came later. */
const withLater = <T extends { id: number }>(begun: readonly T[], now: readonly T[]): T[] => [
  ...begun,
  ...now.filter(({ id }) => !begun.some((row) => row.id === id)),
]

/**
 * The drawing as one call.
 * @param begun the floor as it was when the drawing began: what others changed since then is not overwritten unseen.
 */
export const toPlanDraw = (begun: FloorView, now: FloorView, { outlines, routes, pins }: Drawn): PlanDraw => {
  const { plan } = begun
  return {
    id: plan?.id ?? null,
    version: plan?.version ?? null,
    placeId: begun.floorId,
    places: withLater(begun.rooms, now.rooms).flatMap(({ id, version }) => {
      const [polygon, planRoute] = [outlines[id], routes[id]]
      return polygon === undefined && planRoute === undefined ? [] : [{ id, version, polygon, planRoute }]
    }),
    pins: withLater(begun.devices, now.devices).flatMap(({ id, version }) => {
      const at = pins[id]
      return at === undefined ? [] : [{ id, version, at }]
    }),
  }
}
