import { situationMachine } from '@tocsin/contract/police/situation-machine'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedSystem } from '#areas/access/seed/seed'
import { advanceAssignment } from '#areas/alarm/assignment/advance'
import type { Actor, Caller } from '#http/route'
import { runDueTimers } from '#timer/scheduler'
import { makeDept } from '../../../../seed/fixtures.ts'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { type AlarmFixture, lead, openAlarmFixture, person } from '../../../../test/alarm-fixture.ts'
import { call } from '../../../../test/alarm-verbs.ts'
import { quietLog } from '../../../../test/quiet-log.ts'
import { findOfRecord, getSituation } from './reads.ts'
import { situationTimerHandlers } from './timers.ts'
import {
  addSituationNote,
  claimSituation,
  closeSituation,
  dispatchUnits,
  feedBack,
  reopenSituation,
  returnToSchool,
} from './verbs.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'

let world: AlarmFixture
let desk: Caller
let command: Caller

const POLICE = new Set([
  ...lead,
  'police:situation:query',
  ...Object.values(situationMachine).flatMap(({ permission }) => permission || []),
  'warn:task:update',
])
const withRole = async (username: string, code: string, sight: Pick<Actor, 'deptId' | 'depts' | 'schools'>) => {
  const actor = await person(world.db, username, sight, POLICE)
  const { id } = await world.db.selectFrom('role').select('id').where('code', '=', code).executeTakeFirstOrThrow()
  await world.db.insertInto('userRole').values({ userId: actor.userId, roleId: id }).execute()
  return { actor, origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 't' } }
}

useTransactionHooks()
beforeAll(async () => {
  world = await openAlarmFixture(10)
  await seedSystem(world.db, 'Maple-river-42')
  const station = { deptId: world.station, depts: [world.station], schools: [world.first.id] }
  desk = await withRole('desk', 'station_desk', station)
  const centre = (await makeDept(world.db, { kind: 'COMMAND_CENTER', name: 'Centre' })).id
  command = await withRole('command', 'shift_lead', { deptId: centre, depts: 'all', schools: 'all' })
  await world.all
    .insertInto('policeStation')
    .values({ deptId: world.station, arriveUrbanMin: 5 })
    .onConflict((conflict) => conflict.column('deptId').doUpdateSet({ arriveUrbanMin: 5 }))
    .execute()
})
afterAll(() => world.end())

