import { z } from 'zod'
import { queryInt, queryNumber } from '../codecs.ts'
import { field } from '../field.ts'

/** DRIVE: by time, by distance, by time without motorways. WALK has one way only. */
export const roadMeans = ['DRIVE', 'WALK'] as const
export type RoadMeans = (typeof roadMeans)[number]
export const roadPolicies = { leastTime: 0, leastDistance: 1, avoidHighways: 2 } as const

const lng = field(queryNumber(-180, 180), '经度', 'Longitude')
const lat = field(queryNumber(-85, 85), '纬度', 'Latitude')

export const RoadQuery = z.strictObject({
  means: field(z.enum(roadMeans), '出行方式', 'Means'),
  policy: field(queryInt(0, 2).optional(), '策略', 'Policy'),
  startLng: lng,
  startLat: lat,
  endLng: lng,
  endLat: lat,
})
export type RoadQuery = z.output<typeof RoadQuery>

/** NO_FILE: no road file is configured. UNREADABLE: the log says what is wrong with it. */
export const roadStates = ['FOUND', 'NO_FILE', 'UNREADABLE', 'NO_ROAD_AT_START', 'NO_ROAD_AT_END', 'NO_ROUTE'] as const
export type RoadState = (typeof roadStates)[number]

export const RoadStep = z.strictObject({
  name: field(z.string(), '道路', 'Road'),
  distanceM: field(z.number(), '距离（米）', 'Distance (m)'),
})
export type RoadStep = z.output<typeof RoadStep>

export const RoadPlan = z.strictObject({
  /** With the ways from the start to the road and from the road to the end, in a straight line and on foot. */
  distanceM: field(z.number(), '距离（米）', 'Distance (m)'),
  durationS: field(z.number(), '时间（秒）', 'Duration (s)'),
  path: field(z.array(z.tuple([z.number(), z.number()])), '路线', 'Path'),
  steps: field(z.array(RoadStep), '步骤', 'Steps'),
})
export type RoadPlan = z.output<typeof RoadPlan>

export const RoadAnswer = z.strictObject({
  state: field(z.enum(roadStates), '结果', 'Result'),
  plan: RoadPlan.nullable(),
})
export type RoadAnswer = z.output<typeof RoadAnswer>
