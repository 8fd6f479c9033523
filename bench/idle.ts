import { setTimeout as pause } from 'node:timers/promises'
import { type BareBroker, RUNS, withBareBroker } from './baselines.ts'
import { type BenchFigure, median, percentile } from './figures.ts'
import { fixedRate, type DeviceLoad, openDeviceLoad } from './load.ts'
import type { BenchServer } from './bench-server.ts'

const COUNT = 5000
const WITNESSES = 100
const SETTLE_MS = 10_000

type Run = Record<'connected' | 'before' | 'after' | 'each', number>

/** Connects the devices; `memory` in MB. */
const joined = async (memory: () => number, open: () => Promise<DeviceLoad>): Promise<Run & { crowd: DeviceLoad }> => {
  await pause(SETTLE_MS)
  const before = memory()
  const began = performance.now()
  const crowd = await open()
  const connected = (performance.now() - began) / 1000
  await pause(SETTLE_MS)
  const after = memory()
  return { crowd, connected, before, after, each: ((after - before) * 1024) / COUNT }
}

/** The same connections to the broker library alone. */
const bare = ({ mqtt, memory, devices }: BareBroker): Promise<Run> =>
  joined(memory, () => openDeviceLoad(mqtt, devices(COUNT))).then(async ({ crowd, ...run }) => {
    await crowd.close()
    return run
  })

/** In a server process of its own, warmed up by devices that press beside the silent ones. */
const round = async (stage: BenchServer, devices: Awaited<ReturnType<BenchServer['devices']>>) => {
  await stage.restart()
  const crowd = await openDeviceLoad(stage.node.mqtt, devices.slice(COUNT))
  const presses = async () => {
    await stage.closeRecords()
    return fixedRate(crowd, { count: 500, perSecond: 100, fresh: true })
  }
  await presses()
  const { crowd: idle, ...run } = await joined(stage.memory, () =>
    openDeviceLoad(stage.node.mqtt, devices.slice(0, COUNT)),
  )
  const { latencies } = await presses()
  return { ...run, p99: percentile(latencies, 99), broken: (await idle.close()) + (await crowd.close()) }
}

/** Measures what a silent connection costs, and whether the active devices notice the silent ones. */
export const benchIdle = async (stage: BenchServer, show: (figure: BenchFigure) => void): Promise<void> => {
  const devices = await stage.devices(COUNT + WITNESSES)
  const bares: Run[] = []
  const runs: Awaited<ReturnType<typeof round>>[] = []
  while (runs.length < RUNS) {
    bares.push(await withBareBroker(bare))
    runs.push(await round(stage, devices))
  }
  const of = <K extends string>(rounds: readonly Record<K, number>[], part: K) => rounds.map((run) => run[part])
  const besideBare = (part: keyof Run) => ({ runs: of(runs, part), ratios: { 'bare broker': median(of(bares, part)) } })
  show({ name: 'baseline: bare broker, all connected after', unit: 's', runs: of(bares, 'connected') })
  show({ name: 'baseline: bare broker, memory of one connection', unit: 'KB', runs: of(bares, 'each') })
  show({ name: `${COUNT} idle devices, all connected after`, unit: 's', ...besideBare('connected') })
  show({ name: 'memory of the server before', unit: 'MB', runs: of(runs, 'before') })
  show({ name: `memory of the server with ${COUNT} idle devices`, unit: 'MB', runs: of(runs, 'after') })
  show({ name: 'memory of one connection', unit: 'KB', ...besideBare('each') })
  show({ name: `100/s press to receipt beside ${COUNT} idle devices, p99`, unit: 'ms', runs: of(runs, 'p99') })
  show({ name: 'links that broke meanwhile', unit: '', runs: of(runs, 'broken') })
}
