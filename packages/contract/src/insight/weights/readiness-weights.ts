import { z } from 'zod'
import { Id, Millis } from '../../codecs.ts'
import { endpoint } from '../../endpoint.ts'
import { field } from '../../field.ts'
import { type FieldError, fieldErrors } from '../../issue.ts'
import { readinessLabels } from '../readiness-labels.ts'
import { type ReadinessCode, readinessCodes } from '../readiness.ts'

export const MAX_POINTS = 100

type Range = { min: number; max: number }
const fixed = (value: number): Range => ({ min: value, max: value })
const days = { min: 1, max: 3650 }
const percent = { min: 0, max: 99 }
const seconds = { min: 1, max: 86_400 }

/**
 * The thresholds of each reason, the highest first. Those of facts are fixed, and those of batteries too: orders for low
 * batteries and the forecast depend on them.
 */
export const thresholdRanges: Record<ReadinessCode, readonly Range[]> = {
  OFFLINE: [fixed(0)],
  PRESS: [days, days],
  STATION: [fixed(0)],
  RECIPIENT: [fixed(0)],
  BATTERY: [fixed(90), fixed(80)],
  BATTERY_AHEAD: [fixed(23), fixed(0)],
  HEARTBEAT: [percent, percent, percent],
  FLAPPING: [fixed(0)],
  SHIFT: [fixed(0)],
  SHIFT_AHEAD: [fixed(0)],
  CLOCK: [seconds, seconds],
  PLACE: [fixed(0)],
  FIRMWARE: [fixed(0)],
  PROCEDURE: [fixed(0)],
}

const rangeOf = (code: ReadinessCode): Range => ({
  min: Math.min(...thresholdRanges[code].map(({ min }) => min)),
  max: Math.max(...thresholdRanges[code].map(({ max }) => max)),
})

/** The points lost when the measured value exceeds the threshold. */
const stepOf = ({ min, max }: Range) =>
  z.strictObject({
    over: field(z.int().min(min).max(max), '阈值', 'Threshold'),
    points: field(z.int().min(0).max(MAX_POINTS), '扣分', 'Points'),
  })
export type WeightStep = z.output<ReturnType<typeof stepOf>>

/** The steps of a reason, the highest threshold first: the first one that the value exceeds counts. */
const stepsOf = (code: ReadinessCode) =>
  field(
    z.array(stepOf(rangeOf(code))).length(thresholdRanges[code].length),
    readinessLabels.readinessCode[code][0],
    readinessLabels.readinessCode[code][1],
  )

const shape = Object.fromEntries(readinessCodes.map((code) => [code, stepsOf(code)])) as Record<
  ReadinessCode,
  ReturnType<typeof stepsOf>
>
export const Weights = z.strictObject(shape)
export type Weights = z.output<typeof Weights>

const version = field(z.int(), '权重版本', 'Weights version')

/** A published version never changes; the one with the highest number is current. */
export const WeightsVersion = z.strictObject({
  version,
  weights: field(Weights, '权重', 'Weights'),
  note: field(z.string().nullable(), '说明', 'Note'),
  /** Null for the version that the product came with. */
  byId: Id.nullable(),
  at: field(Millis, '发布时间', 'Published'),
})
export type WeightsVersion = z.output<typeof WeightsVersion>

export const WeightsVersionRow = WeightsVersion.extend({
  byName: field(z.string().nullable(), '发布人', 'Published by'),
})
export type WeightsVersionRow = z.output<typeof WeightsVersionRow>

export const WeightsStatus = z.strictObject({
  current: WeightsVersionRow,
  /** Visible schools whose value is still of another version, and all visible ones with a value. */
  outdated: z.int(),
  schools: z.int(),
})

export const WeightsDraft = z.strictObject({
  /** The current version that the draft was made from. */
  version,
  weights: field(Weights, '权重', 'Weights'),
  note: field(z.string().trim().max(200).nullable(), '说明', 'Note'),
})
export type WeightsDraft = z.output<typeof WeightsDraft>

type Issue = z.core.$ZodIssue
const tooSmall = (path: PropertyKey[], input: number, minimum: number): Issue[] =>
  input < minimum ? [{ code: 'too_small', origin: 'number', path, input, minimum, message: '' }] : []
const tooBig = (path: PropertyKey[], input: number, maximum: number): Issue[] =>
  input > maximum ? [{ code: 'too_big', origin: 'number', path, input, maximum, message: '' }] : []

const findStepIssues = (code: ReadinessCode, steps: readonly WeightStep[]): Issue[] =>
  thresholdRanges[code].flatMap(({ min, max }, n) => {
    const step = steps[n]
    const higher = steps[n - 1]
    if (!step) return []
    const at = ['weights', code, n]
    return [
      ...tooSmall([...at, 'over'], step.over, min),
      ...tooBig([...at, 'over'], step.over, higher ? Math.min(max, higher.over - 1) : max),
      ...(higher ? tooBig([...at, 'points'], step.points, higher.points) : []),
    ]
  })

/**
 * What no single field decides: the thresholds of a reason fall, and a lower one never costs more points. Server and
 * form check it.
 */
export const findWeightErrors = (weights: Weights): FieldError[] =>
  fieldErrors(
    WeightsDraft,
    readinessCodes.flatMap((code) => findStepIssues(code, weights[code])),
  )

export const WeightsTrial = z.strictObject({
  weights: field(Weights, '权重', 'Weights'),
  /** The last school of the part before; absent for the first part. */
  after: field(Id.optional(), '从此学校之后', 'After this school'),
})
export type WeightsTrial = z.output<typeof WeightsTrial>

/** Schools below 60, from 60 to 89, and from 90. */
const Bands = z.strictObject({ low: z.int(), fair: z.int(), good: z.int() })
export type Bands = z.output<typeof Bands>

/** The effect on some schools; `next` begins the next part, null at the end. */
export const WeightsEffect = z.strictObject({ before: Bands, after: Bands, next: Id.nullable() })
export type WeightsEffect = z.output<typeof WeightsEffect>

const read = { method: 'GET', kind: 'json', permission: 'insight:readiness:query' } as const
const write = { method: 'POST', kind: 'json', permission: 'insight:readiness:publish' } as const

export const readinessWeights = {
  get: endpoint({
    ...read,
    scope: 'school',
    path: '/insight/readiness-weights/get',
    summary: '现行就绪度权重与重算进度',
    summaryEn: 'The current weights of readiness, and how many schools are still to be computed by them',
    data: WeightsStatus,
  }),
  list: endpoint({
    ...read,
    scope: 'none',
    path: '/insight/readiness-weights/list',
    summary: '就绪度权重的版本',
    summaryEn: 'The latest 100 versions of the weights, the newest first',
    data: z.array(WeightsVersionRow),
  }),
  preview: endpoint({
    ...write,
    scope: 'school',
    path: '/insight/readiness-weights/preview',
    summary: '试算一组权重对部分学校的影响',
    summaryEn: 'The effect of weights on the readiness of some schools, by the facts of now',
    body: WeightsTrial,
    data: WeightsEffect,
  }),
  publish: endpoint({
    ...write,
    scope: 'none',
    path: '/insight/readiness-weights/publish',
    summary: '发布新的就绪度权重',
    summaryEn: 'Publish weights as the next version, by which all readiness is computed again',
    body: WeightsDraft,
    data: z.int(),
  }),
}
