import { activeAssignmentStates } from '@tocsin/contract/alarm/assignment-machine'
import {
  openSituationStates,
  type SituationState,
  type SituationVerb,
  situationRule,
  situationMachine,
} from '@tocsin/contract/police/situation-machine'
import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedSystem } from '#areas/access/seed/seed'
import { advanceAssignment } from '#areas/alarm/assignment/advance'
import { verifyLog } from '#areas/alarm/verify-chain'
import type { Row } from '#db/tables'
import { ValidationError } from '#http/business-error'
import type { Caller } from '#http/route'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { lead, type AlarmFixture, openAlarmFixture, person } from '../../../../test/alarm-fixture.ts'
import { call, verbError } from '../../../../test/alarm-verbs.ts'
import { createSituation } from './create.ts'
import { mergeSituation, transferSituation, unmergeSituation } from './pass-on.ts'
import { findOfRecord } from './reads.ts'
import * as verbs from './verbs.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

// Verbs and steps of units by the station, the command centre and an onlooker, several at once: no incident leaves the
// table of F, its milestones are written once and in order, no unit stays on an ended one, and the alarm ends once. Of
// several incidents that are merged, returned and handed over again, every alarm with the police has one that is open.

let world: AlarmFixture
let people: Caller[]
let west: number
let units: number[]

const permissions = Object.values(situationMachine).flatMap(({ permission }) => permission || [])
const asks = new Set([...lead, 'police:situation:query', ...permissions, 'warn:task:update'])
const onlooker = new Set(['police:situation:query'])

useTransactionHooks()
beforeAll(async () => {
  world = await openAlarmFixture(14)
  await seedSystem(world.db, 'Maple-river-42')
  const depts = [world.station, world.first.deptId]
  const station = { deptId: world.station, depts, schools: [world.first.id] }
  const origin = { ip: '127.0.0.1', userAgent: 'test', traceId: 't' }
  const command = { deptId: world.bureau, depts: 'all', schools: 'all' } as const
  people = [
    { actor: await person(world.db, 'desk', station, asks), origin },
    { actor: await person(world.db, 'command', command, asks), origin },
    { actor: await person(world.db, 'onlooker', station, onlooker), origin },
  ]
  west = world.bureau
  const made = await world.all
    .insertInto('policeUnit')
    .values(['一号车', '二号车', '三号车'].map((name) => ({ deptId: world.station, name, type: 'CAR', onDuty: true })))
    .returning('id')
    .execute()
  units = made.map(({ id }) => id)
})
afterAll(() => world.end())

const closing = { category: 'SECURITY', disposition: 'RESOLVED_ON_SCENE', result: '已处置' } as const
type Tried = Exclude<SituationVerb, 'progress' | 'archive' | 'again'>
const names = Object.keys(situationMachine).filter(
  (verb): verb is Tried => !['progress', 'archive', 'again'].includes(verb),
)
const steps = ['receive', 'depart', 'arrive', 'clear'] as const
const by = fc.constantFrom(0, 0, 0, 1, 1, 2)
const act = fc.oneof(
  { weight: 5, arbitrary: fc.record({ verb: fc.constantFrom(...names), by, unit: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constantFrom('dispatch', 'feedback', 'close'), by, unit: fc.nat(2) }) },
  { weight: 5, arbitrary: fc.record({ step: fc.constantFrom(...steps), by, at: fc.nat(3) }) },
)
type Act = { verb: Tried; by: number; unit: number } | { step: (typeof steps)[number]; by: number; at: number }

const stored = (id: number): Promise<Row<'policeSituation'>> =>
  world.all.selectFrom('policeSituation').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const sent = (id: number) =>
  world.all.selectFrom('assignment').selectAll().where('situationId', '=', id).orderBy('id').execute()

type Chosen = { who: Caller; one: { verb: Tried; unit: number }; on: { id: number; version: number }; into: number }

const runVerb = async ({ who, one, on, into }: Chosen): Promise<unknown> => {
  const { db } = world
  const unitIds = [units[one.unit] ?? 0]
  const reason = '说明'
  switch (one.verb) {
    case 'claim':
      return verbs.claimSituation(db, who, on)
    case 'dispatch':
      return verbs.dispatchUnits(db, who, { ...on, unitIds, force: true })
    case 'addUnit':
      return verbs.addUnits(db, who, { ...on, unitIds, force: true })
    case 'recall':
      return verbs.recallFrom(db, who, { ...on, assignmentId: (await sent(on.id))[0]?.id ?? 0, reason })
    case 'feedback':
      return verbs.feedBack(db, who, { ...on, text: '反馈' })
    case 'note':
      return verbs.addSituationNote(db, who, { ...on, text: '备注' })
    case 'close':
      return verbs.closeSituation(db, who, { ...on, ...closing })
    case 'transfer':
      return transferSituation(db, who, { ...on, stationDeptId: west, reason })
    case 'reject':
      return verbs.returnToSchool(db, who, { ...on, reason })
    case 'merge':
      return mergeSituation(db, who, { ...on, intoId: into })
    case 'unmerge':
      return unmergeSituation(db, who, { ...on, reason })
    case 'cancel':
      return verbs.cancelSituation(db, who, { ...on, reason })
    default:
      return verbs.reopenSituation(db, who, { ...on, reason })
  }
}

