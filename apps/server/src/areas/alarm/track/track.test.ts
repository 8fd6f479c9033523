import { tracks } from '@tocsin/contract/alarm/track'
import { codes } from '@tocsin/contract/codes'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { advanceAssignment } from '#areas/alarm/assignment/advance'
import { listAssignments } from '#areas/alarm/assignment/assignment-rows'
import { seedSystem } from '#areas/access/seed/seed'
import { dispatch } from '#areas/alarm/verb/handle'
import type { Actor, Caller } from '#http/route'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { makeUser } from '../../../../seed/fixtures.ts'
import { verbError } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture, session } from '../../../../test/alarm-fixture.ts'
import { deleteOldPositions } from './delete-positions.ts'
import { listTracks } from './list-tracks.ts'
import { reportPositions } from './report-positions.ts'
import { getSurroundings } from './surroundings.ts'

let fixture: AlarmFixture
let ma: Actor
let du: Actor

const caller = (actor: Actor): Caller => ({ actor, origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 't' } })
const guard = async (name: string): Promise<Actor> => {
  const { first, db } = fixture
  const user = await makeUser(db, { username: name, nickname: name, deptId: first.deptId, roles: ['guard'] })
  const sights = { deptId: first.deptId, depts: [first.deptId], schools: [first.id] }
  const permissions = new Set(['warn:task:query', 'warn:task:update'])
  return {
    ...sights,
    userId: user.id,
    sessionId: await session(db, user.id),
    username: name,
    nickname: name,
    permissions,
  }
}
const sendMa = async () => {
  const { first, wang, db } = fixture
  const record = await makeRecord(db, { deptId: first.deptId, schoolId: first.id, level: 2, class: 'INTRUSION' })
  await dispatch(db, wang, { ...record, responderIds: [ma.userId] })
  const [task] = await listAssignments(db, wang, record.id)
  if (!task) throw new Error('nobody was sent')
  return { recordId: record.id, id: task.id }
}
const at = (ageMs: number) => ({ lng: 102.7 + ageMs / 1e7, lat: 25.1, accuracyM: 12, ageMs })
const report = (actor: Actor, id: number, ...ages: number[]) =>
  reportPositions(fixture.db, caller(actor), { id, points: ages.map(at) })
const countAudits = async (action: string) => {
  const { n } = await fixture.all
    .selectFrom('auditLog')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('action', '=', action)
    .executeTakeFirstOrThrow()
  return n
}

beforeAll(async () => {
  fixture = await openAlarmFixture(6)
  await seedSystem(fixture.db, 'Maple-river-42')
  ma = await guard('ma')
  du = await guard('du')
})
afterAll(() => fixture.end())

describe('the track of a task', () => {
  it('has the points in the order of their measurement, each once, also when a batch is sent again', async () => {
    const { recordId, id } = await sendMa()
    await report(ma, id, 10_000, 30_000, 20_000)
    await report(ma, id, 30_000, 20_000, 10_000, 0)
    const [track] = await listTracks(fixture.db, caller(fixture.wang), recordId)
    expect(track).toMatchObject({ assignmentId: id, name: 'ma', state: 'ASSIGNED' })
    const times = track?.points.map((point) => point.at.getTime()) ?? []
    expect(times).toHaveLength(4)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(track?.points[0]).toMatchObject({ lat: 25.1, accuracyM: 12 })
  })

  it('is written by the person who was sent, and by nobody else', async () => {
    const { recordId, id } = await sendMa()
    for (const other of [du, fixture.wang]) {
      const refused = await verbError(report(other, id, 0))
      expect(refused?.code).toBe(codes.notFound.code)
    }
    expect(await listTracks(fixture.db, caller(fixture.wang), recordId)).toEqual([])
  })

  it('ends with the task', async () => {
    const { recordId, id } = await sendMa()
    await report(ma, id, 0)
    const input = { id, stepKey: randomUUID(), reason: 'BUSY' as const }
    await advanceAssignment(fixture.db, caller(ma), { verb: 'decline', input })
    const refused = await verbError(report(ma, id, 0))
    expect(refused?.code).toBe(codes.assignmentState.code)
    expect((await listTracks(fixture.db, caller(fixture.wang), recordId))[0]?.points).toHaveLength(1)
  })

  it('is hidden from users who do not see the alarm, and needs a permission of its own', async () => {
    const { recordId, id } = await sendMa()
    await report(ma, id, 0)
    const hidden = await verbError(listTracks(fixture.db, caller(fixture.stranger), recordId))
    expect(hidden?.code).toBe(codes.notFound.code)
    const around = await verbError(getSurroundings(fixture.db, fixture.stranger, recordId))
    expect(around?.code).toBe(codes.notFound.code)
    expect(tracks.list.permission).toBe('warn:record:track')
  })

  it('leaves one row in the operation log when the sharing starts, and one per reader and hour', async () => {
    const { recordId, id } = await sendMa()
    const shared = await countAudits('warn:task:track')
    const read = await countAudits('warn:record:track')
    await report(ma, id, 0)
    await fixture.db.updateTable('assignmentPosition').set({ at: sql<Date>`at - interval '10 seconds'` }).execute()
    await report(ma, id, 0)
    expect(await countAudits('warn:task:track')).toBe(shared + 1)
    await listTracks(fixture.db, caller(fixture.wang), recordId)
    await listTracks(fixture.db, caller(fixture.wang), recordId)
    expect(await countAudits('warn:record:track')).toBe(read + 1)
    await listTracks(fixture.db, caller(fixture.zhao), recordId)
    expect(await countAudits('warn:record:track')).toBe(read + 2)
    await fixture.db.updateTable('trackView').set({ auditedAt: sql<Date>`now() - interval '61 minutes'` }).execute()
    await listTracks(fixture.db, caller(fixture.wang), recordId)
    expect(await countAudits('warn:record:track')).toBe(read + 3)
  })

  it('is deleted after 30 days', async () => {
    const { recordId, id } = await sendMa()
    await report(ma, id, 20_000, 0)
    const [first] = await fixture.db
      .selectFrom('assignmentPosition')
      .select('id')
      .where('assignmentId', '=', id)
      .execute()
    await fixture.db
      .updateTable('assignmentPosition')
      .set({ receivedAt: sql<Date>`now() - interval '31 days'` })
      .where('id', '=', first?.id ?? 0)
      .execute()
    await deleteOldPositions(fixture.db)
    expect((await listTracks(fixture.db, caller(fixture.wang), recordId))[0]?.points).toHaveLength(1)
  })
})

describe('the surroundings of an alarm', () => {
  it('have its own position, its school and its station', async () => {
    const { recordId } = await sendMa()
    await fixture.all.updateTable('school').set({ lng: 102.6, lat: 25 }).where('id', '=', fixture.first.id).execute()
    const found = await getSurroundings(fixture.db, fixture.wang, recordId)
    expect(found).toMatchObject({ position: null, school: { name: 'First', lng: 102.6 }, station: { name: 'Station' } })
    await fixture.all.updateTable('warnRecord').set({ lng: 102.61, lat: 25.01 }).where('id', '=', recordId).execute()
    expect((await getSurroundings(fixture.db, fixture.wang, recordId)).position).toEqual({ lng: 102.61, lat: 25.01 })
  })
})
