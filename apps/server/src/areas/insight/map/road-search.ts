import type { RoadMeans, RoadPlan, RoadStep } from '@tocsin/contract/insight/map-route'
import { roadPolicies } from '@tocsin/contract/insight/map-route'
import TinyQueue from 'tinyqueue'
import { measure, type Point, type RoadGraph } from './road-graph.ts'
import { MAX_SPEED_MS, WALK_SPEED_MS, ways } from './road-tags.ts'

/** A start or end that is farther from every road has no route. */
export const SNAP_LIMIT_M = 500

type RoadChoice = { means: RoadMeans; policy?: number | undefined }

/** What a traveller may use, and what each metre costs. */
const createTraveller = ({ tags }: RoadGraph, { means, policy = roadPolicies.leastTime }: RoadChoice) => {
  const isWalk = means === 'WALK'
  const isByDistance = isWalk || policy === roadPolicies.leastDistance
  const closed = !isWalk && policy === roadPolicies.avoidHighways ? ways.highway : 0
  const speedOf = (segment: number) => (isWalk ? WALK_SPEED_MS : (tags[segment]?.speedMs ?? MAX_SPEED_MS))
  return {
    speedOf,
    mayPass: (segment: number, isForward: boolean): boolean => {
      const allowed = tags[segment]?.allowed ?? 0
      const drive = isForward ? ways.driveForward : ways.driveBackward
      return (allowed & closed) === 0 && (allowed & (isWalk ? ways.walk : drive)) !== 0
    },
    costOf: (segment: number, metres: number) => (isByDistance ? metres : metres / speedOf(segment)),
    leastCost: (metres: number) => (isByDistance ? metres : metres / MAX_SPEED_MS),
  }
}
type Traveller = ReturnType<typeof createTraveller>

/** A point on a segment: the part of its length that lies before it, from 0 to 1. */
type Snapped = { segment: number; part: number; point: Point; awayM: number }

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? 0
const pointAt = ({ lngs, lats }: RoadGraph, index: number): Point => [at(lngs, index), at(lats, index)]

/** The nearest point of a road that may be used. */
const snap = (graph: RoadGraph, traveller: Traveller, [lng, lat]: Point): Snapped | undefined => {
  const width = Math.cos((lat * Math.PI) / 180)
  let nearest: { segment: number; part: number; square: number } | undefined
  for (let segment = 0; segment < graph.lengths.length; segment += 1) {
    const [first, second] = [at(graph.from, segment), at(graph.to, segment)]
    const across = (at(graph.lngs, first) - lng) * width
    const up = at(graph.lats, first) - lat
    const lineAcross = (at(graph.lngs, second) - at(graph.lngs, first)) * width
    const lineUp = at(graph.lats, second) - at(graph.lats, first)
    const part = -(across * lineAcross + up * lineUp) / (lineAcross ** 2 + lineUp ** 2)
    const inside = Math.min(1, Math.max(0, part))
    const square = (across + inside * lineAcross) ** 2 + (up + inside * lineUp) ** 2
    if (nearest && square >= nearest.square) continue
    if (traveller.mayPass(segment, true) || traveller.mayPass(segment, false))
      nearest = { segment, part: inside, square }
  }
  if (!nearest) return undefined
  const { segment, part } = nearest
  const [fromLng, fromLat] = pointAt(graph, at(graph.from, segment))
  const [toLng, toLat] = pointAt(graph, at(graph.to, segment))
  const point: Point = [fromLng + part * (toLng - fromLng), fromLat + part * (toLat - fromLat)]
  const awayM = measure([lng, lat], point)
  return awayM <= SNAP_LIMIT_M ? { segment, part, point, awayM } : undefined
}

type Piece = { segment: number; metres: number; end: Point }

/** Both on one segment, in a direction that may be driven. */
const goDirectly = (graph: RoadGraph, traveller: Traveller, start: Snapped, end: Snapped): Piece | undefined => {
  if (start.segment !== end.segment || !traveller.mayPass(start.segment, end.part >= start.part)) return undefined
  const metres = Math.abs(end.part - start.part) * at(graph.lengths, start.segment)
  return { segment: start.segment, metres, end: end.point }
}

