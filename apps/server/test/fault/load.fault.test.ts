import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations, report, cleanReport } from '../../../../tools/fault/consistency-check.ts'
import { waitUntil } from '../../../../tools/fault/wait-until.ts'
import { calmSec, patience } from './kills.ts'
import { startFaultServer, type FaultServer, underLoad } from './fault-server.ts'

let site: FaultServer

beforeAll(async () => {
  site = await startFaultServer({ devices: 80 })
})
afterAll(() => site?.end())

/** More than a node tries at once (X05), as after a long outage: cut links would bring all of it again and again. */
test(
  'what many devices kept meanwhile is taken in without cutting their links',
  async () => {
    const { node, rig } = site
    await node.kill()
    const load = underLoad(rig.fleet, 3000)
    await waitUntil('presses', () => rig.fleet.stats().pressed >= 6000, { seconds: 120 })
    load.stop()
    const before = rig.fleet.stats().lost
    await node.start()
    await rig.calm(calmSec())
    const verdict = await rig.checkConsistency()
    report('kept through an outage', verdict)
    expect(violations(verdict)).toEqual(cleanReport)
    expect(rig.fleet.stats().lost).toBe(before)
  },
  patience(),
)
