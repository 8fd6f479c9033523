import type { Verb } from '@tocsin/contract/alarm/state-machine'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alarm, event, type IntakeFixture, openIntakeFixture } from '../../../test/intake-fixture.ts'
import { somebodyWaits } from '../../../test/lock-waiters.ts'
import { ingestUnparsable } from './ingest.ts'
import { ingestOne } from './intake/ingest-pipeline.ts'
import { fromAlarm } from './intake/normalize-signal.ts'
import { seedRules } from './rule-seed.ts'
import { applyOutcome, type Outcome } from './verb/execute-verb.ts'
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

it('does not cover an unreadable message after it, which itself latches nothing', async () => {
  const deviceId = await world.button()
  await world.say(deviceId, alarm('PANIC', 1))
  await world.say(deviceId, event('MANUAL_RESET', 2))
  const bytes = Buffer.from('PANIC?')
  await ingestUnparsable(world.db, { deviceId, via: 'HTTP', channel: 'alarm', bytes, reason: 'NOT_JSON' })
  const states = async () => (await panicsOf(deviceId)).map(({ condition, resetAt }) => [condition, resetAt !== null])
  const [reset, latched] = [
    ['RECOVERED', true],
    ['ACTIVE', false],
  ]
  expect(await states()).toEqual([reset, latched])
  await world.say(deviceId, event('MANUAL_RESET', 3))
  expect(await states()).toEqual([reset, reset])
  await world.say(deviceId, alarm('PANIC', 4))
  expect(await states()).toEqual([latched, latched])
})

it.each([
  ['a reset is late', [alarm('PANIC', 10, { mode: 'TEST' }), event('MANUAL_RESET', 9)], true],
  ['a test press is late', [event('MANUAL_RESET', 11), alarm('PANIC', 10, { mode: 'TEST' })], false],
  ['a reset in a test is late', [alarm('PANIC', 10), event('MANUAL_RESET', 9, { mode: 'TEST' })], true],
  ['a press is later than a reset in a test', [event('MANUAL_RESET', 11, { mode: 'TEST' }), alarm('PANIC', 10)], false],
  ['another call overtakes it', [alarm('PANIC', 10), alarm('MEDICAL', 12), event('MANUAL_RESET', 11)], false],
] as const)(
  'is decided by the presses of the button in the order of the device when %s',
  async (_case, said, latched) => {
    const deviceId = await world.button()
    for (const message of said) await world.say(deviceId, message)
    const state = world.db.selectFrom('deviceState').select('latched').where('deviceId', '=', deviceId)
    expect(await state.executeTakeFirst()).toEqual({ latched })
    expect((await panicsOf(deviceId)).map(({ resetAt }) => resetAt === null)).toEqual([latched])
  },
)

it('stays with a record that was resolved, also when the button is pressed again before the review', async () => {
  const deviceId = await world.button()
  const { recordId } = await world.say(deviceId, alarm('PANIC', 1))
  await world.say(deviceId, event('MANUAL_RESET', 2))
  const act = (verb: Verb, outcome: Outcome) =>
    world.db.transaction().execute(async (trx) => {
      for (const context of await lockForSystem(trx, [recordId ?? 0])) await applyOutcome(context, verb, outcome)
    })
  await act('endTest', { set: { disposition: 'REAL_HANDLED', condition: 'RECOVERED' } })
  const first = world.all.updateTable('warnRecord').where('id', '=', recordId)
  await first.set({ endedAt: new Date(Date.now() - 3_600_000) }).execute()
  await world.say(deviceId, alarm('PANIC', 3))
  const waiting = await panicsOf(deviceId)
  expect(waiting.map(({ state, resetAt }) => [state, resetAt !== null])).toEqual([
    ['RESOLVED', true],
    ['NEW', false],
  ])
  await act('close', {})
  const stored = world.all.selectFrom('warnRecord').select(['state', 'resetAt']).where('id', '=', recordId)
  expect(await stored.executeTakeFirst()).toEqual({ state: 'CLOSED', resetAt: waiting[0]?.resetAt })
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
