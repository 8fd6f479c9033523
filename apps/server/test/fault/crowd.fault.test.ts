import { afterAll, beforeAll, expect, test } from 'vitest'
import { findings, report, spotless } from '../../../../tools/fault/oracle.ts'
import { until } from '../../../../tools/fault/until.ts'
import { calmSec, patience } from './kills.ts'
import { openSite, type Site, underLoad } from './site.ts'

let site: Site

beforeAll(async () => {
  site = await openSite({ devices: 80 })
})
afterAll(() => site?.end())

/** More than a node tries at once (X05), as after a long outage: cut links would bring all of it again and again. */
test(
  'what many devices kept meanwhile is taken in without cutting their links',
  async () => {
    const { node, rig } = site
    await node.kill()
    const load = underLoad(rig.fleet, 3000)
    await until('presses', () => rig.fleet.stats().pressed >= 6000, { seconds: 120 })
    load.stop()
    const before = rig.fleet.stats().lost
    await node.start()
    await rig.calm(calmSec())
    const verdict = await rig.judge()
    report('kept through an outage', verdict)
    expect(findings(verdict)).toEqual(spotless)
    expect(rig.fleet.stats().lost).toBe(before)
  },
  patience(),
)
