import { stateMachine, type RecordState, type Verb } from '@tocsin/contract/alarm/state-machine'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordDisplayed } from '#areas/alarm/record/lease'
import { recordTimerHandlers } from '#areas/alarm/timer/record-timers'
import { scheduleOverdue, scheduleClaimReminder } from '#areas/alarm/timer/schedule-timers'
import { verifyLog } from '#areas/alarm/verify-chain'
import type { Row } from '#db/tables'
import { makePress, makeRecord } from '../../../../seed/record-fixtures.ts'
import { calls, type PersonVerb, verbError } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'
import { resolve } from './resolve.ts'
import { milestones } from '@tocsin/contract/alarm/milestone'
import { sampleSize } from '../../../../test/sample-size.ts'
import './routes.ts'

// Any sequence of verbs, due timers, desks and devices: the record follows the table of domain 2.8, and the invariants
// 3, 4, 5, 9 and 11 of domain 2.14 hold after every step.

let fixture: AlarmFixture
beforeAll(async () => {
  fixture = await openAlarmFixture()
})
afterAll(() => fixture.end())

type Record = Row<'warnRecord'>
const read = (id: number): Promise<Record> =>
  fixture.all.selectFrom('warnRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const verbs = Object.keys(calls) as PersonVerb[]
const people = ['zhang', 'li', 'wang', 'zhao', 'stranger', 'reader'] as const
const by = fc.constantFrom(...people)
const leads = fc.constantFrom('wang', 'zhao')
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ verb: fc.constantFrom(...verbs), by }) },
  // Verbs that the table allows now to the most powerful users; otherwise hardly any run would reach a review.
  { weight: 8, arbitrary: fc.record({ allowed: fc.nat(), by: leads }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('override' as const), by: leads }) },
  { weight: 3, arbitrary: fc.record({ timer: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ stale: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ seen: by }) },
)
type Step =
  | { verb: PersonVerb | 'override'; by: string }
  | { allowed: number; by: string }
  | { timer: number }
  | { stale: number }
  | { seen: string }

const actor = (name: string) => fixture[name as (typeof people)[number]]

const byPerson = async (record: Record, verb: PersonVerb | 'override', by: string) => {
  const person = actor(by)
  const given = { ...record, intoId: targetId, userId: person.userId }
  if (verb === 'override')
    return verbError(
      resolve(fixture.db, person, { ...given, disposition: 'REAL_HANDLED', note: 'x', overrideReason: 'y' }),
    )
  return verbError(calls[verb](fixture.db, person, given).catch(refusedField))
}
/** A reassign to somebody who may not be chosen is an error of the caller. */
const refusedField = (error: unknown) => {
  if (error instanceof Error && 'errors' in error) return undefined
  throw error
}

const timers = (id: number, stale: boolean) =>
  fixture.db
    .selectFrom('timer')
    .selectAll()
    .where('kind', '=', 'record')
    .where('subjectId', '=', id)
    .$if(!stale, (q) => q.where('doneAt', 'is', null))
    .orderBy('step')
    .orderBy('epoch')
    .execute()

/**
 * Runs a step function by name. A stale one runs although it ended or was cancelled, as a paused worker would run it.
 */
const byTimer = async (record: Record, n: number, stale: boolean) => {
  const planned = (await timers(record.id, stale)).filter(({ epoch }) => !stale || epoch < record.epoch)
  const chosen = planned[n % planned.length]
  if (!chosen) return
  if (chosen.step === 'LEASE' && !stale)
    await fixture.all.updateTable('warnRecord').set({ leaseUntil: sql`now()` }).where('id', '=', record.id).execute()
  await fixture.db.transaction().execute(async (trx) => {
    const { kind, subjectId, step: name, epoch } = chosen
    await trx
      .updateTable('timer')
      .set({ doneAt: sql`now()`, outcome: 'FIRED' })
      .where('subjectId', '=', subjectId)
      .where('step', '=', name)
      .where('epoch', '=', epoch)
      .execute()
    await recordTimerHandlers.record.execute(trx, [{ kind, subjectId, step: name, epoch }])
  })
  return chosen.step
}

const perform = async (record: Record, step: Step) => {
  if ('allowed' in step) {
    const open = verbs.filter((verb) => stateMachine[verb].from.some((state) => state === record.state))
    return byPerson(record, open[step.allowed % open.length] ?? 'note', step.by)
  }
  if ('verb' in step) return byPerson(record, step.verb, step.by)
  if ('timer' in step) return byTimer(record, step.timer, false)
  if ('stale' in step) return byTimer(record, step.stale, true)
  return recordDisplayed(fixture.db, actor(step.seen), { shown: [record.id], sounded: [record.id] })
}

const logAfter = (id: number, no: number) =>
  fixture.all.selectFrom('warnLog').selectAll().where('recordId', '=', id).where('no', '>', no).orderBy('no').execute()

type Entry = Awaited<ReturnType<typeof logAfter>>[number]
const system = new Set(['T1', 'T2', 'T3', 'T4', 'overdue', 'merged'])

