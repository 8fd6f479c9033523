import { situationMachine } from '@tocsin/contract/police/situation-machine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedSystem } from '#areas/access/seed/seed'
import { listUnread } from '#areas/notify/receipt'
import type { Actor, Caller } from '#http/route'
import { makeDept } from '../../../../seed/fixtures.ts'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { type AlarmFixture, lead, openAlarmFixture, person } from '../../../../test/alarm-fixture.ts'
import { call } from '../../../../test/alarm-verbs.ts'
import { createSituation } from '../situation/create.ts'
import { transferSituation } from '../situation/pass-on.ts'
import { findOfRecord, getSituation } from '../situation/reads.ts'
import { claimSituation, returnToSchool } from '../situation/verbs.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'

let world: AlarmFixture
let desk: Caller
let partner: Caller
let officer: Caller
let command: Caller
let west: Caller
let westDept: number

const POLICE = new Set([
  ...lead,
  'police:situation:query',
  ...Object.values(situationMachine).flatMap(({ permission }) => permission || []),
])

/** A signed-in user with a seeded role. */
const withRole = async (username: string, role: string, sight: Pick<Actor, 'deptId' | 'depts' | 'schools'>) => {
  const actor = await person(world.db, username, sight, POLICE)
  const { id } = await world.db.selectFrom('role').select('id').where('code', '=', role).executeTakeFirstOrThrow()
  await world.db.insertInto('userRole').values({ userId: actor.userId, roleId: id }).execute()
  return { actor, origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 't' } }
}

useTransactionHooks()
beforeAll(async () => {
  world = await openAlarmFixture()
  await seedSystem(world.db, 'Maple-river-42')
  const station = { deptId: world.station, depts: [world.station], schools: [world.first.id] }
  desk = await withRole('desk', 'station_desk', station)
  partner = await withRole('partner', 'station_desk', station)
  officer = await withRole('officer', 'officer', station)
  const centre = (await makeDept(world.db, { kind: 'COMMAND_CENTER', name: 'Centre' })).id
  command = await withRole('command', 'command_operator', { deptId: centre, depts: 'all', schools: 'all' })
  westDept = (await makeDept(world.db, { kind: 'POLICE_STATION', name: 'West' })).id
  west = await withRole('west', 'station_desk', { deptId: westDept, depts: [westDept], schools: [] })
})
afterAll(() => world.end())

const unread = async ({ actor }: Caller, id: number) =>
  (await listUnread(world.db, actor)).filter((row) => row.subjectType === 'SITUATION' && row.subjectId === id)
const titles = async (caller: Caller, id: number) => (await unread(caller, id)).map(({ title }) => title)
const on = async (id: number) => ({ id, version: (await getSituation(world.db, command, id)).version })
const handedOver = async () => {
  const place = { deptId: world.first.deptId, schoolId: world.first.id }
  const record = await makeRecord(world.db, { ...place, state: 'HANDLING', ownerId: world.wang.userId })
  await call('escalate')(world.db, world.wang, record)
  const found = await findOfRecord(world.db, command.actor, record.id)
  return { recordId: record.id, id: found?.id ?? 0, level: record.level }
}
const atSchool = async (verb: 'escalate' | 'returned', recordId: number) => {
  const record = await world.all
    .selectFrom('warnRecord')
    .selectAll()
    .where('id', '=', recordId)
    .executeTakeFirstOrThrow()
  await call(verb)(world.db, world.wang, record)
}
const callOf110 = (by: Caller, more: object = {}) =>
  createSituation(
    world.db,
    { source: 'PHONE_110', category: 'HELP', grade: 2, summary: '有人受伤', schoolId: world.first.id, ...more },
    by,
  )
const againEvents = (id: number) =>
  world.db.selectFrom('event').select('deptId').where('type', '=', 'situation.again').where('ref', '=', id).execute()

describe('the message about an incident', () => {
  it('reaches those of the station who may claim, and nobody else, when an alarm is handed over', async () => {
    const { id, level } = await handedOver()
    const [message, ...more] = await unread(desk, id)
    expect(more).toEqual([])
    expect(message).toMatchObject({ level, link: `/police/desk?id=${id}` })
    expect(message?.title).toMatch(/^新警单/)
    expect(message?.body).toMatch(/请接警$/)
    expect(await titles(partner, id)).toHaveLength(1)
    for (const other of [officer, command, west]) expect(await titles(other, id)).toEqual([])
  })

  it('ends for everybody, answered for the one who claims, when the incident is claimed', async () => {
    const { id } = await handedOver()
    await claimSituation(world.db, desk, await on(id))
    for (const other of [desk, partner]) expect(await titles(other, id)).toEqual([])
    const rows = await world.all
      .selectFrom('delivery')
      .select(['userId', 'state'])
      .where('subjectType', '=', 'SITUATION')
      .where('subjectId', '=', id)
      .where('userId', '=', desk.actor.userId)
      .execute()
    expect(rows).toEqual([{ userId: desk.actor.userId, state: 'REPLIED' }])
  })

  it('reaches the station but not its author when the command centre enters a call of 110', async () => {
    const id = await callOf110(command)
    expect(await unread(desk, id)).toMatchObject([{ link: `/police/situation/detail/${id}` }])
    expect((await unread(desk, id))[0]?.body).toMatch(/请处置$/)
    expect(await titles(command, id)).toEqual([])
    const own = await callOf110(desk)
    expect([await titles(desk, own), (await titles(partner, own)).length]).toEqual([[], 1])
  })

  it('reaches the other station and leaves the first one when the incident is transferred', async () => {
    const { id } = await handedOver()
    await transferSituation(world.db, desk, { ...(await on(id)), stationDeptId: westDept, reason: '不在辖区' })
    expect(await titles(desk, id)).toEqual([])
    const { linked } = await getSituation(world.db, command, id)
    expect(await titles(west, linked?.id ?? 0)).toEqual([expect.stringMatching(/^移交来的警单/)])
  })

  it('reaches the command centre when the station has nobody who may claim', async () => {
    const empty = (await makeDept(world.db, { kind: 'POLICE_STATION', name: 'Empty' })).id
    const id = await callOf110(desk, { schoolId: null, stationDeptId: empty })
    expect(await titles(command, id)).toHaveLength(1)
    expect(await titles(west, id)).toEqual([])
  })

  it('comes again, with an event that rings, when the school hands the alarm over once more', async () => {
    const { id, recordId } = await handedOver()
    expect(await againEvents(id)).toEqual([])
    await returnToSchool(world.db, desk, { ...(await on(id)), reason: '误报' })
    expect(await titles(partner, id)).toEqual([])
    await atSchool('escalate', recordId)
    expect(await titles(partner, id)).toEqual([expect.stringMatching(/^再次报来的警单/)])
    expect(await againEvents(id)).toEqual([{ deptId: world.station }])
    await claimSituation(world.db, desk, await on(id))
    await atSchool('returned', recordId)
    await atSchool('escalate', recordId)
    expect(await unread(desk, id)).toMatchObject([{ link: `/police/situation/detail/${id}` }])
    expect(await againEvents(id)).toHaveLength(2)
  })
})
