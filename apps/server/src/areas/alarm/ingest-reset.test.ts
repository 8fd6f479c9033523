import { afterAll, beforeAll, expect, it } from 'vitest'
import { alarm, event, type IntakeFixture, openIntakeFixture } from '../../../test/intake-fixture.ts'
import { somebodyWaits } from '../../../test/lock-waiters.ts'
import { ingestUnparsable } from './ingest.ts'
import { ingestOne } from './intake/ingest-pipeline.ts'
import { fromAlarm } from './intake/normalize-signal.ts'
import { seedRules } from './rule-seed.ts'
import { lockForSystem } from './verb/verb-context.ts'

// A panic device latches until a person resets it. The reset must be found on the record whatever the device sent in
// between.

let world: IntakeFixture
beforeAll(async () => {
  world = await openIntakeFixture()
  await seedRules(world.db)
})
afterAll(() => world.end())

const panicsOf = async (deviceId: number) =>
  (await world.recordsOf(deviceId)).filter((record) => record.class === 'PANIC')

it.each([
  { said: 'other calls', more: [alarm('MEDICAL', 0), alarm('INTERCOM', 0)] },
  { said: 'tests of the same button', more: [alarm('PANIC', 0, { mode: 'TEST' })] },
])('is remarked on the panic however many $said came after it', async ({ more }) => {
  const deviceId = await world.button()
  const { recordId } = await world.say(deviceId, alarm('PANIC', 1))
  for (let seq = 2; seq < 50; seq += 1) {
    const { code, mode } = more[seq % more.length] ?? alarm('MEDICAL', seq)
    await world.say(deviceId, alarm(code, seq, { mode }))
  }
  expect(await world.say(deviceId, event('MANUAL_RESET', 50))).toMatchObject({ recordId })
  const [panic] = await panicsOf(deviceId)
  expect(panic).toMatchObject({ id: recordId, state: 'NEW', condition: 'RECOVERED', resetAt: expect.any(Date) })
})

it('notes the reset on every open panic record of the device and attaches it to the latest', async () => {
  const deviceId = await world.button()
  await world.say(deviceId, alarm('PANIC', 1))
  const bytes = Buffer.from('PANIC!')
  await ingestUnparsable(world.db, { deviceId, via: 'HTTP', channel: 'alarm', bytes, reason: 'NOT_JSON' })
  const { recordId } = await world.say(deviceId, event('MANUAL_RESET', 2))
  const panics = await panicsOf(deviceId)
  expect(panics.map(({ code }) => code)).toEqual(['PANIC', 'UNPARSABLE'])
  expect(recordId).toBe(panics[1]?.id)
  for (const { id, ...panic } of panics) {
    expect(panic).toMatchObject({ state: 'NEW', condition: 'RECOVERED', resetAt: expect.any(Date) })
    expect((await world.logOf(id)).at(-1)).toMatchObject({ kind: 'SIGNAL', verb: 'reset' })
    expect(await world.eventsOf(id)).toEqual(['alarm.raised', 'alarm.changed'])
    expect(await world.brokenLink(id)).toBeUndefined()
  }
  await world.say(deviceId, alarm('PANIC', 3))
  const again = await panicsOf(deviceId)
  expect(again.map(({ resetAt }) => resetAt !== null)).toEqual([false, false])
})

it('does not count for a verb that waits for a press which latches the button again', async () => {
  const deviceId = await world.button()
  const { recordId } = await world.say(deviceId, alarm('PANIC', 1))
  await world.say(deviceId, event('MANUAL_RESET', 2))
  const resetOf = () =>
    world.db.transaction().execute(async (trx) => (await lockForSystem(trx, [recordId ?? 0]))[0]?.record.resetAt)
  expect(await resetOf()).toEqual(expect.any(Date))
  const seen = await world.db.transaction().execute(async (trx) => {
    await ingestOne(trx, { deviceId, normalize: () => fromAlarm(alarm('PANIC', 3), { via: 'MQTT' }) }, [])
    const waiting = resetOf()
    await expect.poll(() => somebodyWaits(world.db)).toBe(true)
    return { waiting }
  })
  expect(await seen.waiting).toBeNull()
})
