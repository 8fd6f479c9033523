import {
  activeAssignmentStates,
  assignmentMachine,
  type ResponderVerb,
} from '@tocsin/contract/alarm/assignment-machine'
import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedSystem } from '#areas/access/seed/seed'
import { dispatch, sendMore } from '#areas/alarm/verb/handle'
import { release, claim } from '#areas/alarm/verb/claim'
import { resolve } from '#areas/alarm/verb/resolve'
import { verifyLog } from '#areas/alarm/verify-chain'
import type { Row } from '#db/tables'
import type { Actor } from '#http/route'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { makeUser } from '../../../../seed/fixtures.ts'
import { verbError } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture, session } from '../../../../test/alarm-fixture.ts'
import { advanceAssignment } from './advance.ts'
import { assignmentTimerHandlers } from './assignment-timers.ts'
import { ASSIGNMENT_TIMER } from './create-assignments.ts'
import { endAssignmentsWithRecord } from './end-with-record.ts'
import { goToRecord } from './go.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

// Any steps by any user, several at once, with claims, releases, timers and the end of the record between them: no
// assignment leaves the table of F2, its stamps are written once and in order, and the log of the record is complete.

let world: AlarmFixture
let guards: Actor[]
const PERMISSIONS = new Set([
  'warn:task:query',
  'warn:task:update',
  'warn:record:query',
  'warn:record:claim',
  'warn:record:dispatch',
])

useTransactionHooks([endAssignmentsWithRecord])
beforeAll(async () => {
  world = await openAlarmFixture(12)
  await seedSystem(world.db, 'Maple-river-42')
  guards = await Promise.all(
    ['ma', 'du'].map(async (name): Promise<Actor> => {
      const { deptId, id } = world.first
      const user = await makeUser(world.db, { username: name, nickname: name, deptId, roles: ['guard'] })
      const sessionId = await session(world.db, user.id)
      const sight = { deptId, depts: [deptId], schools: [id] }
      return { ...sight, userId: user.id, sessionId, username: name, nickname: name, permissions: PERMISSIONS }
    }),
  )
})
afterAll(() => world.end())

const verbs = Object.keys(assignmentMachine).filter((verb) => verb !== 'timeOut') as (ResponderVerb | 'recall')[]
const act = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ verb: fc.constantFrom(...verbs), by: fc.nat(3), at: fc.nat(3), again: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ send: fc.constantFrom('dispatch', 'sendMore', 'go'), by: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ own: fc.constantFrom('claim', 'release', 'resolve') }) },
  { weight: 2, arbitrary: fc.record({ timer: fc.constantFrom('RECEIPT', 'TIMEOUT'), at: fc.nat(3) }) },
)
type Act =
  | { verb: ResponderVerb | 'recall'; by: number; at: number; again: boolean }
  | { send: string; by: number }
  | { own: string }
  | { timer: string; at: number }

const origin = { ip: '127.0.0.1', userAgent: 'test', traceId: 't' }
const listed = (recordId: number): Promise<Row<'assignment'>[]> =>
  world.all.selectFrom('assignment').selectAll().where('recordId', '=', recordId).orderBy('id').execute()
const people = () => [
  ...guards,
  { ...world.wang, permissions: new Set([...world.wang.permissions, 'warn:task:update']) },
  world.stranger,
]

