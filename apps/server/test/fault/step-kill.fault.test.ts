import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations, report, cleanReport } from '../../../../tools/fault/consistency-check.ts'
import type { FaultPoint } from '../../src/fault-injection.ts'
import { calmSec, kills, patience } from './kills.ts'
import { startFaultServer, type FaultServer, underLoad } from './fault-server.ts'

const points = [
  'parse',
  'beforeTx',
  'afterInsert',
  'beforeCommit',
  'afterCommit',
  'beforePuback',
  'afterPuback',
  'beforeOutbox',
  'afterPush',
] as const satisfies FaultPoint[]

let site: FaultServer

beforeAll(async () => {
  site = await startFaultServer({ devices: 100 })
})
afterAll(() => site?.end())

/** X02: the short moments between two steps, which random kills miss. */
test(
  'neither loses nor duplicates an alarm when the server is killed at each step of the intake',
  async () => {
    const { node, rig } = site
    const rounds = kills(2)
    const load = underLoad(rig.fleet, 40)
    await node.kill()
    for (let round = 1; round <= rounds; round += 1) {
      for (const point of points) {
        // A different pass each time: the first alarm after a start, and one among many.
        const passes = round === 1 ? 1 : 10 * round
        const received = rig.acknowledged()
        // It may die before it serves: devices are back within milliseconds.
        await node.start({ TOCSIN_FAULT_AT: `${point}:${passes}` }).catch(() => undefined)
        expect([point, await node.ended()]).toEqual([point, { code: null, signal: 'SIGKILL' }])
        if (point === 'beforePuback' && passes === 1) expect(rig.acknowledged()).toBe(received)
        if (point === 'afterPuback') await expect.poll(rig.acknowledged).toBeGreaterThan(received)
      }
    }
    await node.start()
    load.stop()
    await rig.calm(calmSec())
    const verdict = await rig.checkConsistency()
    report(`${points.length} points × ${rounds}`, verdict)
    expect(violations(verdict)).toEqual(cleanReport)
  },
  patience(),
)
