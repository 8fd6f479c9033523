import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { helpText, readFlags } from '../cli/flags.ts'
import { readLedger } from '../ledger.ts'
import { credential, startBroker, startHttp } from './broker.ts'

const main = new URL('../../simulate.ts', import.meta.url).pathname
const simulate = (args: string[]) =>
  promisify(execFile)(process.execPath, [main, ...args]).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout + error.stderr,
    }),
  )

let folder = ''
let fleet = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'simulate-'))
  fleet = join(folder, 'fleet.json')
  const devices = Array.from({ length: 20 }, (_, n) => credential(n + 1))
  const rows = devices.map((device) => ({ ...device, secret: Buffer.from(device.secret).toString('base64url') }))
  writeFileSync(fleet, JSON.stringify(rows), { mode: 0o600 })
})
afterEach(() => rmSync(folder, { recursive: true }))

test.each([
  [['--fleet', 'f', '--rate', 'fast'], '--rate must be a number'],
  [['--fleet', 'f', '--seconds', '1.5'], '--seconds must be a whole number'],
  [['--fleet', 'f', '--copies', '6'], '--copies must be at most 5'],
  [['--fleet', 'f', '--mqtt', 'localhost'], '--mqtt must be host:port'],
  [['--fleet', 'f', '--http', 'ftp://x'], '--http must begin with http:// or https://'],
  [['--fleet', 'f', '--code', 'panic'], '--code'],
  [['--fleet', 'f', '--mode', 'DRILL'], '--mode'],
  [['--fleet', 'f', '--pattern', 'storm'], '--pattern must be one of steady, now-and-then'],
  [['--fleet', 'f', '--bogus'], '--bogus'],
  [['--rate', '1'], '--fleet is required'],
])('flags %j are refused, naming the flag', (args, message) => {
  expect(() => readFlags(args)).toThrow(message)
})

test('uses the defaults that the help prints', () => {
  const flags = readFlags(['--fleet', 'f'])
  expect(flags).toMatchObject({
    mqtt: 'mqtt://127.0.0.1:1883',
    rate: 1,
    seconds: 60,
    mode: 'LIVE',
    code: 'PANIC',
    fsync: false,
  })
  expect(flags.http).toBeUndefined()
  const help = helpText()
  for (const name of Object.keys(flags)) expect(help).toContain(`--${name}`)
})

test('presses for its time, waits for every receipt and leaves a matching ledger', async () => {
  const broker = await startBroker({ receipts: true })
  const ledger = join(folder, 'ledger.jsonl')
  const address = broker.mqtt.slice('mqtt://'.length)
  const { code, out } = await simulate([
    '--fleet',
    fleet,
    '--devices',
    '20',
    '--rate',
    '100',
    '--seconds',
    '1',
    '--mqtt',
    address,
    '--ledger',
    ledger,
  ])
  await broker.close()
  expect(out).toContain('20 / 20')
  expect(code).toBe(0)
  const summary = readLedger(ledger)
  expect(summary.sent).toBeGreaterThan(0)
  expect(summary).toMatchObject({ accepted: summary.sent, pending: [] })
  expect(new Set(broker.of('alarm').map((alarm) => alarm.eventId))).toEqual(new Set(summary.events.keys()))
})

test('resets a button some time after its alarm was claimed', async () => {
  const broker = await startBroker({ receipts: true })
  broker.onAlarm(({ eventId }) => broker.say(credential(1), 'ack', { eventId, stage: 'claimed', recordNo: 'W1' }))
  const args = ['--fleet', fleet, '--devices', '1', '--reset-after', '1', '--seconds', '4', '--mqtt', broker.mqtt]
  const { code } = await simulate(args)
  await broker.close()
  expect(code).toBe(0)
  expect(broker.of('event').map(({ kind }) => kind)).toContain('MANUAL_RESET')
})

test('exits 1 when events stay without a receipt', async () => {
  const broker = await startBroker({ receipts: false })
  const args = ['--fleet', fleet, '--rate', '10', '--seconds', '1', '--drain', '0', '--mqtt', broker.mqtt]
  const { code } = await simulate(args)
  await broker.close()
  expect(code).toBe(1)
})

test('reports an address to which it could not connect', async () => {
  const broker = await startBroker({ receipts: true })
  await broker.close()
  const { out } = await simulate(['--fleet', fleet, '--seconds', '1', '--drain', '0', '--mqtt', broker.mqtt])
  expect(out).toContain(`cannot connect, trying on: ${broker.mqtt}`)
})

test('exits 2 and connects to no server when the fleet is too small or unreadable', async () => {
  expect(await simulate(['--fleet', fleet, '--devices', '21'])).toMatchObject({
    code: 2,
    out: expect.stringContaining('--devices 21'),
  })
  const missing = await simulate(['--fleet', join(folder, 'none.json')])
  expect(missing).toMatchObject({ code: 2, out: expect.stringContaining('--fleet') })
  const nowhere = await simulate(['--fleet', fleet, '--ledger', join(folder, 'none', 'ledger.jsonl')])
  expect(nowhere).toMatchObject({ code: 2, out: expect.stringContaining('--ledger') })
})

test('waits for a leftover simulator when the demo starts', async () => {
  const broker = await startBroker({ receipts: true })
  const args = [main, '--fleet', fleet, '--seconds', '0', '--until-stdin-ends', '--mqtt', broker.mqtt]
  const first = execFile(process.execPath, args)
  await once(first.stdout as NodeJS.ReadableStream, 'data')
  const second = execFile(process.execPath, args)
  setTimeout(() => first.kill('SIGKILL'), 1000)
  await once(second.stdout as NodeJS.ReadableStream, 'data')
  second.stdin?.end()
  expect(await once(second, 'exit')).toEqual([0, null])
  await broker.close()
})

test('does not use devices of another running simulator, and says what to do', async () => {
  const broker = await startBroker({ receipts: true })
  const first = execFile(process.execPath, [main, '--fleet', fleet, '--seconds', '0', '--mqtt', broker.mqtt])
  await once(first.stdout as NodeJS.ReadableStream, 'data')
  const second = await simulate(['--fleet', fleet, '--devices', '1', '--seconds', '1', '--mqtt', broker.mqtt])
  expect(second).toMatchObject({ code: 2, out: expect.stringContaining('Add --http-only') })
  const web = await startHttp(credential(1))
  const pressing = ['--fleet', fleet, '--devices', '1', '--rate', '10', '--seconds', '1']
  const over = await simulate([...pressing, '--http-only', '--http', web.http])
  expect(over.code).toBe(0)
  expect(web.taken.items.length).toBeGreaterThan(0)
  expect(broker.of('state').filter(({ online }) => !online)).toEqual([])
  first.kill()
  await once(first, 'exit')
  web.close()
  await broker.close()
})
