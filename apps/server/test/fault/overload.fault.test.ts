import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkConsistency, cleanReport, report, violations } from '../../../../tools/fault/consistency-check.ts'
import { openAccess } from '../../../../tools/fault/fault-devices.ts'
import { createTempDir } from '../../../../tools/fault/fault-setup.ts'
import { freePort } from '../../../../tools/fault/port.ts'
import { type StormDevices, startStorm } from '../../../../tools/fault/storm-devices.ts'
import { waitUntil, waitUntilDrained } from '../../../../tools/fault/wait-until.ts'
import { openLedger } from '../../../../tools/simulator/ledger.ts'
import type { Credential } from '../../../../tools/simulator/fleet-file.ts'
import { type FaultServer, startFaultServer } from './fault-server.ts'
import { calmSec, kills, patience } from './kills.ts'

/** Four schools, because one may use a quarter of the queue. */
const SCHOOLS = 4
const DEVICES = 150
/** `--kills 120` sends what five times the sustainable rate brings in a minute, and freezes the database for 30 s. */
const SCALE = Math.min(6, Math.max(1, Math.round(kills(20) / 20)))
const PRESSES = 202 * SCALE
const FREEZE_MS = SCALE > 1 ? 30_000 : 0
const WAITING = 120_000
const MAX_MEMORY_KB = 1_000_000_000 / 1024

let site: FaultServer
let storm: StormDevices
let ops: string
const { folder, drop } = createTempDir()
const ledgerFile = join(folder, 'storm.jsonl')
const ledger = openLedger(ledgerFile)

beforeAll(async () => {
  ops = `127.0.0.1:${await freePort()}`
  site = await startFaultServer({ devices: 1, settings: { TOCSIN_OPS: ops } })
  const devices: Credential[] = []
  for (let n = 0; n < SCHOOLS; n += 1) devices.push(...(await site.makeDevices(DEVICES)))
  storm = startStorm({ mqtt: site.node.mqtt, devices, presses: PRESSES, ledger })
})
afterAll(async () => {
  storm?.stop()
  await site?.end()
  ledger.close()
  drop()
})

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`http://${ops}/metrics`)).text()
  return Number(text.match(new RegExp(`^${name} (\\S+)$`, 'm'))?.[1])
}

const hasRoom = async (): Promise<boolean> => {
  const answer = (await (await fetch(new URL('/readyz', site.node.http))).json()) as { room?: boolean }
  return answer.room === true
}

/** Largest resident memory of the server so far. */
const peakMemoryKb = (): number =>
  Number(readFileSync(`/proc/${site.node.pid()}/status`, 'utf8').match(/VmHWM:\s+(\d+)/)?.[1])

test(
  'keeps 120,000 waiting presses of reconnecting devices in bounded memory while the database is frozen, and loses none',
  async () => {
    const access = openAccess(site.database.owner)
    const blocker = await access.pool.connect()
    await blocker.query('begin; lock table signal in access exclusive mode')
    const frozenUntil = performance.now() + FREEZE_MS
    await storm.connect()
    await waitUntil('the presses to wait', async () => (await metric('tocsin_pending_messages')) >= WAITING)
    for (let n = 0; n < 3; n += 1) {
      storm.breakLinks(4)
      await pause(2000)
    }
    await pause(Math.max(0, frozenUntil - performance.now()))
    expect(await hasRoom()).toBe(false)
    expect(storm.answers()).toBe(0)
    expect(await metric('tocsin_pending_bytes')).toBeLessThan(340 * 1_048_576)
    await blocker.query('commit')
    blocker.release()
    await waitUntilDrained('presses without their receipt', storm.unconfirmed, { seconds: calmSec() })
    await waitUntilDrained('messages that wait', () => metric('tocsin_pending_messages'), { seconds: calmSec() })
    expect(await hasRoom()).toBe(true)
    expect(storm.cutByServer()).toBe(0)
    expect(peakMemoryKb()).toBeLessThan(MAX_MEMORY_KB)
    const verdict = await checkConsistency(access, ledgerFile)
    report(`overload, at most ${Math.round(peakMemoryKb() / 1024)} MiB`, verdict)
    // These devices send no heartbeats.
    expect({ ...violations(verdict), offline: [] }).toEqual(cleanReport)
    await access.pool.end()
  },
  patience(),
)
