import { RUNS } from './baselines.ts'
import { type LivePage, openLivePage } from './live-page.ts'
import { type BenchFigure, median, percentile } from './figures.ts'
import { type DeviceLoad, openDeviceLoad } from './load.ts'
import type { BenchServer } from './bench-server.ts'

const COUNT = 500
const OPEN_AT_ONCE = 25
const PRESSES = 20

/** Each desk's time from the press to its frame, in ms. */
const onePress = (desks: readonly LivePage[], press: () => void): Promise<number[]> =>
  new Promise((done) => {
    const times: number[] = []
    const began = performance.now()
    for (const desk of desks) {
      desk.onEvent((type) => {
        if (type !== 'alarm.raised') return
        desk.onEvent(() => undefined)
        times.push(performance.now() - began)
        if (times.length === desks.length) done(times)
      })
    }
    press()
  })

/** Medians over the presses of a run: the first desk that receives one, the 99th of a hundred, and the last. */
const heardBy = async (stage: BenchServer, crowd: DeviceLoad, desks: readonly LivePage[]) => {
  await stage.closeRecords()
  const runs: number[][] = []
  for (let n = 0; n < PRESSES; n += 1) runs.push(await onePress(desks, () => void crowd.press(n, 0)))
  return {
    first: median(runs.map((times) => Math.min(...times))),
    p99: median(runs.map((times) => percentile(times, 99))),
    last: median(runs.map((times) => Math.max(...times))),
  }
}

const openDesks = async (stage: BenchServer, tokens: readonly string[]): Promise<LivePage[]> => {
  const desks: LivePage[] = []
  for (let n = 0; n < tokens.length; n += OPEN_AT_ONCE) {
    const some = tokens.slice(n, n + OPEN_AT_ONCE)
    desks.push(...(await Promise.all(some.map((token) => openLivePage(stage.node.http, token)))))
  }
  return desks
}

/** Runs in a separate server process: one desk first, then all desks. The first presses warm up. */
const round = async (
  stage: BenchServer,
  devices: Awaited<ReturnType<BenchServer['devices']>>,
  tokens: readonly string[],
) => {
  await stage.restart()
  const crowd = await openDeviceLoad(stage.node.mqtt, devices)
  const alone = await openDesks(stage, tokens.slice(0, 1))
  await heardBy(stage, crowd, alone)
  const result = await heardBy(stage, crowd, alone)
  const before = stage.memory()
  const desks = [...alone, ...(await openDesks(stage, tokens.slice(1)))]
  const after = stage.memory()
  const all = await heardBy(stage, crowd, desks)
  for (const desk of desks) desk.close()
  await crowd.close()
  return { ...all, alone: result.last, memory: ((after - before) * 1024) / (COUNT - 1) }
}

/** One alarm and five hundred desks that can see it. */
export const benchFanout = async (stage: BenchServer, show: (figure: BenchFigure) => void): Promise<void> => {
  const devices = await stage.devices(PRESSES)
  const tokens = await stage.tokens(COUNT)
  const runs: Awaited<ReturnType<typeof round>>[] = []
  while (runs.length < RUNS) runs.push(await round(stage, devices, tokens))
  const of = (part: keyof (typeof runs)[number]) => runs.map((run) => run[part])
  const ratios = { 'one desk': median(of('alone')) }
  show({ name: 'baseline: one alarm to one desk', unit: 'ms', runs: of('alone') })
  show({ name: `${COUNT} desks, memory of one`, unit: 'KB', runs: of('memory') })
  show({ name: `one alarm to ${COUNT} desks, first`, unit: 'ms', runs: of('first'), ratios })
  show({ name: `one alarm to ${COUNT} desks, p99`, unit: 'ms', runs: of('p99'), ratios })
  show({ name: `one alarm to ${COUNT} desks, last`, unit: 'ms', runs: of('last'), ratios })
}
