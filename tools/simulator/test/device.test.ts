import { afterEach, expect, test } from 'vitest'
import { type FleetOptions, startDevice } from '../fleet.ts'
import { createManualTickScheduler } from '../tick-scheduler.ts'
import { credential, startBroker, startHttp } from './broker.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const setUp = async (options: Partial<FleetOptions> = {}, item = credential(1)) => {
  const broker = await startBroker({ receipts: true })
  const wheel = createManualTickScheduler()
  const common = { mqtt: broker.mqtt, wheel, boot: 700, keepaliveSec: 36_000, heartbeatSec: 0 }
  const device = startDevice({ device: item, ...common, ...options })
  ends.push(broker.close, device.stop)
  await device.connected()
  return { broker, wheel, device }
}
const inHour = () => Date.now() + 3_600_000

test('announces its birth, and its will when it loses the link without DISCONNECT', async () => {
  const { broker, wheel, device } = await setUp()
  await expect.poll(() => broker.of('state')).toMatchObject([{ online: true, boot: 700, fw: '2.4.1' }])
  device.cut()
  await expect.poll(() => broker.of('state')).toMatchObject([{ online: true }, { online: false, boot: 700 }])
  expect(device.linked()).toBe(false)
  wheel.advance(5_000)
  await expect.poll(() => broker.of('state')).toHaveLength(3)
  expect(device.stats()).toMatchObject({ connects: 2, lost: 1, connected: 1 })
})

test('sends a DISCONNECT and no will when a device is stopped', async () => {
  const { broker, device } = await setUp()
  await device.stop()
  await broker.close()
  expect(broker.of('state')).toMatchObject([{ online: true }])
})

test('counts a wrong secret that the broker rejects, and tries again', async () => {
  const { wheel, device } = await setUp({}, { ...credential(1), secret: new Uint8Array(32) })
  expect(device.stats()).toMatchObject({ refused: 1, connects: 0 })
  wheel.advance(5_000)
  await expect.poll(() => device.stats().refused).toBe(2)
  expect(device.linked()).toBe(false)
})

test('sends the number of the last event and the unsent count in heartbeats', async () => {
  const { broker, wheel, device } = await setUp({ heartbeatSec: 30 })
  device.press()
  device.event('TAMPER')
  await expect.poll(device.unsent).toBe(0)
  wheel.advance(30_000)
  await expect.poll(() => broker.of('hb')).toMatchObject([{ boot: 700, seq: 2, unsent: 0, fw: '2.4.1' }])
  wheel.advance(30_000)
  await expect.poll(() => broker.of('hb')).toHaveLength(2)
})

test('completes an event at the acknowledgement of the broker', async () => {
  const { broker, wheel, device } = await setUp()
  device.event('FAULT', { fault: 'MIC_SHORT' })
  await expect.poll(device.unsent).toBe(0)
  wheel.advance(60_000)
  expect(broker.of('event')).toMatchObject([{ kind: 'FAULT', fault: 'MIC_SHORT', seq: 1 }])
})

test('accepts a command, runs it once and answers it again when it is repeated', async () => {
  const seen: string[] = []
  const { broker, wheel, device } = await setUp({ onCommand: (_sn, command) => seen.push(command.type) })
  const command = { commandId: 'c1', type: 'SELF_TEST' as const, payload: {}, expiresAt: inHour() }
  broker.say(credential(1), 'cmd', command)
  await expect.poll(() => broker.of('reply')).toMatchObject([{ commandId: 'c1', state: 'ACCEPTED' }])
  wheel.advance(300)
  await expect.poll(() => broker.of('reply')).toHaveLength(2)
  broker.say(credential(1), 'cmd', command)
  await expect
    .poll(() => broker.of('reply').map((reply) => reply.state))
    .toEqual(['ACCEPTED', 'SUCCEEDED', 'SUCCEEDED'])
  expect(broker.of('event')).toMatchObject([{ kind: 'SELF_TEST', mode: 'TEST', passed: true }])
  expect(broker.of('reply')[1]?.result).toEqual({ passed: true, eventId: broker.of('event')[0]?.eventId })
  expect(seen).toEqual(['SELF_TEST', 'SELF_TEST'])
  expect(device.stats().commands).toBe(2)
})