const perform = async (recordId: number, act: Act): Promise<unknown> => {
  const record = await world.all
    .selectFrom('warnRecord')
    .selectAll()
    .where('id', '=', recordId)
    .executeTakeFirstOrThrow()
  const on = { id: recordId, version: record.version }
  if ('own' in act) {
    if (act.own === 'claim') return verbError(claim(world.db, world.wang, on))
    if (act.own === 'release') return verbError(release(world.db, world.wang, on))
    return verbError(resolve(world.db, world.wang, { ...on, disposition: 'REAL_HANDLED', note: 'x' }))
  }
  const guard = guards[Number('by' in act && act.by) % 2] as Actor
  if ('send' in act) {
    if (act.send === 'go')
      return verbError(goToRecord(world.db, { actor: guard, origin }, { recordId, stepKey: randomUUID() }))
    const send = act.send === 'dispatch' ? dispatch : sendMore
    return verbError(send(world.db, world.wang, { ...on, responderIds: [guard.userId] }))
  }
  const rows = await listed(recordId)
  const target = rows[act.at % Math.max(1, rows.length)]
  if (!target) return undefined
  if ('timer' in act)
    return world.db.transaction().execute(async (trx) => {
      const key = { kind: ASSIGNMENT_TIMER, subjectId: target.id, step: act.timer, epoch: 1 }
      if ((await assignmentTimerHandlers.assignment.lock?.(trx, [target.id], true))?.length)
        await assignmentTimerHandlers.assignment.execute(trx, [key])
    })
  const caller = { actor: people()[act.by] as Actor, origin }
  const input = { id: target.id, stepKey: randomUUID(), reason: 'FAR' as const, note: null }
  const step = () => verbError(advanceAssignment(world.db, caller, { verb: act.verb, input }))
  return act.again ? Promise.all([step(), step()]) : step()
}

const check = async (recordId: number, before: ReadonlyMap<number, Row<'assignment'>>) => {
  const rows = await listed(recordId)
  const active = rows.filter(({ state }) => activeAssignmentStates.some((item) => item === state))
  expect(new Set(active.map(({ responderUserId }) => responderUserId)).size).toBe(active.length)
  for (const row of rows) {
    const earlier = before.get(row.id)
    const stamps = [row.assignedAt, row.receivedAt, row.departedAt, row.arrivedAt].flatMap((at) => at?.getTime() ?? [])
    expect(stamps).toEqual(stamps.toSorted((a, b) => a - b))
    for (const name of ['receivedAt', 'departedAt', 'arrivedAt', 'supportAt'] as const)
      if (earlier?.[name]) expect(row[name]).toEqual(earlier[name])
    const isFinal = earlier && ['CLEARED', 'DECLINED', 'RECALLED'].includes(earlier.state)
    if (isFinal) expect(row.state).toBe(earlier.state)
    if (row.state === 'ON_SCENE' || (row.state === 'CLEARED' && row.arrivedAt)) expect(row.arrivedAt).not.toBeNull()
  }
  const record = await world.all
    .selectFrom('warnRecord')
    .selectAll()
    .where('id', '=', recordId)
    .executeTakeFirstOrThrow()
  const arrived = rows.flatMap(({ arrivedAt }) => arrivedAt ?? [])
  if (arrived.length > 0) expect(record.onSiteAt).not.toBeNull()
  if (!record.open) expect(active).toEqual([])
  const applied = await world.db
    .selectFrom('assignmentStep')
    .select('verb')
    .where('assignmentId', 'in', [0, ...rows.map(({ id }) => id)])
    .execute()
  const log = await world.all.selectFrom('warnLog').select('verb').where('recordId', '=', recordId).execute()
  for (const verb of verbs.filter((verb) => verb !== 'depart'))
    expect(log.filter((entry) => entry.verb === verb).length, verb).toBe(
      applied.filter((item) => item.verb === verb).length,
    )
}

it('stays within the table and keeps one log for any sequence of steps, several at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(act, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 12 }),
      async (rounds) => {
        const record = await makeRecord(world.db, {
          deptId: world.first.deptId,
          schoolId: world.first.id,
          class: 'INTRUSION',
          level: 2,
          validation: 2,
        })
        await dispatch(world.db, world.wang, { ...record, responderIds: guards.map(({ userId }) => userId) })
        for (const round of rounds) {
          const before = new Map((await listed(record.id)).map((row) => [row.id, row]))
          await Promise.all(round.map((item) => perform(record.id, item)))
          await check(record.id, before)
        }
      },
    ),
    { numRuns: sampleSize(15) },
  )
  expect((await verifyLog(world.db)).broken).toBeUndefined()
}, 120_000)
