import type { FloorView, PlanDevice } from '@tocsin/contract/school/plan/floor-plan'

export type Corner = [number, number]

/** A drawing without a picture has these proportions. */
const PLAIN = { width: 1200, height: 700 }

export const sizeOf = ({ plan }: Pick<FloorView, 'plan'>): { width: number; height: number } =>
  plan ? { width: plan.width, height: plan.height } : PLAIN

/** Corners for an SVG of this size, as its `points`. */
export const pointsOf = (outline: readonly Corner[], { width, height }: { width: number; height: number }): string =>
  outline.map(([x, y]) => `${x * width},${y * height}`).join(' ')

export const centreOf = (outline: readonly Corner[]): Corner => {
  const xs = outline.map(([x]) => x)
  const ys = outline.map(([, y]) => y)
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2]
}

/** Square metres within an outline; undefined without a scale. */
export const areaOf = (outline: readonly Corner[], plan: FloorView['plan']): number | undefined => {
  if (!plan?.metresPerPixel) return undefined
  const twice = outline.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = outline[(at + 1) % outline.length] ?? [x, y]
    return sum + (x * nextY - nextX * y)
  }, 0)
  return Math.abs(twice / 2) * plan.width * plan.height * plan.metresPerPixel ** 2
}

/** Where a device is drawn: its pin, else below the name of its room; undefined when neither is known. */
export const pinOf = (
  { planX, planY, placeId }: PlanDevice,
  { rooms }: Pick<FloorView, 'rooms'>,
): Corner | undefined => {
  if (planX !== null && planY !== null) return [planX, planY]
  const outline = rooms.find(({ id }) => id === placeId)?.polygon
  if (!outline?.length) return undefined
  const [x, y] = centreOf(outline)
  return [x, Math.min(1, y + 0.06)]
}

export type NearCamera = { device: PlanDevice; metres: number | undefined }

const MAX_CAMERAS = 4

/** The cameras of a floor that are nearest to a place or device, with their distance where the plan has a scale. */
export const listNearestCameras = (view: FloorView, placeId: number): NearCamera[] => {
  const outline = view.rooms.find(({ id }) => id === placeId)?.polygon
  const own = view.devices.find((device) => device.placeId === placeId && !device.isCamera)
  const from = outline?.length ? centreOf(outline) : own && pinOf(own, view)
  const { width, height } = sizeOf(view)
  const scale = view.plan?.metresPerPixel
  return view.devices
    .filter(({ isCamera }) => isCamera)
    .map((device) => {
      const at = pinOf(device, view)
      const pixels =
        at && from ? Math.hypot((at[0] - from[0]) * width, (at[1] - from[1]) * height) : Number.POSITIVE_INFINITY
      return { device, pixels }
    })
    .toSorted((some, other) => (some.pixels === other.pixels ? 0 : some.pixels - other.pixels))
    .slice(0, MAX_CAMERAS)
    .map(({ device, pixels }) => ({
      device,
      metres: scale && Number.isFinite(pixels) ? Math.round(pixels * scale) : undefined,
    }))
}

/** Whether there is anything to draw. */
export const isDrawable = ({ plan, rooms }: FloorView): boolean => plan !== null || rooms.some(({ polygon }) => polygon)
