import type { FloorView, PlanRoom } from '@tocsin/contract/school/plan/floor-plan'
import type { Corner } from '#ui/plan/plan-shapes.ts'
import type { Drawn } from './plan-draft.ts'

/** A floor that is copied from or to; without a number rooms are matched by the same name only. */
export type FloorChoice = { id: number; label: string; floorNo: number | null }

export type FloorCopy = {
  drawn: Drawn
  /** Names of the rooms that are drawn there, and have no counterpart here. */
  missing: string[]
}

/** The name a room has on another floor: `301室` is `401室` on floor 4. */
export const renameRoom = (name: string, from: number | null, to: number | null): string =>
  from === null || to === null ? name : name.replace(new RegExp(`(?<!\\d)${from}(?=\\d{2}(?!\\d))`), String(to))

type Floors = { source: FloorView; target: FloorView; from: number | null; to: number | null }

/** The devices of one place in the order of their numbers. */
const devicesOf = ({ devices }: FloorView, placeId: number) =>
  devices.filter((device) => device.placeId === placeId).toSorted((some, other) => some.sn.localeCompare(other.sn))

const findCounterpart = (room: PlanRoom, { target, from, to }: Floors): PlanRoom | undefined => {
  const name = renameRoom(room.name, from, to)
  return target.rooms.find((other) => other.name === name) ?? target.rooms.find((other) => other.name === room.name)
}

/** Outlines, routes and pins of another floor for the rooms with the same place in their floor; devices follow in order. */
export const copyFloor = (floors: Floors): FloorCopy => {
  const { source, target } = floors
  const pairs = source.rooms.map((room) => ({ room, counterpart: findCounterpart(room, floors) }))
  const outlines = pairs.flatMap(({ room, counterpart }) =>
    counterpart && room.polygon ? [[counterpart.id, room.polygon] as const] : [],
  )
  const routes = pairs.flatMap(({ room, counterpart }) =>
    counterpart && room.planRoute ? [[counterpart.id, room.planRoute] as const] : [],
  )
  const places = pairs.flatMap(({ room, counterpart }) => (counterpart ? [[room.id, counterpart.id] as const] : []))
  const pins = [...places, [source.floorId, target.floorId] as const].flatMap(([there, here]) => {
    const own = devicesOf(target, here)
    return devicesOf(source, there).flatMap(({ planX, planY }, index) => {
      const device = own[index]
      const pin: Corner = [planX ?? 0, planY ?? 0]
      return device && planX !== null && planY !== null ? [[device.id, pin] as const] : []
    })
  })
  return {
    drawn: {
      outlines: Object.fromEntries(outlines),
      routes: Object.fromEntries(routes),
      pins: Object.fromEntries(pins),
    },
    missing: pairs.filter(({ room, counterpart }) => room.polygon && !counterpart).map(({ room }) => room.name),
  }
}