const read = (id: number) => getSituation(world.db, command, id)
const on = async (id: number) => ({ id, version: (await read(id)).version })
const handedOver = async () => {
  const place = { deptId: world.first.deptId, schoolId: world.first.id }
  const record = await makeRecord(world.db, { ...place, state: 'HANDLING', ownerId: world.wang.userId })
  await call('escalate')(world.db, world.wang, record)
  const found = await findOfRecord(world.db, command.actor, record.id)
  return { recordId: record.id, id: found?.id ?? 0 }
}
const handOverAgain = async (recordId: number) => {
  const stored = await world.all
    .selectFrom('warnRecord')
    .selectAll()
    .where('id', '=', recordId)
    .executeTakeFirstOrThrow()
  await call('escalate')(world.db, world.wang, stored)
}
const send = async (id: number) => {
  const unit = await world.all
    .insertInto('policeUnit')
    .values({ deptId: world.station, name: randomUUID().slice(0, 8), type: 'CAR', onDuty: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await dispatchUnits(world.db, desk, { ...(await on(id)), unitIds: [unit.id] })
  return (await read(id)).units.at(-1)?.id ?? 0
}
const step = (id: number, verb: 'receive' | 'depart' | 'arrive' | 'clear') =>
  advanceAssignment(world.db, desk, { verb, input: { id, stepKey: randomUUID() } })

const stamps = 'received claimed dispatched signed departed arrived fed_back closed'.split(' ')
/** Lets time pass for an incident: its stamps and timers move into the past. */
const pass = async (id: number, seconds: number) => {
  const by = sql`make_interval(secs => ${seconds})`
  const columns = [...stamps.map((name) => `${name}_at`), 'limits_from'].map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(name)} - ${by}`,
  )
  await sql`update police_situation set ${sql.join(columns)} where id = ${id}`.execute(world.db)
  await sql`update assignment set received_at = received_at - ${by}, arrived_at = arrived_at - ${by}
    where situation_id = ${id}`.execute(world.db)
  await sql`update timer set due_at = due_at - ${by} where kind = 'situation' and subject_id = ${id}`.execute(world.db)
}
const turn = () =>
  runDueTimers({ db: world.db, handlers: situationTimerHandlers, log: quietLog }, new AbortController().signal)
const overdue = async (id: number) =>
  (await read(id)).log.filter(({ verb }) => verb.startsWith('overdue')).map(({ verb }) => verb)
const told = async (id: number, title: string) =>
  (
    await world.all
      .selectFrom('delivery')
      .select('userId')
      .where('subjectType', '=', 'SITUATION')
      .where('subjectId', '=', id)
      .where('title', 'like', `${title}%`)
      .orderBy('userId')
      .execute()
  ).map(({ userId }) => userId)

describe('a limit that passes', () => {
  it('tells station and command centre once on two nodes when nobody claims', async () => {
    const { id } = await handedOver()
    await turn()
    expect(await overdue(id)).toEqual([])
    await pass(id, 31)
    await Promise.all([turn(), turn()])
    await addSituationNote(world.db, desk, { ...(await on(id)), text: '正在联系' })
    await turn()
    expect(await overdue(id)).toEqual(['overdueCLAIM'])
    expect(await told(id, '接警超时')).toEqual([desk.actor.userId, command.actor.userId])
  })

  it('tells the station once for each further step, and nobody when the step is taken in time', async () => {
    const { id } = await handedOver()
    await claimSituation(world.db, desk, await on(id))
    await pass(id, 61)
    await turn()
    const sent = await send(id)
    await step(sent, 'receive')
    await pass(id, 181)
    await turn()
    await step(sent, 'depart')
    await pass(id, 121)
    await turn()
    await step(sent, 'arrive')
    await pass(id, 60)
    await turn()
    expect((await overdue(id)).toReversed()).toEqual(['overdueDISPATCH', 'overdueDEPART', 'overdueARRIVE'])
    expect(await told(id, '派警超时')).toEqual([desk.actor.userId])
    await pass(id, 1800)
    await turn()
    await feedBack(world.db, desk, { ...(await on(id)), text: '已控制' })
    await pass(id, 86_400)
    await turn()
    await turn()
    expect((await overdue(id)).toReversed().slice(3)).toEqual(['overdueFEEDBACK', 'overdueCLOSE'])
  })
})

describe('limits of an incident that comes back', () => {
  const left = async (id: number) => {
    const { dueStep, dueAt } = await read(id)
    return [dueStep, Math.round((Number(dueAt) - Date.now()) / 10_000) * 10]
  }

  it('start again at each step when the school hands the alarm over once more', async () => {
    const { id, recordId } = await handedOver()
    const first = await send(id)
    await step(first, 'arrive')
    await pass(id, 3600)
    await returnToSchool(world.db, desk, { ...(await on(id)), reason: '误报' })
    await handOverAgain(recordId)
    expect(await left(id)).toEqual(['CLAIM', 30])
    await pass(id, 20)
    await claimSituation(world.db, desk, await on(id))
    expect(await left(id)).toEqual(['DISPATCH', 60])
    await pass(id, 30)
    const second = await send(id)
    expect(await left(id)).toEqual(['SIGN', 30])
    await step(second, 'receive')
    expect(await left(id)).toEqual(['DEPART', 180])
    await step(second, 'depart')
    expect(await left(id)).toEqual(['ARRIVE', 300])
    await step(second, 'arrive')
    expect(await left(id)).toEqual(['FEEDBACK', 1800])
    await turn()
    expect(await overdue(id)).toEqual([])
  })

  it('leave half an hour for a report when it is reopened', async () => {
    const { id } = await handedOver()
    const sent = await send(id)
    for (const verb of ['arrive', 'clear'] as const) await step(sent, verb)
    await feedBack(world.db, desk, { ...(await on(id)), text: '已控制' })
    const closing = { category: 'SECURITY', disposition: 'RESOLVED_ON_SCENE', result: '已处置' } as const
    await closeSituation(world.db, desk, { ...(await on(id)), ...closing })
    await pass(id, 86_000)
    await reopenSituation(world.db, command, { ...(await on(id)), reason: '复查' })
    expect(await left(id)).toEqual(['FEEDBACK', 1800])
    await turn()
    expect(await overdue(id)).toEqual([])
  })
})
