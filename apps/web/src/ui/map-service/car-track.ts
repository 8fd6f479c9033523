import { measureDistance, pointAlong } from './geometry.ts'
import type { LngLat } from './types.ts'

/** Nearer than this, in metres, a node counts as passed. */
const NEAR_M = 0.001

/** Metres from the beginning to each node. */
export const measureNodes = (path: readonly LngLat[]): number[] => {
  let sum = 0
  return path.map((point, index) => {
    sum += measureDistance(path[index - 1] ?? point, point)
    return sum
  })
}

/** Where the car is after one interval. @param speed metres per interval; 0 jumps to the next node. */
export const advance = (nodes: readonly number[], metres: number, speed: number): number => {
  const end = nodes.at(-1) ?? 0
  if (speed > 0) return Math.min(end, metres + speed)
  return nodes.find((distance) => distance > metres + NEAR_M) ?? end
}

/** The last node that the car has passed. */
export const nodeAt = (nodes: readonly number[], metres: number): number =>
  nodes.findLastIndex((distance) => distance <= metres + NEAR_M)

export const isAtEnd = (nodes: readonly number[], metres: number): boolean => metres >= (nodes.at(-1) ?? 0) - NEAR_M

/** The way until the car. */
export const drivenPath = (path: readonly LngLat[], nodes: readonly number[], metres: number): LngLat[] => {
  const passed = path.slice(0, nodeAt(nodes, metres) + 1)
  const car = pointAlong(path, metres)
  return car ? [...passed, car] : passed
}