const checkMove = (before: Record, entry: Entry) => {
  if (system.has(entry.verb)) return expect(entry.toState).toBe(entry.fromState)
  const rule = stateMachine[entry.verb as Verb]
  expect(rule.from).toContain(entry.fromState)
  const waits = entry.verb === 'false' && before.level <= 2
  const to: RecordState | null = rule.to === 'same' || waits ? entry.fromState : rule.to
  // A takeover by another desk of the owner is a claim that changes no state.
  expect(entry.toState).toBe(to)
}

const checkMilestones = (before: Record, after: Record) => {
  const reached = milestones.flatMap((name) => before[name]?.getTime() ?? [])
  for (const name of milestones) {
    if (before[name]) expect(after[name], name).toEqual(before[name])
    else if (after[name]) expect(after[name]?.getTime()).toBeGreaterThanOrEqual(Math.max(...reached))
  }
}

/** Invariant 11: an unanswered reminder is logged, and says so while no screen has displayed the alarm. */
const checkCalls = (before: Record, entries: readonly Entry[], fired: unknown) => {
  const calls = entries.filter(({ verb }) => verb === 'T1' || verb === 'escalateBySystem')
  const unseen = before.displayedAt === null
  for (const { payload } of calls) expect(payload['unseen'] === true).toBe(unseen)
  if (!String(fired).startsWith('T1') || before.state !== 'NEW' || before.shelvedUntil !== null) return
  expect(calls).toHaveLength(1)
  called.add(`level ${before.level}, ${unseen ? 'unseen' : 'seen'}`)
}
const called = new Set<string>()

const check = async (before: Record, after: Record, step: Step, fired: unknown) => {
  const entries = await logAfter(before.id, before.logCount)
  let state: RecordState = before.state
  for (const entry of entries) {
    expect(entry.fromState).toBe(state)
    if (!(entry.verb === 'claim' && entry.fromState === 'CLAIMED')) checkMove(before, entry)
    state = entry.toState ?? state
  }
  expect(after.state, 'a change of state is in the log').toBe(state)
  const acted = entries.filter(({ verb }) => !system.has(verb)).length
  expect(after.version, 'every verb counts, nothing else does').toBe(before.version + acted)
  checkMilestones(before, after)
  if (before.class === 'PANIC' && before.open && !after.open)
    expect(entries.every(({ actorId }) => actorId !== null)).toBe(true)
  if ('stale' in step) expect({ ...after }).toEqual({ ...before })
  if ('timer' in step) checkCalls(before, entries, fired)
  expect(after.epoch - before.epoch).toBe(['reject', 'reopen'].includes(entries.at(-1)?.verb ?? '') ? 1 : 0)
}

/** The conditions that hold for a record between any two steps. */
const checkStanding = async (record: Record) => {
  expect(record.leaseUntil !== null, 'only a claim has a lease').toBe(record.state === 'CLAIMED')
  if (record.class === 'PANIC') expect(record.shelvedUntil).toBeNull()
  const planned = await timers(record.id, false)
  expect(
    planned.every(({ epoch }) => epoch === record.epoch),
    'no pending step of an earlier epoch',
  ).toBe(true)
  const steps = planned.map(({ step: name }) => name)
  expect(steps.includes('LEASE')).toBe(record.state === 'CLAIMED')
  if (!record.open) expect(steps.filter((name) => name !== 'AUTOCLOSE')).toEqual([])
}

let targetId = 0

const start = async (panic: boolean, level: number) => {
  const at = {
    deptId: fixture.first.deptId,
    schoolId: fixture.first.id,
    class: panic ? 'PANIC' : 'INTRUSION',
    level,
  } as const
  targetId = (await makeRecord(fixture.db, at)).id
  const record = await makeRecord(fixture.db, at)
  await makePress(fixture.db, record, fixture.buttonId)
  await scheduleClaimReminder(fixture.db, record)
  await scheduleOverdue(fixture.db, record)
  return record.id
}

/** Visits every state, whatever the random runs do. */
const wholeWay: Step[] = [
  { verb: 'claim', by: 'wang' },
  { verb: 'dispatch', by: 'wang' },
  { verb: 'escalate', by: 'wang' },
  { verb: 'override', by: 'wang' },
  { verb: 'close', by: 'zhao' },
  { verb: 'reopen', by: 'wang' },
]

/** Reminders of level 1, before and after a screen displays the record. */
const ringing: Step[] = [{ timer: 0 }, { seen: 'stranger' }, { timer: 0 }, { seen: 'zhang' }, { timer: 0 }]

it('keeps the table and the invariants for any sequence of verbs, timers and desks', { timeout: 120_000 }, async () => {
  const run = fc.array(step, { minLength: 5, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.integer({ min: 1, max: 4 }), run, async (panic, level, steps: Step[]) => {
      const id = await start(panic, level)
      for (const step of steps) {
        const before = await read(id)
        const done = await perform(before, step)
        const after = await read(id)
        await check(before, after, step, done)
        await checkStanding(after)
      }
    }),
    {
      numRuns: sampleSize(60),
      examples: [
        [false, 2, wholeWay],
        [false, 1, ringing],
        [true, 1, ringing],
      ],
    },
  )
  expect((await verifyLog(fixture.db)).broken).toBeUndefined()
  const states = await fixture.all.selectFrom('warnLog').select('toState').distinct().execute()
  expect(states).toHaveLength(6)
  expect([...called]).toEqual(expect.arrayContaining(['level 1, unseen', 'level 1, seen']))
})
