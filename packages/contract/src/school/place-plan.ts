import type { Place } from './place.ts'

/** "Floors 1 to 5, rooms 01 to 12": the places of one bulk creation. */
export type PlacePlan = {
  floorFrom: number | null
  floorTo: number | null
  /** `{n}` stands for the floor. */
  floorName: string
  roomFrom: number | null
  roomTo: number | null
  /** `{floor}` stands for the floor, `{room}` for the room in two digits. */
  roomName: string
}

export type PlannedPlace = {
  kind: Extract<Place['kind'], 'FLOOR' | 'ROOM'>
  name: string
  floorNo: number | null
  /** The planned floor of the place; null: directly below the chosen parent. */
  floorName: string | null
}

/** Maximum places of one bulk creation, and of a school. */
export const MAX_PLANNED_PLACES = 500
export const MAX_PLACES = 5000

const numbersBetween = (from: number | null, to: number | null): number[] =>
  from === null || to === null || to < from
    ? []
    : Array.from({ length: Math.min(to - from + 1, MAX_PLANNED_PLACES) }, (_, at) => from + at)

const roomDigits = (room: number) => String(room).padStart(2, '0')

/** The places of a plan, each floor before its rooms. `ownFloor`: the floor of the parent, for rooms without floors. */
export const planPlaces = (plan: PlacePlan, ownFloor: number | null): PlannedPlace[] => {
  const rooms = numbersBetween(plan.roomFrom, plan.roomTo)
  const floors = numbersBetween(plan.floorFrom, plan.floorTo)
  const roomsOf = (floor: number | null, floorName: string | null) =>
    rooms.map(
      (room): PlannedPlace => ({
        kind: 'ROOM',
        name: plan.roomName.replaceAll('{floor}', `${floor ?? ''}`).replaceAll('{room}', roomDigits(room)),
        floorNo: floor,
        floorName,
      }),
    )
  if (floors.length === 0) return roomsOf(ownFloor, null)
  return floors.flatMap((floor) => {
    const name = plan.floorName.replaceAll('{n}', `${floor}`)
    return [{ kind: 'FLOOR', name, floorNo: floor, floorName: null } as const, ...roomsOf(floor, name)]
  })
}