test('fails with a reason for an expired command and for a missing text to speak', async () => {
  const { broker, wheel } = await setUp()
  broker.say(credential(1), 'cmd', { commandId: 'late', type: 'SIREN', payload: {}, expiresAt: Date.now() - 1 })
  await expect
    .poll(() => broker.of('reply'))
    .toEqual([{ commandId: 'late', state: 'FAILED', result: { reason: 'EXPIRED' } }])
  broker.say(credential(1), 'cmd', { commandId: 'mute', type: 'PLAY_TTS', payload: {}, expiresAt: inHour() })
  await expect.poll(() => broker.of('reply')).toHaveLength(2)
  wheel.advance(300)
  await expect.poll(() => broker.of('reply')[2]).toMatchObject({ state: 'FAILED', result: { reason: 'TEXT_MISSING' } })
})

test('increments boot, restarts seq and reports itself after a reboot', async () => {
  const { broker, wheel, device } = await setUp()
  device.press()
  broker.say(credential(1), 'cmd', { commandId: 'r', type: 'REBOOT', payload: {}, expiresAt: inHour() })
  await expect.poll(() => broker.of('reply')).toHaveLength(1)
  wheel.advance(1_300)
  await expect.poll(device.linked).toBe(false)
  wheel.advance(5_000)
  await expect.poll(() => broker.of('event')[0]).toMatchObject({ kind: 'BOOT', boot: 701, seq: 1 })
  expect(
    broker
      .of('state')
      .filter((state) => state.online)
      .map((state) => state.boot),
  ).toEqual([700, 701])
})

test('applies a new configuration, pushed or commanded, and sends its version in the next heartbeat', async () => {
  const { broker, wheel } = await setUp()
  const nextVersion = () => {
    wheel.advance(10_000)
    return broker.of('hb').at(-1)?.cfgVer
  }
  broker.say(credential(1), 'config', { cfgVer: 9, config: { heartbeatSec: 10 } })
  await expect.poll(nextVersion).toBe(9)
  const payload = { cfgVer: 10, config: { heartbeatSec: 5 } }
  broker.say(credential(1), 'cmd', { commandId: 'good', type: 'SET_CONFIG', payload, expiresAt: inHour() })
  await expect.poll(nextVersion).toBe(10)
  broker.say(credential(1), 'cmd', { commandId: 'bad', type: 'SET_CONFIG', payload: {}, expiresAt: inHour() })
  await expect.poll(() => [nextVersion(), broker.of('reply').at(-1)?.state]).toEqual([10, 'FAILED'])
})

test('sends one event as copies, over a second connection and over HTTP with every fault on', async () => {
  const web = await startHttp(credential(1))
  ends.push(web.close)
  const { broker, wheel, device } = await setUp({
    http: web.http,
    seed: 4,
    faults: { copies: 5, twoSockets: true, httpAtOnce: true },
  })
  const pressed = device.press()
  await web.taken.until((taken) => taken.length === 1)
  await expect.poll(() => device.stats().connects).toBe(2)
  await expect.poll(device.unsent).toBe(0)
  const copies = device.stats().copies
  expect(copies).toBeGreaterThan(1)
  await expect.poll(() => broker.of('alarm').length).toBeGreaterThan(copies)
  expect([...new Set(broker.of('alarm').map((alarm) => alarm.eventId))]).toEqual([pressed?.eventId])
  expect(web.taken.items[0]).toEqual({ eventId: pressed?.eventId, verified: true })
  wheel.advance(60_000)
  expect(device.stats()).toMatchObject({ accepted: 1, connected: 1 })
})

test('delivers all events in another order when reordering is on', async () => {
  const { broker, wheel, device } = await setUp({ faults: { reorderMs: 10_000 } })
  for (let n = 0; n < 20; n += 1) device.press()
  wheel.advance(10_000)
  await expect.poll(device.unsent).toBe(0)
  const numbers = broker.of('alarm').map((alarm) => alarm.seq)
  expect(numbers).not.toEqual(numbers.toSorted((a, b) => a - b))
  expect(new Set(numbers).size).toBe(20)
})

test('stays silent and writes nothing when a device was stopped during a command', async () => {
  const lines: string[] = []
  const ledger = { write: (line: { kind: string }) => void lines.push(line.kind), close: () => undefined }
  const { broker, wheel, device } = await setUp({ ledger })
  broker.say(credential(1), 'cmd', { commandId: 'c', type: 'SELF_TEST', payload: {}, expiresAt: inHour() })
  await expect.poll(() => broker.of('reply')).toHaveLength(1)
  await device.stop()
  wheel.advance(60_000)
  expect(lines).toEqual([])
})
