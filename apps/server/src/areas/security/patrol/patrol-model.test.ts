import { codes } from '@tocsin/contract/codes'
import { MINUTE_MS } from '@tocsin/contract/security/hours'
import { isWithinRound, MAX_SCAN_AGE_HOURS, PATROL_GRACE_MIN, patrolRunState } from '@tocsin/contract/security/patrol'
import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DutyServer, startDutyServer } from '../../../../test/duty-server.ts'
import type { Row } from '#db/tables'
import { sweepPatrols } from './patrol-runs.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

let site: DutyServer
let tokens: string[]
beforeAll(async () => {
  site = await startDutyServer()
  tokens = [(await site.guard('马军')).token, (await site.guard('杜伟')).token]
})
afterAll(() => site.end())

/** Minutes from now to the beginning and the end of a round: running, over but for the grace, over, and over for long. */
const spans = [
  [-60, 60],
  [-90, -PATROL_GRACE_MIN + 5],
  [-120, -60],
  [-MAX_SCAN_AGE_HOURS * 60 - 60, -120],
] as const
type Span = (typeof spans)[number]
const POINTS = ['东门', '操场', '实验楼'] as const
const UNKNOWN_POINT = POINTS.length
/** A point is removed as of this moment, so that phones hold scans from before and from after it. */
const REMOVED_MIN = -5

type Step =
  | { kind: 'scan'; point: number; minute: number | null; key: number; who: number }
  | { kind: 'remove'; point: number }
  | { kind: 'sweep' }
const anyScan = fc.record({
  kind: fc.constant('scan' as const),
  point: fc.nat({ max: UNKNOWN_POINT }),
  // Without a time, the phone has a connection. A clock that is ahead counts as now.
  minute: fc.constantFrom(null, 30, -1, -10, -70, -100, -200, -MAX_SCAN_AGE_HOURS * 60 - 30),
  key: fc.nat({ max: 5 }),
  who: fc.nat({ max: 1 }),
})
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: anyScan },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('remove' as const), point: fc.nat({ max: POINTS.length - 1 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'sweep' as const }) },
)

type Round = { runId: number; points: { id: number; code: string }[]; fromAt: Date; toAt: Date; keys: string[] }

const createRound = async ([from, to]: Span): Promise<Round> => {
  await site.all.deleteFrom('patrolScan').execute()
  await site.all.deleteFrom('patrolPlan').execute()
  // Out of use, so that a sweep adds no rounds of today.
  const plan = { schoolId: site.schoolId, name: '校园巡查', fromMin: 0, toMin: 1440, rounds: 1, enabled: false }
  const { id: planId } = await site.all.insertInto('patrolPlan').values(plan).returning('id').executeTakeFirstOrThrow()
  const values = POINTS.map((name, seq) => {
    return { planId, schoolId: site.schoolId, seq, name, code: `MDE${planId}P${seq}`.slice(-16) }
  })
  const points = await site.all.insertInto('patrolPoint').values(values).returning(['id', 'code']).execute()
  const now = Date.now()
  const [fromAt, toAt] = [new Date(now + from * MINUTE_MS), new Date(now + to * MINUTE_MS)]
  const run = { planId, schoolId: site.schoolId, day: '2026-03-02', round: 1, fromAt, toAt }
  const { id: runId } = await site.all.insertInto('patrolRun').values(run).returning('id').executeTakeFirstOrThrow()
  return { runId, points, fromAt, toAt, keys: Array.from({ length: 6 }, () => randomUUID()) }
}

const send = async ({ runId, points, keys }: Round, { point, minute, key, who }: Step & { kind: 'scan' }) => {
  const scannedAt = minute === null ? null : Date.now() + minute * MINUTE_MS
  const code = points[point]?.code ?? 'NOWHERE1'
  const body = { stepKey: keys[key], runId, code, scannedAt, isOdd: false, note: null }
  return Number((await site.call('POST', '/security/patrol/scan', body, tokens[who])).code)
}
const remove = ({ points }: Round, point: number, removedAt: Date) =>
  site.all
    .updateTable('patrolPoint')
    .set({ removedAt })
    .where('id', '=', points[point]?.id ?? 0)
    .execute()
