import type { FloorView } from '@tocsin/contract/school/plan/floor-plan'
import { type Corner, sizeOf } from '#ui/plan/plan-shapes.ts'

/** As a share of the width of the plan: about seven pixels on a screen. */
const SNAP_SHARE = 0.008

type Target = { corners: readonly Corner[]; size: { width: number; height: number } }

/** What a corner snaps to: the corners of the other rooms, and those of its own outline before it. */
export const snapTargetOf = (view: FloorView, roomId: number | undefined, own: readonly Corner[]): Target => ({
  corners: [...view.rooms.filter(({ id }) => id !== roomId).flatMap(({ polygon }) => polygon ?? []), ...own],
  size: sizeOf(view),
})

const nearestOf = <Item>(items: readonly Item[], measure: (item: Item) => number, within: number): Item | undefined => {
  const [best] = items
    .map((item) => ({ item, away: measure(item) }))
    .filter(({ away }) => away <= within)
    .toSorted((some, other) => some.away - other.away)
  return best?.item
}

/** The nearest corner, or else a point in line with one, so that walls meet and run straight. */
export const snap = ([x, y]: Corner, { corners, size: { width, height } }: Target): Corner => {
  const within = SNAP_SHARE * width
  const corner = nearestOf(corners, ([left, top]) => Math.hypot((left - x) * width, (top - y) * height), within)
  if (corner) return corner
  const column = nearestOf(corners, ([left]) => Math.abs(left - x) * width, within)
  const row = nearestOf(corners, ([, top]) => Math.abs(top - y) * height, within)
  return [column?.[0] ?? x, row?.[1] ?? y]
}
