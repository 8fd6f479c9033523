import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claim } from '#areas/alarm/verb/claim'
import { dispatch } from '#areas/alarm/verb/handle'
import { alarm, type IntakeFixture, openIntakeFixture } from '../../../../test/intake-fixture.ts'
import { seedRules } from '../rule-seed.ts'

let world: IntakeFixture
beforeAll(async () => {
  world = await openIntakeFixture()
  await seedRules(world.db)
})
afterAll(() => world.end())

const outboxOf = (deviceId: number) =>
  world.db.selectFrom('deviceOutbox').selectAll().where('deviceId', '=', deviceId).orderBy('id').execute()

describe('a press on a record that somebody works on', () => {
  it('is accepted like any other, which ends its repeats, and its device is told the stage besides', async () => {
    const deviceId = await world.button()
    const { recordId, recordNo } = await world.say(deviceId, alarm('PANIC', 1))
    await claim(world.db, world.zhang, { id: recordId ?? 0 })
    const again = alarm('PANIC', 2)
    await world.say(deviceId, again)
    const told = (await outboxOf(deviceId)).map(({ key, payload }) => [key, payload] as const)
    const { eventId } = again
    expect(new Map(told).get(eventId)).toEqual({ eventId, stage: 'accepted', recordNo })
    expect(new Map(told).get(`${recordId}.claimed`)).toEqual({ eventId, stage: 'claimed', recordNo })
  })

  it('is accepted and nothing more where the device must stay dark', async () => {
    const deviceId = await world.button()
    const { recordId } = await world.say(deviceId, alarm('PANIC_SILENT', 1))
    await claim(world.db, world.zhang, { id: recordId ?? 0 })
    await world.say(deviceId, alarm('PANIC_SILENT', 2))
    expect(await world.recordsOf(deviceId)).toMatchObject([{ state: 'CLAIMED', silent: true, occurrenceCount: 2 }])
    const told = await outboxOf(deviceId)
    expect(told.map(({ payload }) => Object(payload).stage)).toEqual(['accepted', 'accepted'])
  })
})

describe.each(['CANCEL', 'DURESS_CANCEL'] as const)('a device that said %s', (code) => {
  it('is told nothing of what is done about its record, until it is pressed again', async () => {
    const deviceId = await world.button()
    const { recordId, recordNo } = await world.say(deviceId, alarm('PANIC', 1))
    const claimed = await claim(world.db, world.zhang, { id: recordId ?? 0 })
    await world.say(deviceId, alarm(code, 2))
    const { id, version } = (await world.recordsOf(deviceId))[0] ?? claimed
    const sent = await dispatch(world.db, world.zhang, { id, version, guards: '王保安' })
    const stages = async () => (await outboxOf(deviceId)).map(({ payload }) => Object(payload))
    expect((await stages()).map(({ stage }) => stage).toSorted()).toEqual(['accepted', 'accepted', 'claimed'])
    const again = alarm('PANIC', 3)
    await world.say(deviceId, again)
    expect(await stages()).toContainEqual({ eventId: again.eventId, stage: 'dispatched', recordNo })
    expect(sent.state).toBe('HANDLING')
  })
})
