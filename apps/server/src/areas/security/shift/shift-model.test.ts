import { codes } from '@tocsin/contract/codes'
import {
  END_GRACE_MIN,
  shiftRule,
  type ShiftState,
  type ShiftVerb,
  whyNotShiftVerb,
} from '@tocsin/contract/security/shift-machine'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DutyServer, startDutyServer } from '../../../../test/duty-server.ts'
import { shiftTimerHandlers } from './shift-timers.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

let site: DutyServer
let postId: number
let ma: { id: number; token: string }
let du: { id: number; token: string }
beforeAll(async () => {
  site = await startDutyServer()
  postId = await site.post()
  ma = await site.guard('马军')
  du = await site.guard('杜伟')
})
afterAll(() => site.end())

const MINUTE_MS = 60_000
/** Minutes from now to the beginning and the end: to come, soon, running, about to end, over, over for long. */
const spans = [
  [120, 600],
  [20, 500],
  [-60, 420],
  [-480, END_GRACE_MIN - 2],
  [-490, -10],
  [-700, -180],
] as const

const people = ['self', 'other', 'planner'] as const
type Person = (typeof people)[number]
type Step = { kind: 'in' | 'out' | 'excuse' | 'LATE' | 'ABSENT' | 'END'; who: Person }

const timerVerbs = { LATE: 'markLate', ABSENT: 'markAbsent', END: 'endUnattended' } as const
const isTimer = (kind: Step['kind']): kind is keyof typeof timerVerbs => kind in timerVerbs

type Model = { state: ShiftState; absenceReason: string | null; version: number; fromAt: Date; toAt: Date }

const tokenOf = (person: Person) => ({ self: ma.token, other: du.token, planner: site.adminToken })[person]

const runTimer = async (id: number, step: string) => {
  const { execute } = shiftTimerHandlers.shift
  await site.site.db.transaction().execute((trx) => execute(trx, [{ kind: 'shift', subjectId: id, step, epoch: 1 }]))
  return 200
}

const send = async (id: number, { kind, who }: Step, version: number): Promise<number> => {
  if (isTimer(kind)) return runTimer(id, kind)
  const [path, more] = {
    in: ['check-in', { method: 'HAND', reason: '补签' }],
    out: ['check-out', { reason: '就医' }],
    excuse: ['excuse', { reason: '病假' }],
  }[kind] as [string, object]
  const { code } = await site.call('POST', `/security/shift/${path}`, { id, version, ...more }, tokenOf(who))
  return Number(code)
}

/** What the table says to a step: the verb that it is, and the code of its answer. */
const expected = (model: Model, { kind, who }: Step, now: Date): { verb: ShiftVerb; code: number } => {
  const facts = { ...model, publishedAt: now }
  if (isTimer(kind)) {
    const verb = timerVerbs[kind]
    return { verb, code: whyNotShiftVerb(verb, facts, now)?.code ?? 200 }
  }
  if (kind === 'excuse') {
    if (who !== 'planner') return { verb: 'excuse', code: codes.forbidden.code }
    return { verb: 'excuse', code: whyNotShiftVerb('excuse', facts, now)?.code ?? 200 }
  }
  const isOver = now.getTime() >= model.toAt.getTime() - END_GRACE_MIN * MINUTE_MS
  const verb = kind === 'in' ? 'checkIn' : isOver ? 'checkOut' : 'leaveEarly'
  if (who === 'other') return { verb, code: codes.shiftNotYours.code }
  return { verb, code: whyNotShiftVerb(verb, facts, now)?.code ?? 200 }
}

const createShift = async (from: number, to: number): Promise<{ id: number; model: Model }> => {
  await site.all.deleteFrom('shift').execute()
  const fromAt = new Date(Date.now() + from * MINUTE_MS)
  const toAt = new Date(Date.now() + to * MINUTE_MS)
  const { id } = await site.all
    .insertInto('shift')
    .values({ postId, schoolId: site.schoolId, employeeId: ma.id, fromAt, toAt, publishedAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, model: { state: 'PLANNED', absenceReason: null, version: 1, fromAt, toAt } }
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind']>('in', 'out', 'excuse', 'LATE', 'ABSENT', 'END'),
    who: fc.constantFrom(...people),
  }),
  { minLength: 1, maxLength: 7 },
)

it('takes the steps that the table allows and rejects the others, for every person and timer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...spans), steps, async ([from, to], walked) => {
      const { id, model } = await createShift(from, to)
      for (const step of walked) {
        const { verb, code } = expected(model, step, new Date())
        const answer = await send(id, step, model.version)
        if (!isTimer(step.kind)) expect([step, model.state, answer]).toEqual([step, model.state, code])
        if (code !== 200) continue
        model.state = shiftRule(verb).to
        model.version += 1
        if (verb === 'excuse') model.absenceReason = '病假'
      }
      const stored = await site.all.selectFrom('shift').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      expect(stored).toMatchObject({ state: model.state, absenceReason: model.absenceReason, version: model.version })
    }),
    { numRuns: sampleSize(60) },
  )
})

it('takes one of several people who act on a shift at once, and tells the others that it changed', async () => {
  const { id } = await createShift(-10, 480)
  const acts: Step[] = [
    { kind: 'in', who: 'self' },
    { kind: 'in', who: 'planner' },
    { kind: 'excuse', who: 'planner' },
  ]
  const answers = await Promise.all(acts.map((step) => send(id, step, 1)))
  expect(answers.toSorted((a, b) => a - b)).toEqual([200, codes.stale.code, codes.stale.code])
})
