import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claim } from '#areas/alarm/verb/claim'
import { dispatch } from '#areas/alarm/verb/handle'
import { alarm, event, type IntakeFixture, openIntakeFixture } from '../../../../test/intake-fixture.ts'
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
    const result = (await outboxOf(deviceId)).map(({ key, payload }) => [key, payload] as const)
    const { eventId } = again
    expect(new Map(result).get(eventId)).toEqual({ eventId, stage: 'accepted', recordNo })
    expect(new Map(result).get(`${recordId}.claimed`)).toEqual({ eventId, stage: 'claimed', recordNo })
  })

  it('is accepted and nothing more where the device must stay dark', async () => {
    const deviceId = await world.button()
    const { recordId } = await world.say(deviceId, alarm('PANIC_SILENT', 1))
    await claim(world.db, world.zhang, { id: recordId ?? 0 })
    await world.say(deviceId, alarm('PANIC_SILENT', 2))
    expect(await world.recordsOf(deviceId)).toMatchObject([{ state: 'CLAIMED', silent: true, occurrenceCount: 2 }])
    const result = await outboxOf(deviceId)
    expect(result.map(({ payload }) => Object(payload).stage)).toEqual(['accepted', 'accepted'])
  })
})

describe.each(['CANCEL', 'DURESS_CANCEL'] as const)('a device that sent %s', (code) => {
  it('receives no stage of its record until it is pressed again', async () => {
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

describe('an event id that comes again', () => {
  it('gets the first answer and a new receipt when the event is the same', async () => {
    const deviceId = await world.button()
    const press = alarm('PANIC', 1)
    const first = await world.say(deviceId, press)
    await world.db.updateTable('deviceOutbox').set({ sentAt: new Date() }).where('deviceId', '=', deviceId).execute()
    await claim(world.db, world.zhang, { id: first.recordId ?? 0 })
    const repeat = await world.say(deviceId, press)
    expect(repeat).toEqual({ ...first, duplicate: true, created: false })
    expect(await world.recordsOf(deviceId)).toMatchObject([{ occurrenceCount: 1 }])
    const acks = (await outboxOf(deviceId)).filter(({ key }) => key === press.eventId)
    expect(acks).toMatchObject([{ sentAt: null, payload: { stage: 'accepted' } }])
  })

  it('raises a marked record of its own when the code differs', async () => {
    const deviceId = await world.button()
    const { eventId } = alarm('PANIC', 1)
    const battery = await world.say(deviceId, event('BATTERY_LOW', 9, { eventId }))
    const press = alarm('PANIC', 1, { eventId })
    const raised = await world.say(deviceId, press)
    expect(raised).toMatchObject({ duplicate: false, created: true })
    expect(raised.recordId).not.toBe(battery.recordId)
    expect(await world.say(deviceId, press)).toEqual({ ...raised, duplicate: true, created: false })
    expect(await world.say(deviceId, event('BATTERY_LOW', 9, { eventId }))).toEqual({
      ...battery,
      duplicate: true,
      created: false,
    })
    const marked = (await world.logOf(raised.recordId ?? 0)).map(({ payload }) => payload.eventIdReused)
    expect(marked).toEqual([undefined, true])
    await claim(world.db, world.zhang, { id: raised.recordId ?? 0 })
    const messages = new Map((await outboxOf(deviceId)).map(({ key, payload }) => [key, payload]))
    expect(messages.get(eventId)).toMatchObject({ eventId, stage: 'accepted' })
    expect(messages.get(`${raised.recordId}.claimed`)).toMatchObject({ eventId, stage: 'claimed' })
  })
})