const sweep = () => site.site.db.transaction().execute((trx) => sweepPatrols(trx, new Date()))
const readRound = async ({ runId }: Round) => {
  const { state } = await site.all
    .selectFrom('patrolRun')
    .select('state')
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  const scans = await site.all.selectFrom('patrolScan').selectAll().where('runId', '=', runId).execute()
  return { state, scans }
}

type Model = {
  state: Row<'patrolRun'>['state']
  reached: Set<number>
  removed: Set<number>
  used: Set<number>
}

/** What the rules say to a scan: the code of its answer, and whether it is stored. */
const expected = (model: Model, round: Round, step: Step & { kind: 'scan' }): { code: number; isNew: boolean } => {
  const minute = Math.min(step.minute ?? 0, 0)
  if (model.used.has(step.key)) return { code: 200, isNew: false }
  const isGone = model.removed.has(step.point) && minute > REMOVED_MIN
  if (step.point === UNKNOWN_POINT || isGone) return { code: codes.patrolWrongCode.code, isNew: false }
  if (model.reached.has(step.point)) return { code: 200, isNew: false }
  if (minute < -MAX_SCAN_AGE_HOURS * 60) return { code: codes.patrolTooOld.code, isNew: false }
  const at = new Date(Date.now() + minute * MINUTE_MS)
  if (!isWithinRound(at, { from: round.fromAt, to: round.toAt }))
    return { code: codes.patrolOutside.code, isNew: false }
  return { code: 200, isNew: true }
}

const evaluate = ({ reached, removed }: Model, isOver: boolean) => {
  const points = POINTS.map((_, at) => at).filter((at) => !removed.has(at))
  return patrolRunState(points.filter((at) => reached.has(at)).length, points.length, isOver)
}

const play = async (round: Round, steps: readonly Step[]): Promise<Model> => {
  const model: Model = { state: 'PLANNED', reached: new Set(), removed: new Set(), used: new Set() }
  const isOver = Date.now() > round.toAt.getTime() + PATROL_GRACE_MIN * MINUTE_MS
  for (const step of steps) {
    if (step.kind === 'remove') {
      if (!model.removed.has(step.point))
        await remove(round, step.point, new Date(Date.now() + REMOVED_MIN * MINUTE_MS))
      model.removed.add(step.point)
    } else if (step.kind === 'sweep') {
      await sweep()
      if (isOver && (model.state === 'PLANNED' || model.state === 'RUNNING')) model.state = evaluate(model, true)
    } else {
      const { code, isNew } = expected(model, round, step)
      expect([step, await send(round, step)]).toEqual([step, code])
      if (!isNew) continue
      model.used.add(step.key)
      model.reached.add(step.point)
      model.state = evaluate(model, isOver)
    }
  }
  return model
}

it('counts each point of a round once, whatever phones send late, twice or for another round', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...spans),
      fc.array(anyStep, { minLength: 1, maxLength: 9 }),
      async (span, steps) => {
        const round = await createRound(span)
        const model = await play(round, steps)
        const { state, scans } = await readRound(round)
        const reached = [...model.reached].map((at) => round.points[at]?.id ?? null)
        expect({ state, reached: scans.map(({ pointId }) => pointId).toSorted() }).toEqual({
          state: model.state,
          reached: reached.toSorted(),
        })
      },
    ),
    { numRuns: sampleSize(50) },
  )
})

it('ends a round once when two people scan its points while it is swept', async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 0, 1, 2], { minLength: 6 }), async (order) => {
      const round = await createRound([-120, -60])
      const scans = order.map((point, at) => send(round, { kind: 'scan', point, minute: -70, key: at, who: at % 2 }))
      const answers = await Promise.all([...scans, sweep().then(() => 200)])
      expect(answers).toEqual(answers.map(() => 200))
      const stored = await readRound(round)
      expect([stored.state, stored.scans.length]).toEqual(['DONE', POINTS.length])
    }),
    { numRuns: sampleSize(10) },
  )
})
