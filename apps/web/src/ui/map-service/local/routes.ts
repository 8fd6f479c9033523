import type { RoadAnswer, RoadQuery } from '@tocsin/contract/insight/map-route'
import { measureDistance } from '../geometry.ts'
import type { RouteAnswer, RouteQuery, RouteSearch } from '../routes.ts'

/** Without roads there is a straight line only; it has no duration, so that nobody takes it for a route. */
const goStraight = ({ start, end }: RouteQuery): RouteAnswer => ({
  plans: [{ name: '', distanceM: measureDistance(start, end), durationS: undefined, path: [start, end], steps: [] }],
})

const METRES_PER_KM = 1000
const describeLength = (metres: number) =>
  metres < METRES_PER_KM ? `${metres} m` : `${(metres / METRES_PER_KM).toFixed(1)} km`

const toAnswer = (query: RouteQuery, { state, plan }: RoadAnswer): RouteAnswer => {
  if (state === 'NO_FILE') return goStraight(query)
  if (state === 'UNREADABLE') return { ...goStraight(query), problem: 'ROADS_UNREADABLE' }
  if (state !== 'FOUND' || !plan) return { plans: [], problem: state === 'FOUND' ? 'NO_ROUTE' : state }
  const steps = plan.steps.map(({ name, distanceM }) => [name, describeLength(distanceM)].filter(Boolean).join(' · '))
  return { plans: [{ ...plan, name: '', steps }] }
}

/** Routes on the roads of this server, as far as it has any. It knows no buses. */
export const createLocalRoutes = (find: (query: RoadQuery) => Promise<RoadAnswer>): RouteSearch => ({
  find: async (query) => {
    const [startLng, startLat] = query.start
    const [endLng, endLat] = query.end
    const ends = { startLng, startLat, endLng, endLat }
    if (query.type === 2) return toAnswer(query, await find({ ...ends, means: 'WALK' }))
    const policy = query.type === 0 ? query.policy : undefined
    const answer = await find({ ...ends, means: 'DRIVE', ...(policy !== undefined && { policy }) })
    if (query.type === 1 && answer.state !== 'NO_FILE') return { plans: [], problem: 'NO_TRANSIT' }
    return toAnswer(query, answer)
  },
})
