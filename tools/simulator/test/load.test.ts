import { expect, test } from 'vitest'
import { startFleet } from '../fleet.ts'
import type { Credential } from '../fleet-file.ts'
import { type Pattern, startLoad } from '../load.ts'
import type { SentLine } from '../ledger.ts'
import { seededRandom } from '../random.ts'
import { createManualTickScheduler } from '../tick-scheduler.ts'
import { credential } from './broker.ts'

/** This loopback port has no listener: pressing needs no link. */
const NOWHERE = 'mqtt://127.0.0.1:1'

const eight = [1, 2, 3, 4, 5, 6, 7, 8].map(credential)
const pressFor = async (minutes: number, pattern: Pattern, seed: number, devices: Credential[] = eight) => {
  const wheel = createManualTickScheduler()
  const lines: SentLine[] = []
  const ledger = {
    write: (line: SentLine | { kind: 'receipt' }) => void (line.kind === 'sent' && lines.push(line)),
    close: () => undefined,
  }
  const fleet = startFleet({ devices, mqtt: NOWHERE, wheel, seed, boot: 1, heartbeatSec: 0, flashSize: 10_000, ledger })
  await fleet.connected()
  const load = startLoad(fleet, pattern, { mode: 'TEST', code: 'MEDICAL' })
  wheel.advance(minutes * 60_000)
  load.stop()
  wheel.advance(60_000)
  await fleet.stop()
  return lines
}

test('presses exactly at its rate and stops when told', async () => {
  const lines = await pressFor(1, { kind: 'steady', rate: 2.5 }, 1)
  expect(lines).toHaveLength(150)
  expect(new Set(lines.map((line) => `${line.what} ${line.mode}`))).toEqual(new Set(['MEDICAL TEST']))
  expect(new Set(lines.map((line) => line.sn)).size).toBe(8)
})

test('presses each device about once in the mean time with rare load', async () => {
  const lines = await pressFor(300, { kind: 'now-and-then', meanMinutes: 30 }, 1)
  expect(lines.length).toBeGreaterThan(50)
  expect(lines.length).toBeLessThan(110)
})

test('presses the same buttons in the same order for the same seed, and others for another seed', async () => {
  const pattern = { kind: 'now-and-then', meanMinutes: 10 } as const
  const order = async (seed: number) => (await pressFor(60, pattern, seed)).map((line) => line.sn)
  const first = await order(7)
  expect(await order(7)).toEqual(first)
  expect(await order(8)).not.toEqual(first)
})

test('gives no two events of a fleet the same id', async () => {
  const lines = await pressFor(1, { kind: 'steady', rate: 20 }, 1)
  expect(new Set(lines.map((line) => line.eventId)).size).toBe(lines.length)
  for (const line of lines) expect(line.eventId).toMatch(/^[0-9A-Za-z_-]{16,40}$/)
})

test('throws an error that names a device that is not of the fleet', async () => {
  const fleet = startFleet({ devices: [credential(1)], mqtt: NOWHERE, wheel: createManualTickScheduler() })
  expect(() => fleet.press('SN-0002')).toThrow('SN-0002')
  await fleet.stop()
})

test('runs tasks in the order of their time, repeats them, and drops cancelled ones', () => {
  const wheel = createManualTickScheduler(10)
  const ran: string[] = []
  wheel.after(35, () => ran.push(`once at ${wheel.now()}`))
  const every = wheel.every(20, () => ran.push(`every at ${wheel.now()}`))
  const never = wheel.after(30, () => ran.push('never'))
  wheel.after(15, () => never.cancel())
  wheel.advance(65)
  every.cancel()
  wheel.advance(100)
  expect(ran).toEqual(['every at 20', 'once at 40', 'every at 40', 'every at 60'])
  expect(wheel.now()).toBe(165)
})

test('keeps random numbers in [0, 1) and spread', () => {
  const random = seededRandom(42)
  const tenths = new Set(Array.from({ length: 1_000 }, () => Math.floor(random() * 10)))
  expect([...tenths].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('connects a device that never presses, and never picks it', async () => {
  const devices = eight.map((item, at) => ({ ...item, presses: at > 1 }))
  for (const pattern of [{ kind: 'steady', rate: 2 } as const, { kind: 'now-and-then', meanMinutes: 1 } as const]) {
    const lines = await pressFor(1, pattern, 1, devices)
    expect(lines.length).toBeGreaterThan(2)
    expect(lines.filter(({ sn }) => devices.some((device) => device.sn === sn && !device.presses))).toEqual([])
  }
})
