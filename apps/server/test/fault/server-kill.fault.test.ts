import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations, report, cleanReport } from '../../../../tools/fault/consistency-check.ts'
import { between, calmSec, kills, patience } from './kills.ts'
import { startFaultServer, type FaultServer, underLoad } from './fault-server.ts'

let site: FaultServer

beforeAll(async () => {
  site = await startFaultServer({ devices: 300 })
})
afterAll(() => site?.end())

/** X01 of the fault plan. */
test(
  'loses and duplicates no accepted alarm when the server is killed repeatedly under load',
  async () => {
    const { node, rig } = site
    const count = kills(20)
    const load = underLoad(rig.fleet, 60)
    for (let n = 0; n < count; n += 1) {
      await pause(between(400, 1000))
      expect(await node.kill()).toEqual({ code: null, signal: 'SIGKILL' })
      await node.start()
    }
    load.stop()
    await rig.calm(calmSec())
    const verdict = await rig.checkConsistency()
    report(`${count} kills of the server`, verdict)
    expect(violations(verdict)).toEqual(cleanReport)
    expect(verdict.counts.sent).toBeGreaterThan(count * 20)
  },
  patience(),
)

/** Domain 2.7: the devices reconnect over eight seconds, while this server already detects silent ones. */
test('reports no device as lost when the server was down for longer than devices may be silent', async () => {
  const { node } = site
  const terms = { heartbeatSec: 5, offlineAfterSec: 12 }
  const rig = await site.more({ devices: 40, terms, reconnect: { baseMs: 8000, capMs: 8000 } })
  for (const sn of rig.fleet.sns) rig.fleet.press(sn)
  await rig.calm(calmSec())
  await node.kill()
  await pause((terms.offlineAfterSec + 1) * 1000)
  await node.start()
  // A whole timeout and the following check.
  await pause((terms.offlineAfterSec + 6) * 1000)
  const { connected, devices } = rig.fleet.stats()
  expect(connected).toBe(devices)
  expect(violations(await rig.checkConsistency())).toEqual(cleanReport)
})
