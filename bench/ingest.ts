import { measureBaselines, RUNS } from './baselines.ts'
import { type Figure, percentile } from './figures.ts'
import { atRate, type Crowd, flatOut, KINDS, openCrowd } from './load.ts'
import type { Stage } from './stage.ts'

const WIDTH = 500
/** Presses under way: enough to keep the server busy, few enough that a receipt is not a matter of queueing. */
const WINDOW = 64

const rounds = async (crowd: Crowd, stage: Stage, options: { count: number; fresh: boolean }) => {
  const perSecond: number[] = []
  const p99: number[] = []
  for (let run = 0; run <= RUNS; run += 1) {
    if (options.fresh) await stage.closeRecords()
    const outcome = await flatOut(crowd, { ...options, window: WINDOW })
    // The first is the warm-up.
    if (run === 0) continue
    perSecond.push(outcome.perSecond)
    p99.push(percentile(outcome.latencies, 99))
  }
  return { perSecond, p99 }
}

/** What the aim asks: that rate, and how long the receipts take at it. */
const heldRate = async (crowd: Crowd, stage: Stage, options: { perSecond: number; fresh: boolean }) => {
  const p99: number[] = []
  for (let run = 0; run <= RUNS; run += 1) {
    if (options.fresh) await stage.closeRecords()
    const outcome = await atRate(crowd, { ...options, count: Math.min(options.perSecond * 5, WIDTH * KINDS) })
    if (run > 0) p99.push(percentile(outcome.latencies, 99))
  }
  return p99
}

/** Committed records and repeats a second, each with everything that follows from it, and the receipt as the clock. */
export const benchIngest = async (stage: Stage): Promise<Figure[]> => {
  const { figures, baselines } = await measureBaselines(stage, { width: WIDTH, window: WINDOW })
  const crowd = await openCrowd(stage.mqttPort, await stage.devices(WIDTH))
  const fresh = await rounds(crowd, stage, { count: 2000, fresh: true })
  const held = await heldRate(crowd, stage, { perSecond: 500, fresh: true })
  await stage.closeRecords()
  await flatOut(crowd, { count: WIDTH, window: WINDOW, fresh: true })
  const again = await rounds(crowd, stage, { count: 5000, fresh: false })
  const heldAgain = await heldRate(crowd, stage, { perSecond: 3000, fresh: false })
  crowd.close()
  return [
    ...figures,
    { name: 'new records', unit: '/s', runs: fresh.perSecond, ratios: baselines },
    { name: `new records, p99 receipt with ${WINDOW} under way`, unit: 'ms', runs: fresh.p99 },
    { name: 'new records at 500/s, p99 receipt', unit: 'ms', runs: held },
    { name: 'repeat signals', unit: '/s', runs: again.perSecond, ratios: baselines },
    { name: `repeat signals, p99 receipt with ${WINDOW} under way`, unit: 'ms', runs: again.p99 },
    { name: 'repeat signals at 3000/s, p99 receipt', unit: 'ms', runs: heldAgain },
  ]
}
