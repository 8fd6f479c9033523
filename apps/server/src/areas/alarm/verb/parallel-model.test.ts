import { openStates } from '@tocsin/contract/alarm/state-machine'
import { codes } from '@tocsin/contract/codes'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { renewLeases } from '#areas/alarm/record/lease'
import { verifyLog } from '#areas/alarm/verify-chain'
import { constraintError } from '#db/constraint-error'
import type { Row } from '#db/tables'
import { makePress, makeRecord } from '../../../../seed/record-fixtures.ts'
import { calls, type PersonVerb, verbError } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'
import { sampleSize } from '../../../../test/sample-size.ts'
import './routes.ts'

// Several people act on the same few records at the same moment, each on the data read before. In any resulting order:
// invariants 2, 4, 6, 8 and 13 of domain 2.14, and one lease holder at a time.

let fixture: AlarmFixture
const people = ['zhang', 'li', 'wang', 'zhao'] as const
beforeAll(async () => {
  fixture = await openAlarmFixture(8)
  // Possible assignees are read from roles.
  const { id: roleId } = await fixture.db
    .insertInto('role')
    .values({ name: 'all', code: 'super_admin', sort: 0, dataScope: 'ALL', builtIn: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const name of people)
    await fixture.db.insertInto('userRole').values({ userId: fixture[name].userId, roleId }).execute()
})
afterAll(() => fixture.end())

type Record = Row<'warnRecord'>
const RECORDS = 3
const verbs = Object.keys(calls) as PersonVerb[]
const busy = ['claim', 'merge', 'reopen', 'reject', 'escalate', 'reassign'] as const satisfies PersonVerb[]

const act = fc.record({
  verb: fc.oneof(fc.constantFrom(...verbs), fc.constantFrom(...busy)),
  by: fc.constantFrom(...people),
  on: fc.nat(RECORDS - 1),
  into: fc.nat(RECORDS - 1),
  to: fc.constantFrom(...people),
  /** The same request again, from a client that lost the answer. */
  twice: fc.boolean(),
})
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

const read = (ids: readonly number[]): Promise<Record[]> =>
  fixture.all.selectFrom('warnRecord').selectAll().where('id', 'in', ids).orderBy('id').execute()
const logOf = (ids: readonly number[]) =>
  fixture.all.selectFrom('warnLog').selectAll().where('recordId', 'in', ids).orderBy('recordId').orderBy('no').execute()

const perform = async ({ verb, by, on, into, to }: Act, seen: readonly Record[]): Promise<boolean> => {
  const [record, target] = [seen[on], seen[into]]
  if (!record || !target) return false
  const given = { ...record, intoId: target.id, userId: fixture[to].userId }
  try {
    return (await verbError(calls[verb](fixture.db, fixture[by], given))) === undefined
  } catch (error) {
    // The twin is open: an expected error as well, derived from the constraint.
    if (constraintError(error)?.code === codes.openTwin) return false
    throw error
  }
}

/** Invariant 13. */
const checkMerges = (records: readonly Record[]) => {
  const byId = new Map(records.map((record) => [record.id, record]))
  for (const start of records) {
    const seen = new Set<number>()
    for (let at: Record | undefined = start; at; at = byId.get(at.mergedIntoId ?? 0)) {
      expect(seen.has(at.id), 'no merge leads back').toBe(false)
      seen.add(at.id)
      if (at.mergedIntoId === null) continue
      expect(at.open, 'only what ended stands for another').toBe(false)
      expect(byId.has(at.mergedIntoId), 'what it was merged into is there').toBe(true)
    }
  }
}

type Entry = Awaited<ReturnType<typeof logOf>>[number]

const checkRecord = (before: Record, after: Record, log: readonly Entry[]) => {
  expect(after.mode, 'the mode never changes').toBe(before.mode)
  let state: string | null = null
  for (const { fromState, toState } of log) {
    if (state !== null) expect(fromState, 'each change begins where the last one ended').toBe(state)
    state = toState ?? state
  }
  expect(after.state, 'the log ends where the record is').toBe(state)
  const acts = log.filter(({ no, verb }) => no > before.logCount && verb !== 'merged').length
  expect(after.version, 'every act counts once').toBe(before.version + acts)
  expect(after.open).toBe(openStates.some((openState) => openState === after.state))
  expect(after.leaseUntil !== null, 'only a claim has a lease').toBe(after.state === 'CLAIMED')
}

const checkLease = async ({ id, state }: Record) => {
  const held = await Promise.all(people.map((name) => renewLeases(fixture.db, fixture[name], [id])))
  expect(held.flat(), 'one holds the lease of a claim').toEqual(state === 'CLAIMED' ? [id] : [])
}

const unversioned: readonly PersonVerb[] = ['claim', 'take', 'release']

const round = async (ids: readonly number[], acts: readonly Act[]) => {
  const before = await read(ids)
  const all = acts.flatMap((act) => (act.twice ? [act, act] : [act]))
  const done = await Promise.all(all.map((item) => perform(item, before)))
  const after = await read(ids)
  const log = await logOf(ids)
  for (const [n, record] of after.entries()) {
    const was = before[n] as Record
    checkRecord(
      was,
      record,
      log.filter(({ recordId }) => recordId === record.id),
    )
    const decided = all.filter(({ on, verb }, i) => done[i] && on === n && !unversioned.includes(verb))
    expect(decided.length, 'of those who decided on one version one was first').toBeLessThanOrEqual(1)
    await checkLease(record)
  }
  checkMerges(after)
}

/**
 * Three records of one school. The last two share a key, so that only one of them may be open (invariant 2). When both
 * have ended, two people can reopen both at the same moment.
 */
const start = async (bothEnded: boolean) => {
  const at = { deptId: fixture.first.deptId, schoolId: fixture.first.id, class: 'INTRUSION', level: 3 } as const
  const dedupKey = crypto.randomUUID()
  const ended = {
    state: 'CLOSED',
    resolverId: fixture.li.userId,
    closedAt: new Date(),
    resolvedAt: new Date(),
  } as const
  const records = [
    await makeRecord(fixture.db, at),
    await makeRecord(fixture.db, { ...at, ...(bothEnded && ended), dedupKey }),
    await makeRecord(fixture.db, { ...at, ...ended, dedupKey }),
  ]
  for (const record of records) await makePress(fixture.db, record, fixture.buttonId)
  return { ids: records.map(({ id }) => id), dedupKey }
}

const signalsOf = async (ids: readonly number[]) =>
  (await fixture.all.selectFrom('signal').select('recordId').where('recordId', 'in', ids).execute()).length

/** Happens at least once in any run: each verb where it is allowed, by people with and without the permission. */
const met: Act[][] = (['claim', 'reassign', 'merge'] as const).map((verb) => [
  { verb, by: people[0], on: 0, into: 1, to: people[0], twice: true },
  ...people.map((by) => ({ verb: 'reopen' as const, by, on: 1, into: 0, to: by, twice: false })),
])

it('keeps the table and the invariants when people act on the same records at the same moment', {
  timeout: 180_000,
}, async () => {
  const rounds = fc.array(fc.array(act, { minLength: 2, maxLength: 6 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(rounds, fc.boolean(), async (planned, bothEnded) => {
      const { ids, dedupKey } = await start(bothEnded)
      for (const acts of planned) {
        await round(ids, acts)
        const open = (await read(ids)).filter((record) => record.dedupKey === dedupKey && record.open)
        expect(open.length).toBeLessThanOrEqual(1)
      }
      expect(await signalsOf(ids), 'signals stay where they were heard').toBe(ids.length)
    }),
    { numRuns: sampleSize(40), examples: [[met, true]] },
  )
  expect((await verifyLog(fixture.db)).broken).toBeUndefined()
  const said = await fixture.all.selectFrom('warnLog').select('verb').distinct().execute()
  // The runs met each other at the relevant points.
  expect(said.map(({ verb }) => verb)).toEqual(
    expect.arrayContaining(['claim', 'merge', 'merged', 'reopen', 'reassign']),
  )
})
