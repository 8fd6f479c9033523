import { suggestResponder } from '@tocsin/contract/alarm/assignment'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedSystem } from '#areas/access/seed/seed'
import { dispatch, sendMore } from '#areas/alarm/verb/handle'
import type { Actor, Caller } from '#http/route'
import { makeUser } from '../../../../seed/fixtures.ts'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { type AlarmFixture, openAlarmFixture, session } from '../../../../test/alarm-fixture.ts'
import { advanceAssignment } from './advance.ts'
import { listAssignments } from './assignment-rows.ts'
import { setDuty } from './duty.ts'
import { listResponders } from './responders.ts'

let world: AlarmFixture
let ma: Actor
let du: Actor

const caller = (actor: Actor): Caller => ({ actor, origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 't' } })
/** A guard of the first school, on duty. */
const guard = async (username: string): Promise<Actor> => {
  const { id: schoolId, deptId } = world.first
  const { id: userId } = await makeUser(world.db, { username, nickname: username, deptId, roles: ['guard'] })
  const permissions = new Set(['warn:task:query', 'warn:task:update'])
  const sight = { deptId, depts: [deptId], schools: [schoolId] }
  const actor = { ...sight, userId, sessionId: await session(world.db, userId), username, nickname: username }
  await setDuty(world.db, caller({ ...actor, permissions }), { onDuty: true })
  return { ...actor, permissions }
}

beforeAll(async () => {
  world = await openAlarmFixture()
  await seedSystem(world.db, 'Maple-river-42')
  ma = await guard('ma')
  du = await guard('du')
})
afterAll(() => world.end())

const list = (recordId: number) => listResponders(world.db, world.wang, recordId)
const raised = () => {
  const { id: schoolId, deptId } = world.first
  return makeRecord(world.db, { deptId, schoolId, level: 2, class: 'INTRUSION' })
}
const sendTo = async (record: { id: number; version: number }, { userId }: Actor) => {
  await dispatch(world.db, world.wang, { ...record, responderIds: [userId] })
  return (await listAssignments(world.db, world.wang, record.id))[0]?.id ?? 0
}
const step = (actor: Actor, id: number, verb: 'arrive' | 'clear' | 'decline') =>
  advanceAssignment(world.db, caller(actor), { verb, input: { id, stepKey: randomUUID(), reason: 'BUSY' } })

describe('the suggested responder', () => {
  it('is another person when the first declined or did not answer, and nobody when both did', async () => {
    for (const earlier of [await raised(), await raised()]) {
      const id = await sendTo(earlier, du)
      for (const verb of ['arrive', 'clear'] as const) await step(du, id, verb)
    }
    const record = await raised()
    expect(suggestResponder(await list(record.id))?.name).toBe('ma')
    const first = await sendTo(record, ma)
    await step(ma, first, 'decline')
    const declined = await list(record.id)
    expect(declined.map(({ name, missed, isHere }) => [name, missed, isHere])).toEqual([
      ['du', null, false],
      ['ma', 'DECLINED', false],
    ])
    expect(suggestResponder(declined)?.name).toBe('du')
    const { version } = await world.all
      .selectFrom('warnRecord')
      .select('version')
      .where('id', '=', record.id)
      .executeTakeFirstOrThrow()
    await sendMore(world.db, world.wang, { id: record.id, version, responderIds: [du.userId] })
    await world.all
      .updateTable('assignment')
      .set({ state: 'TIMED_OUT' })
      .where('recordId', '=', record.id)
      .where('responderUserId', '=', du.userId)
      .execute()
    const both = await list(record.id)
    expect(both.map(({ missed }) => missed).toSorted()).toEqual(['DECLINED', 'TIMED_OUT'])
    expect(suggestResponder(both)).toBeUndefined()
    expect(suggestResponder(await list((await raised()).id))).toBeDefined()
  })
})