/** A unit that is not out cannot be recalled, which is an error of the field. */
const refusal = (made: Promise<unknown>) =>
  verbError(made).catch((error: unknown) => {
    if (error instanceof ValidationError) return error
    throw error
  })

const perform = async (id: number, into: number, act: Act): Promise<void> => {
  const caller = people[act.by] as Caller
  if ('step' in act) {
    const rows = await sent(id)
    const target = rows[act.at % Math.max(1, rows.length)]
    const input = { id: target?.id ?? 0, stepKey: randomUUID() }
    await verbError(advanceAssignment(world.db, caller, { verb: act.step, input }))
    return
  }
  const before = await stored(id)
  const error = await refusal(runVerb({ who: caller, one: act, on: { id, version: before.version }, into }))
  if (act.by === 2) expect(error).toBeDefined()
}

/** Sends a unit and closes the incident, as far as it can go. */
const handle = async (id: number, unit: number): Promise<void> => {
  const run = (verb: Tried) => perform(id, 0, { verb, by: 0, unit })
  await run('dispatch')
  await run('addUnit')
  for (const step of ['arrive', 'clear'] as const)
    for (let at = (await sent(id)).length - 1; at >= 0; at -= 1) await perform(id, 0, { step, by: 0, at })
  await run('feedback')
  await run('close')
}

/** The school reviews an ended alarm as not ended, and hands it to the police once more. */
const handOver = async (recordId: number): Promise<void> => {
  const read = () =>
    world.all.selectFrom('warnRecord').select(['id', 'version']).where('id', '=', recordId).executeTakeFirstOrThrow()
  await verbError(call('reject')(world.db, world.zhao, await read()))
  await verbError(call('escalate')(world.db, world.wang, await read()))
}

const stampNames = ['receivedAt', 'claimedAt', 'dispatchedAt', 'signedAt', 'departedAt', 'arrivedAt'] as const
const later = [...stampNames, 'fedBackAt', 'closedAt'] as const

const checkRow = async (id: number, before: Row<'policeSituation'>): Promise<void> => {
  const row = await stored(id)
  for (const name of later) if (before[name]) expect(row[name], name).toEqual(before[name])
  const isOpen = openSituationStates.some((state) => state === row.state)
  const active = (await sent(id)).filter(({ state }) => activeAssignmentStates.some((item) => item === state))
  if (!isOpen) expect(active).toEqual([])
  if (row.state === 'CLOSED') expect([row.disposition, row.fedBackAt, row.closedAt]).not.toContain(null)
  expect(row.version).toBeGreaterThanOrEqual(before.version)
  expect(row.mergedIntoId !== null).toBe(row.state === 'MERGED')
  if (row.state === 'RECEIVED') expect(active).toEqual([])
  // From the dispatch on, each step of a unit implies the ones before.
  const stamps = stampNames.map((name) => row[name]?.getTime() ?? null)
  const reached = stamps.filter((at) => at !== null)
  expect(stamps.slice(0, reached.length), 'no gap').toEqual(reached.toSorted((a, b) => a - b))
}

/** Each line of the timeline starts in the state where the one before ended, and is in the table. */
const checkLog = async (id: number): Promise<void> => {
  const log = await world.all
    .selectFrom('policeSituationLog')
    .select(['verb', 'fromState', 'toState'])
    .where('situationId', '=', id)
    .orderBy('id')
    .execute()
  const moves = log.filter(({ verb, fromState }) => fromState !== null && verb in situationMachine)
  for (const { verb, fromState, toState } of moves) {
    const { from, to } = situationRule(verb as SituationVerb)
    expect(from, `${verb} from ${fromState}`).toContain(fromState as SituationState)
    expect(toState).toBe(to === 'same' ? fromState : to)
  }
}

const handedOver = async (): Promise<{ id: number; recordId: number }> => {
  const { deptId, id: schoolId } = world.first
  const record = await makeRecord(world.db, { deptId, schoolId, state: 'HANDLING', ownerId: world.wang.userId })
  await call('escalate')(world.db, world.wang, record)
  const found = await findOfRecord(world.db, (people[1] as Caller).actor, record.id)
  return { id: found?.id ?? 0, recordId: record.id }
}

const checkAlarm = async (id: number, recordId: number): Promise<void> => {
  const ended = await world.all
    .selectFrom('warnLog')
    .select(['verb', 'toState'])
    .where('recordId', '=', recordId)
    .where('toState', '=', 'RESOLVED')
    .where('fromState', '!=', 'RESOLVED')
    .execute()
  const { state, warnRecordId } = await stored(id)
  expect(ended.length).toBeLessThanOrEqual(1)
  if (state === 'CLOSED' && warnRecordId !== null) expect(ended).toHaveLength(1)
}

