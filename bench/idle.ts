import { setTimeout as pause } from 'node:timers/promises'
import { RUNS } from './baselines.ts'
import { type Figure, percentile } from './figures.ts'
import { atRate, openCrowd } from './load.ts'
import type { Stage } from './stage.ts'

const COUNT = 5000
const WITNESSES = 100
const SETTLE_MS = 10_000

/** What a connection costs that says nothing, and whether those that speak notice the silent ones. */
export const benchIdle = async (stage: Stage, show: (figure: Figure) => void): Promise<void> => {
  const devices = await stage.devices(COUNT + WITNESSES)
  const crowd = await openCrowd(stage.node.mqtt, devices.slice(COUNT))
  await atRate(crowd, { count: 500, perSecond: 100, fresh: true })
  await pause(SETTLE_MS)
  const before = stage.memory()
  const began = performance.now()
  const idle = await openCrowd(stage.node.mqtt, devices.slice(0, COUNT))
  const connected = (performance.now() - began) / 1000
  await pause(SETTLE_MS)
  const after = stage.memory()
  const p99: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    await stage.closeRecords()
    const { latencies } = await atRate(crowd, { count: 500, perSecond: 100, fresh: true })
    p99.push(percentile(latencies, 99))
  }
  const broken = (await idle.close()) + (await crowd.close())
  show({ name: `${COUNT} idle devices, all connected after`, unit: 's', runs: [connected] })
  show({ name: 'memory of the server before', unit: 'MB', runs: [before] })
  show({ name: `memory of the server with ${COUNT} idle devices`, unit: 'MB', runs: [after] })
  show({ name: 'memory of one connection', unit: 'KB', runs: [((after - before) * 1024) / COUNT] })
  show({ name: `100/s press to receipt beside ${COUNT} idle devices, p99`, unit: 'ms', runs: p99 })
  show({ name: 'links that broke meanwhile', unit: '', runs: [broken] })
}
