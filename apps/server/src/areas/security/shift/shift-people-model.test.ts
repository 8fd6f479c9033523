import { MIN_REST_HOURS, shiftMachine, type ShiftState } from '@tocsin/contract/security/shift-machine'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DutyServer, startDutyServer } from '../../../../test/duty-server.ts'
import type { Row } from '#db/tables'
import { shiftTimerHandlers } from './shift-timers.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

// A planner, three guards and the timers act on the same shifts, some at the same moment: plan, move, publish, swap,
// excuse, stand in, check in and out. In any order no person has two shifts at once or without rest, each swap is answered once, and each
// shift follows its table.

type Guard = { id: number; token: string }
let site: DutyServer
let guards: Guard[]
let postIds: number[]
beforeAll(async () => {
  site = await startDutyServer()
  guards = [await site.guard('马军'), await site.guard('杜伟'), await site.guard('林强')]
  postIds = [await site.post(), await site.post({ name: '西门' })]
})
afterAll(() => site.end())

const MINUTE_MS = 60_000
const HOUR_MIN = 60
/** Minutes from now to the beginning and the end: running, about to begin, and to come with and without a rest. */
const spans = [
  [-40, 6 * HOUR_MIN],
  [20, 5 * HOUR_MIN],
  [4 * HOUR_MIN, 9 * HOUR_MIN],
  [15 * HOUR_MIN, 20 * HOUR_MIN],
] as const

const kinds = ['plan', 'move', 'give', 'remove', 'publish', 'ask', 'answer', 'withdraw', 'excuse', 'standIn'] as const
const acts = [...kinds, 'checkIn', 'checkOut', 'LATE', 'ABSENT', 'END'] as const
const anyAct = fc.record({
  kind: fc.constantFrom(...acts),
  shift: fc.nat({ max: 4 }),
  other: fc.nat({ max: 4 }),
  guard: fc.nat({ max: 2 }),
  span: fc.constantFrom(...spans),
  agree: fc.boolean(),
})
type Act = typeof anyAct extends fc.Arbitrary<infer T> ? T : never

type World = { shifts: Row<'shift'>[]; swaps: Row<'shiftSwap'>[] }
const read = async (): Promise<World> => ({
  shifts: await site.all.selectFrom('shift').selectAll().orderBy('id').execute(),
  swaps: await site.all.selectFrom('shiftSwap').selectAll().orderBy('id').execute(),
})

const pick = <T>(all: readonly T[], n: number): T | undefined => all[n % all.length]
const times = ([from, to]: Act['span']) => ({
  fromAt: Date.now() + from * MINUTE_MS,
  toAt: Date.now() + to * MINUTE_MS,
})
const S = '/security/shift'

const runTimer = async (shiftId: number, step: string): Promise<number> => {
  const key = { kind: 'shift', subjectId: shiftId, step, epoch: 1 }
  const { lock, execute } = shiftTimerHandlers.shift
  await site.site.db.transaction().execute(async (trx) => {
    if ((await lock?.(trx, [shiftId], true))?.length) await execute(trx, [key])
  })
  return 200
}

/** Acts on the rows that were read before, as screens do. @returns the code of the answer */
const perform = async (act: Act, { shifts, swaps }: World): Promise<number> => {
  const [shift, other, swap] = [pick(shifts, act.shift), pick(shifts, act.other), pick(swaps, act.shift)]
  const guard = pick(guards, act.guard) as Guard
  const { id = 0, version = 1 } = shift ?? {}
  const send = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object, token?: string) =>
    Number((await site.call(method, path, body, token)).code)
  const byHand = { id, version, method: 'HAND', reason: '补签' }
  const onSwap = { id: swap?.id ?? 0, version: swap?.version ?? 1 }
  const calls: Record<Act['kind'], () => Promise<number>> = {
    plan: () =>
      send('POST', `${S}/create`, { postId: pick(postIds, act.other), employeeId: guard.id, ...times(act.span) }),
    move: () => send('PUT', `${S}/update`, { id, version, ...times(act.span) }),
    give: () => send('PUT', `${S}/update`, { id, version, employeeId: guard.id }),
    remove: () => send('DELETE', `${S}/delete?id=${id}`),
    publish: () => {
      const week = shift?.fromAt.getTime() ?? Date.now()
      return send('POST', `${S}/publish`, { week, schoolId: site.schoolId, reason: '临时' })
    },
    ask: () => send('POST', '/security/shift-swap/create', { shiftId: id, otherShiftId: other?.id ?? 0 }, guard.token),
    answer: () => send('POST', '/security/shift-swap/answer', { ...onSwap, agree: act.agree }, guard.token),
    withdraw: () => send('POST', '/security/shift-swap/withdraw', onSwap, guard.token),
    excuse: () => send('POST', `${S}/excuse`, { id, version, reason: '病假' }),
    standIn: () => send('POST', `${S}/stand-in`, { shiftId: id, employeeId: guard.id }),
    checkIn: () => send('POST', `${S}/check-in`, byHand, act.agree ? guard.token : undefined),
    checkOut: () => send('POST', `${S}/check-out`, { id, version, reason: '就医' }, guard.token),
    LATE: () => runTimer(id, 'LATE'),
    ABSENT: () => runTimer(id, 'ABSENT'),
    END: () => runTimer(id, 'END'),
  }
  return calls[act.kind]()
}