it('stays within the table and ends the alarm once for any sequence of verbs and steps, several at once', async () => {
  const round = fc.array(act, { minLength: 1, maxLength: 3 })
  const desk = people[0] as Caller
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 4, maxLength: 12 }), async (rounds) => {
      const { id, recordId } = await handedOver()
      const draft = { source: 'PHONE_110', category: 'HELP', grade: 2, summary: '另一件', schoolId: world.first.id }
      const into = await createSituation(world.db, draft as Parameters<typeof createSituation>[1], desk)
      for (const acts of rounds) {
        const before = await stored(id)
        await Promise.all(acts.map((act) => perform(id, into, act as Act)))
        await checkRow(id, before)
      }
      await checkLog(id)
      await checkAlarm(id, recordId)
    }),
    { numRuns: sampleSize(15) },
  )
  expect((await verifyLog(world.db)).broken).toBeUndefined()
}, 120_000)

type MergeAct =
  | { of: number; into: number; act: Act }
  | { of: number; verb: Tried; unit: number }
  | { handle: number; unit: number }
  | { again: number }

const one = fc.nat(2)
const mergeAct = fc.oneof(
  { weight: 4, arbitrary: fc.record({ of: one, into: one, act }) },
  { weight: 3, arbitrary: fc.record({ of: one, into: one, act: fc.constant({ verb: 'merge', by: 0, unit: 0 }) }) },
  { weight: 2, arbitrary: fc.record({ of: one, verb: fc.constantFrom('reject', 'cancel', 'unmerge'), unit: one }) },
  { weight: 3, arbitrary: fc.record({ handle: one, unit: one }) },
  { weight: 3, arbitrary: fc.record({ again: fc.nat(1) }) },
) as fc.Arbitrary<MergeAct>

const performOn = (ids: readonly number[], records: readonly number[], act: MergeAct): Promise<void> => {
  const at = (index: number) => ids[index] ?? 0
  if ('again' in act) return handOver(records[act.again] ?? 0)
  if ('handle' in act) return handle(at(act.handle), act.unit)
  if ('verb' in act) return perform(at(act.of), 0, { verb: act.verb, by: 0, unit: act.unit })
  return perform(at(act.of), at(act.into), act.act)
}

const mergeFirst: MergeAct[] = [{ of: 0, into: 1, act: { verb: 'merge', by: 0, unit: 0 } }]
/** Rounds that chance rarely produces: handed over again after the other one ended, merged with a unit on the scene. */
const known: MergeAct[][][] = [
  [mergeFirst, [{ handle: 1, unit: 0 }], [{ again: 0 }], [{ handle: 0, unit: 1 }]],
  [
    [{ of: 0, into: 1, act: { verb: 'dispatch', by: 0, unit: 0 } }],
    [{ of: 0, into: 1, act: { step: 'arrive', by: 0, at: 0 } }],
    mergeFirst,
  ],
]

/** An alarm that is with the police is on a desk: by its own incident, or by the one that it was merged into. */
const checkNotLost = async (recordId: number): Promise<void> => {
  const { state } = await world.all
    .selectFrom('warnRecord')
    .select('state')
    .where('id', '=', recordId)
    .executeTakeFirstOrThrow()
  if (state !== 'ESCALATED') return
  const own = await world.all
    .selectFrom('policeSituation')
    .selectAll()
    .where('warnRecordId', '=', recordId)
    .executeTakeFirstOrThrow()
  const working = own.mergedIntoId === null ? own : await stored(own.mergedIntoId)
  expect(openSituationStates, `${own.state} ${working.state}`).toContain(working.state)
}

it('keeps every alarm of merged incidents on a desk for any sequence of merges, ends and hand-overs again', async () => {
  const rounds = fc.array(fc.array(mergeAct, { minLength: 1, maxLength: 2 }), { minLength: 4, maxLength: 10 })
  const desk = people[0] as Caller
  await fc.assert(
    fc.asyncProperty(rounds, async (rounds) => {
      const alarms = [await handedOver(), await handedOver()]
      const draft = { source: 'PHONE_110', category: 'HELP', grade: 2, summary: '另一件', schoolId: world.first.id }
      const third = await createSituation(world.db, draft as Parameters<typeof createSituation>[1], desk)
      const ids = [...alarms.map(({ id }) => id), third]
      const records = alarms.map(({ recordId }) => recordId)
      for (const acts of rounds) {
        const before = await Promise.all(ids.map(stored))
        await Promise.all(acts.map((act) => performOn(ids, records, act)))
        for (const row of before) await checkRow(row.id, row)
        for (const recordId of records) await checkNotLost(recordId)
      }
      for (const id of ids) await checkLog(id)
    }),
    { numRuns: sampleSize(15), examples: known.map((rounds): [MergeAct[][]] => [rounds]) },
  )
  expect((await verifyLog(world.db)).broken).toBeUndefined()
}, 120_000)
