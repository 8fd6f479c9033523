import { codes } from '@tocsin/contract/codes'
import { situationTracks } from '@tocsin/contract/police/situation-track'
import { situationMachine } from '@tocsin/contract/police/situation-machine'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedSystem } from '#areas/access/seed/seed'
import type { Caller } from '#http/route'
import { verbError } from '../../../../test/alarm-verbs.ts'
import { lead, type AlarmFixture, openAlarmFixture, person } from '../../../../test/alarm-fixture.ts'
import { createSituation } from './create.ts'
import { listSituationTracks } from './list-situation-tracks.ts'
import { getSituation } from './reads.ts'
import { dispatchUnits, recallFrom } from './verbs.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'

let world: AlarmFixture
let desk: Caller

const POLICE = new Set([
  ...lead,
  'police:situation:query',
  ...Object.values(situationMachine).flatMap(({ permission }) => permission || []),
])

useTransactionHooks()
beforeAll(async () => {
  world = await openAlarmFixture()
  await seedSystem(world.db, 'Maple-river-42')
  const sight = { deptId: world.station, depts: [world.station, world.first.deptId], schools: [world.first.id] }
  const actor = await person(world.db, 'desk', sight, POLICE)
  desk = { actor, origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 't' } }
})
afterAll(() => world.end())

const read = (id: number) => getSituation(world.db, desk, id)
const on = async (id: number) => ({ id, version: (await read(id)).version })
const byHand = async () => {
  const draft = { source: 'PHONE_110', category: 'HELP', grade: 2, summary: '有人受伤' } as const
  return createSituation(world.db, { ...draft, schoolId: world.first.id }, desk)
}
const unit = () =>
  world.all
    .insertInto('policeUnit')
    .values({ deptId: world.station, name: randomUUID().slice(0, 8), type: 'CAR', onDuty: true })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()

describe('units of an incident', () => {
  it('are recalled with a reason in the timeline', async () => {
    const id = await byHand()
    const car = await unit()
    await dispatchUnits(world.db, desk, { ...(await on(id)), unitIds: [car.id] })
    const [sent] = (await read(id)).units
    await recallFrom(world.db, desk, { ...(await on(id)), assignmentId: sent?.id ?? 0, reason: '不需要' })
    const after = await read(id)
    expect(after.units[0]?.state).toBe('RECALLED')
    expect(after.log[0]).toMatchObject({ verb: 'recall', unitName: car.name, text: '不需要' })
    expect(after.log.filter(({ unitName }) => unitName === car.name)).toHaveLength(2)
  })

  it('reach the last resort when the last answered one is recalled after two minutes, not while another goes', async () => {
    const id = await byHand()
    const cars = [await unit(), await unit()]
    const at = sql<Date>`date_trunc('milliseconds', now()) - interval '130 seconds'`
    const common = { situationId: id, schoolId: world.first.id, deptId: world.station, byUserId: desk.actor.userId }
    const answered = { ...common, state: 'RECEIVED' as const, assignedAt: at, receivedAt: at }
    const rows = await world.all
      .insertInto('assignment')
      .values(cars.map((car) => ({ ...answered, unitId: car.id, responderName: car.name })))
      .returning('id')
      .execute()
    const sent = rows.map((row) => row.id)
    const titles = async () => {
      const found = await world.all
        .selectFrom('delivery')
        .select('title')
        .where('subjectType', '=', 'ASSIGNMENT')
        .where('subjectId', 'in', sent)
        .execute()
      return [...new Set(found.map(({ title }) => title))].filter((title) => title.endsWith('无人前往'))
    }
    await recallFrom(world.db, desk, { ...(await on(id)), assignmentId: sent[0] ?? 0, reason: '另有任务' })
    expect(await titles()).toEqual([])
    await recallFrom(world.db, desk, { ...(await on(id)), assignmentId: sent[1] ?? 0, reason: '另有任务' })
    expect(await titles()).toEqual([`${cars[1]?.name} 被撤回，无人前往`])
  })

  it('have tracks for users who see the incident, audited once per reader and hour', async () => {
    const id = await byHand()
    await dispatchUnits(world.db, desk, { ...(await on(id)), unitIds: [(await unit()).id] })
    const assignmentId = (await read(id)).units[0]?.id ?? 0
    expect(await listSituationTracks(world.db, desk, id)).toEqual([])
    const at = { assignmentId, byUserId: desk.actor.userId, lng: 102.7, lat: 25.1, accuracyM: 8, at: new Date() }
    await world.all.insertInto('assignmentPosition').values(at).execute()
    const readers = () =>
      world.all
        .selectFrom('auditLog')
        .select('id')
        .where('action', '=', situationTracks.list.permission)
        .where('userId', '=', desk.actor.userId)
        .execute()
    const [track] = await listSituationTracks(world.db, desk, id)
    expect(track).toMatchObject({ assignmentId, state: 'ASSIGNED', points: [{ lng: 102.7, accuracyM: 8 }] })
    await listSituationTracks(world.db, desk, id)
    expect(await readers()).toHaveLength(1)
    await world.db
      .updateTable('situationTrackView')
      .set({ auditedAt: sql<Date>`now() - interval '61 minutes'` })
      .execute()
    await listSituationTracks(world.db, desk, id)
    expect(await readers()).toHaveLength(2)
    const stranger = { ...desk, actor: world.stranger }
    expect((await verbError(listSituationTracks(world.db, stranger, id)))?.code).toBe(codes.notFound.code)
  })
})
