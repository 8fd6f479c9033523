import { measureBaselines, RUNS } from './baselines.ts'
import { type BenchFigure, median, percentile } from './figures.ts'
import { fixedRate, type DeviceLoad, maxThroughput, KINDS } from './load.ts'
import type { BenchServer } from './bench-server.ts'
import { openRawDevices } from './raw-devices.ts'

const WIDTH = 500
/** Presses in flight: enough to keep the server busy, few enough that queueing does not dominate the receipt. */
const WINDOW = 64
/** As many as are in flight at a high rate: larger batches make each press cheaper. */
const CROWD = 256

type Rounds = Record<'perSecond' | 'p99' | 'server' | 'postgres' | 'generator', number[]>

type Load = { count: number; window: number; fresh: boolean }

const rounds = async (crowd: DeviceLoad, stage: BenchServer, options: Load): Promise<Rounds> => {
  const results: Rounds = { perSecond: [], p99: [], server: [], postgres: [], generator: [] }
  for (let run = 0; run <= RUNS; run += 1) {
    if (options.fresh) await stage.closeRecords()
    const before = stage.processor()
    const own = process.cpuUsage()
    const outcome = await maxThroughput(crowd, options)
    const { user, system } = process.cpuUsage(own)
    const after = stage.processor()
    // The first is the warm-up.
    if (run === 0) continue
    results.perSecond.push(outcome.perSecond)
    results.p99.push(percentile(outcome.latencies, 99))
    results.server.push((after.server - before.server) / options.count)
    results.postgres.push((after.postgres - before.postgres) / options.count)
    results.generator.push((user + system) / 1000 / options.count)
  }
  return results
}

/**
 * Measures receipts at the target rate. If the server cannot sustain it, at four fifths of its maximum: beyond that the
 * queue grows without end and the figure would measure the length of the run.
 */
const heldRate = async (
  crowd: DeviceLoad,
  stage: BenchServer,
  options: { aim: number; most: number; fresh: boolean },
) => {
  const perSecond = options.most > options.aim ? options.aim : Math.floor(options.most * 0.8)
  const p99: number[] = []
  for (let run = 0; run <= RUNS; run += 1) {
    if (options.fresh) await stage.closeRecords()
    const outcome = await fixedRate(crowd, { ...options, perSecond, count: Math.min(perSecond * 5, WIDTH * KINDS) })
    if (run > 0) p99.push(percentile(outcome.latencies, 99))
  }
  return { perSecond, p99 }
}

type Wanted = { name: string; aim: number; window: number; fresh: boolean }

const measure = async (crowd: DeviceLoad, stage: BenchServer, { name, aim, window, fresh }: Wanted) => {
  const { perSecond, p99, ...times } = await rounds(crowd, stage, { count: fresh ? 2000 : 5000, window, fresh })
  const held = await heldRate(crowd, stage, { aim, most: median(perSecond), fresh })
  return [
    { name, unit: '/s', runs: perSecond },
    ...Object.entries(times).map(([part, runs]) => ({
      name: `${name}, processor of the ${part}`,
      unit: 'ms each',
      runs,
    })),
    { name: `${name}, p99 receipt with ${window} under way`, unit: 'ms', runs: p99 },
    { name: `${name} at ${held.perSecond}/s, p99 receipt`, unit: 'ms', runs: held.p99 },
  ]
}

/** Measures committed records and repeats per second with all their effects, timed by the receipt. */
export const benchIngest = async (stage: BenchServer, show: (figure: BenchFigure) => void): Promise<void> => {
  const { figures, baselines } = await measureBaselines(stage, { width: WIDTH, window: WINDOW })
  figures.forEach(show)
  const crowd = await openRawDevices(stage.node.mqtt, await stage.devices(WIDTH))
  const [fresh, ...freshTimes] = await measure(crowd, stage, {
    name: 'new records',
    aim: 500,
    window: WINDOW,
    fresh: true,
  })
  if (fresh) show({ ...fresh, ratios: baselines })
  freshTimes.forEach(show)
  await stage.closeRecords()
  await maxThroughput(crowd, { count: WIDTH, window: WINDOW, fresh: true })
  for (const window of [WINDOW, CROWD]) {
    const name = `repeat signals, ${window} under way`
    const [again, ...times] = await measure(crowd, stage, { name, aim: 3000, window, fresh: false })
    if (again) show({ ...again, ratios: baselines })
    times.forEach(show)
  }
  await crowd.close()
}
