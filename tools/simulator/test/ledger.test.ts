import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startDevice } from '../fleet.ts'
import { readFleet } from '../fleet-file.ts'
import { openLedger, type ReceiptLine, readLedger, type SentLine } from '../ledger.ts'
import { createManualTickScheduler } from '../tick-scheduler.ts'
import { credential, startBroker } from './broker.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'simulator-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const sent = (eventId: string, seq: number): SentLine => ({
  kind: 'sent',
  at: 1_763_697_600_000 + seq,
  channel: 'alarm',
  eventId,
  productKey: 'panic1',
  sn: 'SN-0001',
  what: 'PANIC',
  mode: 'LIVE',
  boot: 7,
  seq,
})
const receipt = (eventId: string, latencyMs: number, recordNo: string): ReceiptLine => ({
  kind: 'receipt',
  at: 1_763_697_601_000,
  eventId,
  sn: 'SN-0001',
  stage: 'accepted',
  via: 'mqtt',
  recordNo,
  latencyMs,
})

test('writes an event to the ledger before the broker can receive it', async () => {
  const path = join(folder, 'ledger.jsonl')
  const ledger = openLedger(path, { fsync: true })
  const broker = await startBroker({ receipts: true })
  const atBroker: string[] = []
  broker.onAlarm((alarm) => atBroker.push(readFileSync(path, 'utf8').includes(alarm.eventId) ? 'known' : 'unknown'))
  const device = startDevice({
    device: credential(1),
    mqtt: broker.mqtt,
    wheel: createManualTickScheduler(),
    heartbeatSec: 0,
    ledger,
  })
  await device.connected()
  for (let n = 0; n < 5; n += 1) device.press()
  device.event('TAMPER')
  await expect.poll(device.unsent).toBe(0)
  await device.stop()
  await broker.close()
  ledger.close()
  expect(atBroker).toEqual(['known', 'known', 'known', 'known', 'known'])
  expect(readLedger(path)).toMatchObject({ sent: 6, accepted: 6, pending: [], strange: [], conflicting: [] })
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('counts, ranks the latencies and lists violations in the summary', () => {
  const path = join(folder, 'ledger.jsonl')
  const ledger = openLedger(path)
  for (let n = 1; n <= 100; n += 1) ledger.write(sent(`event-${n}`, n))
  for (let n = 1; n <= 99; n += 1) ledger.write(receipt(`event-${n}`, n, `W${n}`))
  ledger.write(receipt('event-5', 900, 'W5'))
  ledger.write(receipt('event-6', 900, 'W77'))
  ledger.write({ ...receipt('event-7', 5_000, 'W7'), stage: 'claimed' })
  ledger.write(receipt('never-pressed', 1, 'W0'))
  ledger.close()
  const { events, ...summary } = readLedger(path)
  expect(summary).toEqual({
    sent: 100,
    accepted: 99,
    pending: ['event-100'],
    strange: ['never-pressed'],
    conflicting: ['event-6'],
    latencyMs: { p50: 50, p99: 99, max: 99 },
    byStage: { accepted: 102, claimed: 1 },
  })
  expect(events.get('event-7')?.receipts.map((receipt) => receipt.stage)).toEqual(['accepted', 'claimed'])
})

test('ignores a last line cut short by a kill, and names a broken line in the middle', () => {
  const path = join(folder, 'ledger.jsonl')
  const ledger = openLedger(path)
  ledger.write(sent('event-1', 1))
  ledger.close()
  appendFileSync(path, JSON.stringify(sent('event-2', 2)).slice(0, 30))
  expect(readLedger(path).sent).toBe(1)
  appendFileSync(path, '\n')
  expect(() => readLedger(path)).toThrow('line 2 is not a ledger line')
})

test('throws when the same event is first sent twice, because the simulator is broken', () => {
  const path = join(folder, 'ledger.jsonl')
  const ledger = openLedger(path)
  ledger.write(sent('event-1', 1))
  ledger.write(sent('event-1', 1))
  ledger.close()
  expect(() => readLedger(path)).toThrow('event-1')
})

const fleetFile = (content: unknown, mode = 0o600): string => {
  const path = join(folder, 'fleet.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  chmodSync(path, mode)
  return path
}
const value = { productKey: 'panic1', sn: 'SN-0001', secret: Buffer.alloc(32, 1).toString('base64url') }

test('reads the secrets of a fleet file as bytes, and warns when others may read it', () => {
  const warnings: string[] = []
  const fleet = readFleet(fleetFile([value]), (text) => warnings.push(text))
  expect(fleet).toEqual([{ productKey: 'panic1', sn: 'SN-0001', secret: Buffer.alloc(32, 1), presses: true }])
  expect(warnings).toEqual([])
  readFleet(fleetFile([value], 0o644), (text) => warnings.push(text))
  expect(warnings).toEqual([expect.stringContaining('chmod 600')])
})

test.each([
  ['text', 'not json', 'is not JSON'],
  ['no device', [], 'the file'],
  ['a short secret', [value, { ...value, sn: 'SN-0002', secret: 'abc' }], '1.secret'],
  ['a wrong serial number', [{ ...value, sn: 'a/b' }], '0.sn'],
  ['a device twice', [value, value], 'SN-0001 occurs twice'],
])('a fleet file with %s is refused by name', (_what, content, message) => {
  expect(() => readFleet(fleetFile(content), () => undefined)).toThrow(message)
})
