import { afterEach, expect, test } from 'vitest'
import type { FleetOptions } from '../fleet.ts'
import { startDevice } from '../fleet.ts'
import type { Receipt } from '../outbox.ts'
import { createManualTickScheduler } from '../tick-scheduler.ts'
import { credential, startBroker, startHttp } from './broker.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const setUp = async ({ receipts = false, ...options }: { receipts?: boolean } & Partial<FleetOptions> = {}) => {
  const broker = await startBroker({ receipts })
  const wheel = createManualTickScheduler()
  const got = Promise.withResolvers<Receipt>()
  const device = startDevice({
    device: credential(1),
    mqtt: broker.mqtt,
    wheel,
    heartbeatSec: 0,
    // The test jumps over time here; a jump is no silence of the broker.
    keepaliveSec: 36_000,
    onReceipt: (receipt) => got.resolve(receipt),
    ...options,
  })
  ends.push(broker.close, device.stop)
  await device.connected()
  return { broker, wheel, device, receipt: got.promise }
}
const alarms = (n: number) => (received: { channel: string }[]) =>
  received.filter((item) => item.channel === 'alarm').length >= n

test('repeats the same event at 1, 2, 4, 8, 15, 30 s and then every 30 s without a receipt', async () => {
  const { broker, wheel, device } = await setUp()
  const pressed = device.press({ code: 'PANIC', press: { count: 3 } })
  let sent = 1
  let last = 0
  for (const at of [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 90_000]) {
    wheel.advance(at - 1 - last)
    expect(device.stats().repeats).toBe(sent - 1)
    wheel.advance(1)
    last = at
    sent += 1
    expect(device.stats().repeats).toBe(sent - 1)
    await broker.heard.until(alarms(sent))
  }
  expect(new Set(broker.of('alarm').map((alarm) => alarm.eventId))).toEqual(new Set([pressed?.eventId]))
  expect(new Set(broker.of('alarm').map((alarm) => JSON.stringify(alarm))).size).toBe(1)
  expect(device.unsent()).toBe(1)
})

test('ends the repeats at an accepted receipt, and records a later stage without effect', async () => {
  const { broker, wheel, device, receipt } = await setUp({ receipts: true })
  const pressed = device.press()
  expect(await receipt).toMatchObject({ eventId: pressed?.eventId, stage: 'accepted', recordNo: 'W1', via: 'mqtt' })
  wheel.advance(600_000)
  expect(device.stats()).toMatchObject({ pressed: 1, accepted: 1, repeats: 0, fallbacks: 0, unsent: 0 })
  expect(broker.of('alarm')).toHaveLength(1)
})

test('continues the repeats after a receipt of another stage', async () => {
  const { broker, device, receipt } = await setUp()
  const pressed = device.press()
  broker.say(credential(1), 'ack', { eventId: pressed?.eventId ?? '', stage: 'claimed' })
  expect(await receipt).toMatchObject({ stage: 'claimed' })
  expect(device.unsent()).toBe(1)
})

test('sends the alarm over HTTP, signed, after five seconds without a receipt, which ends the repeats', async () => {
  const web = await startHttp(credential(1))
  ends.push(web.close)
  const { wheel, device, receipt } = await setUp({ http: web.http })
  const pressed = device.press()
  wheel.advance(4_990)
  expect(device.stats().fallbacks).toBe(0)
  wheel.advance(10)
  expect(device.stats().fallbacks).toBe(1)
  expect(await receipt).toMatchObject({ eventId: pressed?.eventId, via: 'http', recordNo: 'W1' })
  expect(web.taken.items).toEqual([{ eventId: pressed?.eventId, verified: true }])
  wheel.advance(600_000)
  expect(device.stats()).toMatchObject({ fallbacks: 1, fallbackFailures: 0, unsent: 0 })
})

test('delivers the alarm over HTTP alone when the broker is down', async () => {
  const web = await startHttp(credential(1))
  ends.push(web.close)
  const { broker, wheel, device, receipt } = await setUp({ http: web.http })
  await broker.close()
  const pressed = device.press()
  wheel.advance(5_000)
  expect(await receipt).toMatchObject({ eventId: pressed?.eventId, via: 'http' })
})

test('retries a rejected fallback with the next repeat', async () => {
  const web = await startHttp(credential(2))
  ends.push(web.close)
  const { wheel, device } = await setUp({ http: web.http })
  device.press()
  wheel.advance(5_000)
  await web.taken.until((taken) => taken.length === 1)
  wheel.advance(3_000)
  await web.taken.until((taken) => taken.length === 2)
  expect(web.taken.items.map((item) => item.verified)).toEqual([false, false])
  expect(device.unsent()).toBe(1)
})

test('stores presses made without a link, and sends them in order once there is one', async () => {
  const { broker, wheel, device } = await setUp()
  device.cut()
  await expect.poll(device.linked).toBe(false)
  const ids = [device.press(), device.press({ code: 'MEDICAL' }), device.press()].map((item) => item?.eventId)
  broker.giveReceipts()
  wheel.advance(5_000)
  await expect.poll(device.unsent).toBe(0)
  expect([...new Set(broker.of('alarm').map((alarm) => alarm.eventId))]).toEqual(ids)
})

test('accepts no further press when the store is full, and reports it', async () => {
  const { device } = await setUp({ flashSize: 2 })
  expect(device.press()).not.toBeNull()
  expect(device.event('TAMPER')).not.toBeNull()
  expect(device.press()).toBeNull()
  expect(device.stats()).toMatchObject({ pressed: 2, flashFull: 1 })
})
