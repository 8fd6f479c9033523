// node tools/fault/load-process.ts [devices [presses]]: so many devices reconnect after an outage, each with so many
// stored presses. Prints the ingest rate second by second and the summary of the ledger; too large for npm test.
import type { AlarmCode } from '@tocsin/protocol/alarm'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Fleet } from '../simulator/fleet.ts'
import { createNode } from './node.ts'
import { violations, report } from './consistency-check.ts'
import { embedded, newMasterKey, type FaultSetup, startFaultSetup } from './fault-setup.ts'
import { freePort } from './port.ts'
import { makeDevices, openAccess } from './fault-devices.ts'

/** Codes of several classes, so that a device has several open records. */
const codes: readonly AlarmCode[] = ['PANIC', 'MEDICAL', 'INTRUSION', 'FIRE_MANUAL']
/** Like installed devices: the n-th attempt waits up to 5 · 2ⁿ s, at most 30. */
const reconnect = { baseMs: 5000, capMs: 30_000 }
const OUTAGE_MS = 60_000
const PATIENCE_SEC = 900

const press = (fleet: Fleet, times: number): void => {
  for (let n = 0; n < times; n += 1)
    for (const sn of fleet.sns) fleet.press(sn, { code: codes[n % codes.length] ?? 'PANIC' })
}

const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`

/** Waits until nothing is unsent. @returns the number of accepted presses in each second */
const follow = async (fleet: Fleet, from: number): Promise<number[]> => {
  const each: number[] = []
  const { lost } = fleet.stats()
  let { accepted } = fleet.stats()
  let whole = false
  while (fleet.unsent() > 0 && each.length < PATIENCE_SEC) {
    await pause(1000)
    const { connected, devices, unsent, ...now } = fleet.stats()
    each.push(now.accepted - accepted)
    accepted = now.accepted
    if (!whole && connected === devices) console.log(`all connected after ${seconds(from)}`)
    whole ||= connected === devices
    if (each.length % 5 === 0)
      console.log(
        `${seconds(from)}: ${connected} connected, ${accepted} accepted, ${unsent} unsent, ${now.lost - lost} cut`,
      )
  }
  return each
}

const tell = (each: readonly number[], before: ReturnType<Fleet['stats']>, after: ReturnType<Fleet['stats']>) => {
  const busy = each.filter((n) => n > 0).toSorted((a, b) => a - b)
  const { lost, silent, refused, repeats, fallbacks, fallbackFailures, accepted } = after
  console.log(
    [
      `accepted a second: median ${busy[Math.floor(busy.length / 2)] ?? 0}, most ${busy.at(-1) ?? 0}`,
      `answered ${accepted} of ${after.pressed}, links cut ${lost - before.lost} (${silent - before.silent} by devices whose ping had no answer), refused ${refused - before.refused}`,
      `repeats ${repeats - before.repeats}, over HTTP ${fallbacks - before.fallbacks}, of these failed ${fallbackFailures - before.fallbackFailures}`,
    ].join('\n'),
  )
}

/** Counts connections that the server ended or rejected. */
const tellServer = async (ops: string): Promise<void> => {
  const text = await (await fetch(`http://${ops}/metrics`)).text()
  for (const line of text.split('\n')) if (/^tocsin_(refused_links|not_taken|takeovers)/.test(line)) console.log(line)
}

const reconnectAll = async (setup: FaultSetup, start: () => Promise<void>, presses: number): Promise<void> => {
  const { fleet } = setup
  const outage = pause(OUTAGE_MS)
  press(fleet, presses)
  await outage
  const starting = performance.now()
  await start()
  const from = performance.now()
  const before = fleet.stats()
  console.log(`the server serves again after ${seconds(starting)}; ${before.unsent} presses wait in the devices`)
  const each = await follow(fleet, from)
  const left = fleet.unsent()
  console.log(`${left === 0 ? 'all answered' : `${left} presses unanswered`} after ${seconds(from)}`)
  tell(each, before, fleet.stats())
  await setup.calm()
  const result = await setup.checkConsistency()
  report('come back after an outage', result)
  const wrong = Object.entries(violations(result)).filter(([, found]) => found.length > 0)
  for (const [name, found] of wrong) console.log(`${name}: ${found.length}, as ${found.slice(0, 3).join(', ')}`)
  if (wrong.length > 0) process.exitCode = 1
}

/** Without the prefix of test folders: otherwise the next test run would delete a database whose server is dead. */
const ownFolder = (): string => mkdtempSync(join(tmpdir(), 'tocsin-load-'))

const run = async (count: number, presses: number): Promise<void> => {
  const [dataDir, folder] = [ownFolder(), ownFolder()]
  const key = newMasterKey()
  const ops = `127.0.0.1:${await freePort()}`
  const settings = { TOCSIN_MASTER_KEY: key.toString('base64'), TOCSIN_OPS: ops }
  const node = await createNode({ dataDir, settings })
  await node.start()
  const connection = () => embedded(dataDir).owner
  try {
    const access = openAccess(connection())
    const devices = await makeDevices(access, key, count)
    await access.pool.end()
    const setup = await startFaultSetup({ node, devices, connection, folder, reconnect })
    console.log(`${setup.fleet.stats().connected} of ${count} devices connected; the server is killed`)
    await node.kill()
    const result = reconnectAll(setup, node.start, presses).then(() => tellServer(ops))
    await result.finally(setup.end)
  } finally {
    if (!node.running()) await node.start()
    await node.stop()
    for (const item of [dataDir, folder]) rmSync(item, { recursive: true, force: true })
    for (const line of node.uncaught()) console.log(line)
  }
}

// Through exit, where the server is stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const { positionals } = parseArgs({ allowPositionals: true })
const [count = 5000, presses = 4] = positionals.map(Number)
await run(count, presses)