/** A*, from both ends of the segment of the start until a way to the end is the cheapest that is left. */
const search = (graph: RoadGraph, traveller: Traveller, start: Snapped, end: Snapped): Piece[] | undefined => {
  const points = graph.lngs.length
  const costs = new Float64Array(points + 1).fill(Infinity)
  const via = new Int32Array(points + 1).fill(-1)
  const before = new Int32Array(points + 1).fill(-1)
  const queue = new TinyQueue<{ point: number; cost: number; total: number }>([], (a, b) => a.total - b.total)
  const reach = (step: { point: number; cost: number; segment: number; previous: number }) => {
    const { point, cost } = step
    if (cost >= at(costs, point)) return
    costs[point] = cost
    via[point] = step.segment
    before[point] = step.previous
    const left = point === points ? 0 : traveller.leastCost(measure(pointAt(graph, point), end.point))
    queue.push({ point, cost, total: cost + left })
  }
  const costOfPart = ({ segment }: Snapped, part: number) =>
    traveller.costOf(segment, part * at(graph.lengths, segment))
  // At a crossing every road is open, whichever was taken for the nearest.
  const first = { segment: start.segment, previous: -1 }
  if (traveller.mayPass(start.segment, true) || start.part === 1)
    reach({ ...first, point: at(graph.to, start.segment), cost: costOfPart(start, 1 - start.part) })
  if (traveller.mayPass(start.segment, false) || start.part === 0)
    reach({ ...first, point: at(graph.from, start.segment), cost: costOfPart(start, start.part) })
  const direct = goDirectly(graph, traveller, start, end)
  if (direct) reach({ ...first, point: points, cost: traveller.costOf(direct.segment, direct.metres) })
  const [endFrom, endTo] = [at(graph.from, end.segment), at(graph.to, end.segment)]
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { point, cost } = next
    if (point === points) return collectPieces({ graph, via, before, start, end })
    if (cost > at(costs, point)) continue
    const last = { point: points, segment: end.segment, previous: point }
    if (point === endFrom && (traveller.mayPass(end.segment, true) || end.part === 0))
      reach({ ...last, cost: cost + costOfPart(end, end.part) })
    if (point === endTo && (traveller.mayPass(end.segment, false) || end.part === 1))
      reach({ ...last, cost: cost + costOfPart(end, 1 - end.part) })
    for (let index = at(graph.firsts, point); index < at(graph.firsts, point + 1); index += 1) {
      const segment = at(graph.touching, index)
      const isForward = at(graph.from, segment) === point
      if (!traveller.mayPass(segment, isForward)) continue
      const to = at(isForward ? graph.to : graph.from, segment)
      reach({ point: to, segment, previous: point, cost: cost + traveller.costOf(segment, at(graph.lengths, segment)) })
    }
  }
  return undefined
}

type Trail = { graph: RoadGraph; via: Int32Array; before: Int32Array; start: Snapped; end: Snapped }

const collectPieces = ({ graph, via, before, start, end }: Trail): Piece[] => {
  const order: number[] = []
  for (let point = graph.lngs.length; point !== -1; point = at(before, point)) order.push(point)
  let previous = start.point
  return order.toReversed().map((point) => {
    const to = point === graph.lngs.length ? end.point : pointAt(graph, point)
    const piece = { segment: at(via, point), metres: measure(previous, to), end: to }
    previous = to
    return piece
  })
}

/** Shorter pieces are crossings. */
const SHORTEST_STEP_M = 0.5

/** Pieces of one road are one step. */
const listSteps = ({ tags }: RoadGraph, pieces: readonly Piece[]): RoadStep[] => {
  const steps: RoadStep[] = []
  for (const { segment, metres } of pieces) {
    if (metres < SHORTEST_STEP_M) continue
    const name = tags[segment]?.name ?? ''
    const last = steps.at(-1)
    if (last?.name === name) last.distanceM += metres
    else steps.push({ name, distanceM: metres })
  }
  return steps.map(({ name, distanceM }) => ({ name, distanceM: Math.round(distanceM) }))
}

export type RoadFound =
  | { state: 'FOUND'; plan: RoadPlan }
  | { state: 'NO_ROAD_AT_START' | 'NO_ROAD_AT_END' | 'NO_ROUTE' }

/** The cheapest way between two points near roads. */
export const findRoute = (graph: RoadGraph, choice: RoadChoice, start: Point, end: Point): RoadFound => {
  const traveller = createTraveller(graph, choice)
  const from = snap(graph, traveller, start)
  if (!from) return { state: 'NO_ROAD_AT_START' }
  const to = snap(graph, traveller, end)
  if (!to) return { state: 'NO_ROAD_AT_END' }
  const pieces = search(graph, traveller, from, to)
  if (!pieces) return { state: 'NO_ROUTE' }
  const awayM = from.awayM + to.awayM
  const seconds = pieces.reduce((sum, { segment, metres }) => sum + metres / traveller.speedOf(segment), 0)
  const path = [start, from.point, ...pieces.map((piece) => piece.end), end]
  return {
    state: 'FOUND',
    plan: {
      distanceM: Math.round(pieces.reduce((sum, { metres }) => sum + metres, awayM)),
      durationS: Math.round(seconds + awayM / WALK_SPEED_MS),
      path: path.map(([lng, lat]) => [lng, lat]),
      steps: listSteps(graph, pieces),
    },
  }
}
