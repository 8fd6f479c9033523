import { type Crossing, findCrossing } from '@tocsin/contract/school/geofence'
import type { FloorView } from '@tocsin/contract/school/plan/floor-plan'
import type { Corner } from '#ui/plan/plan-shapes.ts'

/** Unsaved drawings: outlines and routes by place, pins by installation; null removes one. */
export type Drawn = {
  outlines: Readonly<Record<number, Corner[] | null>>
  routes: Readonly<Record<number, Corner[] | null>>
  pins: Readonly<Record<number, Corner | null>>
}
export type History = { past: readonly Drawn[]; now: Drawn; future: readonly Drawn[] }

export const nothing: Drawn = { outlines: {}, routes: {}, pins: {} }
export const emptyHistory: History = { past: [], now: nothing, future: [] }

export const addStep = ({ past, now }: History, next: Drawn): History => ({
  past: [...past, now],
  now: next,
  future: [],
})

export const undo = (history: History): History => {
  const { past, now, future } = history
  const last = past.at(-1)
  return last ? { past: past.slice(0, -1), now: last, future: [now, ...future] } : history
}

export const redo = (history: History): History => {
  const { past, now, future } = history
  const [next, ...rest] = future
  return next ? { past: [...past, now], now: next, future: rest } : history
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value))

export const moveBy = ([x, y]: Corner, dx: number, dy: number): Corner => [clamp(x + dx), clamp(y + dy)]

export const rectangleOf = ([left, top]: Corner, [right, bottom]: Corner): Corner[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
]

/** Where a closed outline crosses itself. */
export const crossingOf = (outline: readonly Corner[]): Crossing | undefined => {
  const [first] = outline
  return first && findCrossing([...outline, first])
}

export const moveCorner = (outline: readonly Corner[], index: number, at: Corner): Corner[] =>
  outline.map((corner, own) => (own === index ? at : corner))

/** The floor as it would be after saving. */
export const applyDrawn = (view: FloorView, { outlines, routes, pins }: Drawn): FloorView => ({
  ...view,
  rooms: view.rooms.map((room) => {
    const [polygon, planRoute] = [outlines[room.id], routes[room.id]]
    return { ...room, ...(polygon !== undefined && { polygon }), ...(planRoute !== undefined && { planRoute }) }
  }),
  devices: view.devices.map((device) => {
    const drawn = pins[device.id]
    return drawn === undefined ? device : { ...device, planX: drawn?.[0] ?? null, planY: drawn?.[1] ?? null }
  }),
})

export const countDrawn = ({ outlines, routes, pins }: Drawn): number =>
  [outlines, routes, pins].reduce((sum, drawn) => sum + Object.keys(drawn).length, 0)
