import type { LngLat } from './types.ts'

export const routeTypes = { drive: 0, bus: 1, walk: 2 } as const
export type RouteType = (typeof routeTypes)[keyof typeof routeTypes]

export const drivingPolicies = { leastTime: 0, leastDistance: 1, avoidHighways: 2 } as const
export type DrivingPolicy = (typeof drivingPolicies)[keyof typeof drivingPolicies]

export const transitPolicies = { leastTime: 1, leastTransfer: 2, leastWalking: 4, avoidSubways: 8 } as const
export type TransitPolicy = (typeof transitPolicies)[keyof typeof transitPolicies]

export type RouteQuery = { start: LngLat; end: LngLat } & (
  | { type: 0; policy: DrivingPolicy }
  | { type: 1; policy: TransitPolicy }
  | { type: 2 }
)

export type RoutePlan = {
  /** Of a bus route the names of its lines. */
  name: string
  distanceM: number
  /** Undefined: a straight line, no route. */
  durationS: number | undefined
  path: readonly LngLat[]
  steps: readonly string[]
}

export const routeProblems = [
  'NO_START',
  'NO_END',
  'NO_ROUTE',
  'TOO_NEAR',
  'BAD_INPUT',
  'NO_ROAD_AT_START',
  'NO_ROAD_AT_END',
  'NO_TRANSIT',
  'ROADS_UNREADABLE',
] as const
export type RouteProblem = (typeof routeProblems)[number]

export type RouteAnswer = { plans: readonly RoutePlan[]; problem?: RouteProblem }
export type RouteSearch = { find: (query: RouteQuery) => Promise<RouteAnswer> }