/** States that a shift can reach in so many steps of its table. */
const reachable = (from: ShiftState, steps: number): Set<ShiftState> => {
  const found = new Set([from])
  for (let n = 0; n < steps; n += 1)
    for (const rule of Object.values(shiftMachine))
      if (rule.from.some((state: ShiftState) => found.has(state))) found.add(rule.to)
  return found
}

const REST_MS = MIN_REST_HOURS * 3_600_000
const isTooClose = (a: Row<'shift'>, b: Row<'shift'>) =>
  a.fromAt.getTime() < b.toAt.getTime() + REST_MS && b.fromAt.getTime() < a.toAt.getTime() + REST_MS

const checkShifts = (before: World, { shifts }: World, acted: number) => {
  const earlier = new Map(before.shifts.map((shift) => [shift.id, shift]))
  for (const shift of shifts) {
    const was = earlier.get(shift.id)
    expect([...reachable(was?.state ?? 'PLANNED', acted)], 'each step is in the table').toContain(shift.state)
    if (shift.publishedAt === null) expect(shift.state, 'only a published shift begins').toBe('PLANNED')
    if (shift.absenceReason !== null) expect(shift.state, 'an excused person stays away').toBe('ABSENT')
  }
  const serving = shifts.filter(({ state }) => state !== 'ABSENT')
  for (const shift of serving) {
    const double = serving.find(
      (other) => other.id > shift.id && other.employeeId === shift.employeeId && isTooClose(other, shift),
    )
    expect(double, 'nobody has two shifts at once or without rest').toBeUndefined()
    const stands = serving.filter(
      ({ standInFor, state }) => standInFor !== null && standInFor === shift.standInFor && state !== 'LEFT_EARLY',
    )
    expect(stands.length, 'one person stands in for an absent one').toBeLessThanOrEqual(1)
  }
}

const checkSwaps = (before: World, { swaps }: World, done: readonly Act[]) => {
  const open = swaps.filter(({ state }) => state === 'ASKED').map(({ shiftId }) => shiftId)
  expect(new Set(open).size, 'a shift waits for one answer').toBe(open.length)
  const stateOf = new Map(swaps.map(({ id, state }) => [id, state]))
  const kept = before.swaps.filter(({ id }) => stateOf.has(id))
  const ended = kept.filter(({ id, state }) => state !== stateOf.get(id))
  for (const { state } of ended) expect(state, 'an answer is final').toBe('ASKED')
  const answers = done.filter(({ kind }) => kind === 'answer' || kind === 'withdraw').length
  const deleted = before.swaps.length - kept.length
  expect(answers, 'one of those who answer at once is first').toBeLessThanOrEqual(ended.length + deleted)
}

const playRound = async (round: readonly Act[]) => {
  const before = await read()
  const codes = await Promise.all(round.map((act) => perform(act, before)))
  for (const code of codes) expect([500, 503]).not.toContain(code)
  const after = await read()
  const done = round.filter((_, at) => codes[at] === 200)
  checkShifts(before, after, done.length)
  checkSwaps(before, after, done)
}

/** What must be met in any run: two stand-ins, and somebody late who was given another shift meanwhile. */
const step = (kind: Act['kind'], more: Partial<Act> = {}): Act => {
  return { kind, shift: 0, other: 0, guard: 0, span: spans[0], agree: false, ...more }
}
const begun = [[step('plan')], [step('publish')], [step('LATE')], [step('ABSENT')]]
const twoStandIns = [...begun, [step('standIn', { guard: 1 }), step('standIn', { guard: 2 })]]
const lateElsewhere = [...begun, [step('plan', { other: 1, span: spans[1] })], [step('checkIn')]]
const swapped = [
  [step('plan', { span: spans[2] }), step('plan', { guard: 1, span: spans[3] })],
  [step('publish'), step('publish', { shift: 1 })],
  [step('ask', { other: 1 }), step('ask', { shift: 1, guard: 1 })],
  [step('answer', { guard: 1, agree: true }), step('answer', { shift: 1, agree: true }), step('withdraw')],
]

it('gives nobody two shifts and answers each swap once, whoever acts at the same moment', async () => {
  const rounds = fc.array(fc.array(anyAct, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(rounds, async (planned) => {
      await site.all.deleteFrom('shift').execute()
      for (const round of planned) await playRound(round)
    }),
    { numRuns: sampleSize(25), examples: [[twoStandIns], [lateElsewhere], [swapped]] },
  )
})
