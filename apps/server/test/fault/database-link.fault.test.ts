import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ChaosProxy } from '../../../../tools/fault/chaos-proxy.ts'
import { violations, report, cleanReport } from '../../../../tools/fault/consistency-check.ts'
import { waitUntil } from '../../../../tools/fault/wait-until.ts'
import { calmSec, kills, patience } from './kills.ts'
import { startFaultServer, type FaultServer, underLoad } from './fault-server.ts'

let site: FaultServer
let proxy: ChaosProxy

beforeAll(async () => {
  site = await startFaultServer({ devices: 100, proxied: true })
  if (!site.proxy) throw new Error('the site has no proxy')
  proxy = site.proxy
})
afterEach(() => proxy.mend())
afterAll(() => site?.end())

const status = async (http: string, path: string): Promise<number> => (await fetch(new URL(path, http))).status

const READY_AGAIN = 'the server to be ready'
/**
 * Longer than any query of an alarm may take (10 s, and 2 s more at the client): all of them end without a response.
 */
const BEYOND_EVERY_QUERY_MS = 14_000

/** X07 under load, so that transactions are interrupted. */
test(
  'confirms nothing and reports it while the database is half-open, and commits everything afterwards',
  async () => {
    const { rig, node } = site
    const load = underLoad(rig.fleet, 40)
    for (let n = 0; n < kills(2); n += 1) {
      await waitUntil('receipts', () => rig.fleet.unsent() < 20 && rig.fleet.stats().accepted > 100)
      proxy.halfOpen()
      const written = new Date()
      await waitUntil('the server to call itself not ready', async () => (await status(node.http, '/readyz')) === 503, {
        seconds: 10,
      })
      expect(await status(node.http, '/livez')).toBe(200)
      await pause(BEYOND_EVERY_QUERY_MS)
      const time = { from: written.getTime(), to: Date.now(), written }
      expect(await rig.confirmedTooSoon(time)).toEqual([])
      proxy.mend()
      await waitUntil(READY_AGAIN, async () => (await status(node.http, '/readyz')) === 200)
    }
    load.stop()
    await rig.calm(calmSec())
    const verdict = await rig.checkConsistency()
    report('half-open database', verdict)
    expect(violations(verdict)).toEqual(cleanReport)
    expect(node.running()).toBe(true)
  },
  patience(),
)

/** X07, idle: without queries only the server itself can detect it. */
test(
  'detects a half-open database without traffic, and accepts the first press afterwards',
  async () => {
    const { rig, node } = site
    for (let n = 0; n < kills(3); n += 1) {
      await pause(1000)
      proxy.halfOpen()
      await waitUntil('the server to call itself not ready', async () => (await status(node.http, '/readyz')) === 503, {
        seconds: 10,
      })
      proxy.mend()
      await waitUntil(READY_AGAIN, async () => (await status(node.http, '/readyz')) === 200)
      rig.fleet.press('random')
      await rig.calm(calmSec())
    }
    expect(violations(await rig.checkConsistency())).toEqual(cleanReport)
  },
  patience(),
)

/** X08. */
test(
  'neither loses nor repeats a commit whose answer was lost',
  async () => {
    const { rig, node } = site
    const count = kills(50)
    const load = underLoad(rig.fleet, 60)
    const after = Buffer.from('commit\0')
    const of = (opening: Buffer) => opening.includes('tocsin ingest')
    for (let n = 0; n < count; n += 1) await proxy.cut({ after, of, nth: 1 + (n % 3) })
    load.stop()
    await rig.calm(calmSec())
    const verdict = await rig.checkConsistency()
    report(`${count} commits of unknown outcome`, verdict)
    expect(violations(verdict)).toEqual(cleanReport)
    expect(node.running()).toBe(true)
  },
  patience(),
)
