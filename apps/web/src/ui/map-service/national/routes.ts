import { parsePath } from '../geometry.ts'
import type { RouteAnswer, RoutePlan, RouteProblem, RouteQuery, RouteSearch } from '../routes.ts'
import type { LngLat } from '../types.ts'
import { awaitAnswer } from './await-answer.ts'
import type { DrivingResult, LibraryMap, MapLibrary, TransitResult, TransitSegment } from './interface.ts'

const WALK = 3
const METRES = 1000

const problems: Record<number, RouteProblem> = {
  1: 'NO_START',
  2: 'NO_END',
  3: 'NO_ROUTE',
  4: 'TOO_NEAR',
  6: 'BAD_INPUT',
}

const toDrivingPlans = (result: DrivingResult): RoutePlan[] => {
  const steps = (result.results?.routes?.item ?? []).map(({ strguide }) => strguide)
  return Array.from({ length: result.getNumPlans() }, (_, index) => {
    const plan = result.getPlan(index)
    return {
      name: '',
      distanceM: Number(plan.getDistance()) * METRES,
      durationS: Number(plan.getDuration()),
      path: plan.getPath().map((point) => [point.getLng(), point.getLat()] as const),
      steps,
    }
  })
}

const describeSegment = ({ stationStart, stationEnd, segmentLine }: TransitSegment): string =>
  [segmentLine[0]?.direction, [stationStart.name, stationEnd.name].filter(Boolean).join(' → ')]
    .filter(Boolean)
    .join(' · ')

const toTransitPlans = ({ results }: TransitResult): RoutePlan[] =>
  ((results && results.lines) || []).map(({ lineName, segments }) => {
    const parts = segments.flatMap(({ segmentLine }) => segmentLine.slice(0, 1))
    return {
      name: lineName
        .split('|')
        .map((part) => part.trim())
        .filter(Boolean)
        .join(' → '),
      distanceM: parts.reduce((sum, { segmentDistance }) => sum + Number(segmentDistance), 0),
      // The service counts minutes here.
      durationS: parts.reduce((sum, { segmentTime }) => sum + Number(segmentTime), 0) * 60,
      path: parts.flatMap(({ linePoint }) => parsePath(linePoint)),
      steps: segments.map(describeSegment),
    }
  })

const toAnswer = (plans: RoutePlan[], problem: RouteProblem | undefined): RouteAnswer => {
  const named = problem ?? (plans.length === 0 ? 'NO_ROUTE' : undefined)
  return named ? { plans, problem: named } : { plans }
}

/** Routes by the library. */
export const createNationalRoutes = (library: MapLibrary, map: LibraryMap): RouteSearch => {
  const toPoint = ([lng, lat]: LngLat) => new library.LngLat(lng, lat)
  return {
    find: async (query: RouteQuery) => {
      const { start, end } = query
      if (query.type === 1) {
        const result = await awaitAnswer<TransitResult>((onSearchComplete) =>
          new library.TransitRoute(map, { policy: query.policy, onSearchComplete }).search(
            toPoint(start),
            toPoint(end),
          ),
        )
        return toAnswer(toTransitPlans(result), problems[Number(result.resultCode)])
      }
      const policy = query.type === 2 ? WALK : query.policy
      const result = await awaitAnswer<DrivingResult>((onSearchComplete) =>
        new library.DrivingRoute(map, { policy, onSearchComplete }).search(toPoint(start), toPoint(end)),
      )
      return toAnswer(toDrivingPlans(result), undefined)
    },
  }
}
