import { RUNS } from './baselines.ts'
import { type Desk, openDesk } from './desk.ts'
import { type Figure, median, percentile } from './figures.ts'
import { openCrowd } from './load.ts'
import type { Stage } from './stage.ts'

const COUNT = 500
const OPEN_AT_ONCE = 25
const PRESSES = 20

/** Every desk's time from the press to its frame, in ms. */
const onePress = (desks: readonly Desk[], press: () => void): Promise<number[]> =>
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

/** One alarm, five hundred desks that all may see it. */
export const benchDesks = async (stage: Stage, show: (figure: Figure) => void): Promise<void> => {
  const crowd = await openCrowd(stage.node.mqtt, await stage.devices(PRESSES))
  const tokens = await stage.tokens(COUNT)
  const before = stage.memory()
  const desks: Desk[] = []
  for (let n = 0; n < COUNT; n += OPEN_AT_ONCE) {
    const some = tokens.slice(n, n + OPEN_AT_ONCE)
    desks.push(...(await Promise.all(some.map((token) => openDesk(stage.node.http, token)))))
  }
  const after = stage.memory()
  const first: number[] = []
  const p99: number[] = []
  const last: number[] = []
  for (let run = 0; run <= RUNS; run += 1) {
    await stage.closeRecords()
    const runs: number[][] = []
    for (let n = 0; n < PRESSES; n += 1) runs.push(await onePress(desks, () => void crowd.press(n, 0)))
    if (run === 0) continue
    first.push(median(runs.map((times) => Math.min(...times))))
    p99.push(median(runs.map((times) => percentile(times, 99))))
    last.push(median(runs.map((times) => Math.max(...times))))
  }
  for (const desk of desks) desk.close()
  await crowd.close()
  show({ name: `${COUNT} desks, memory of one`, unit: 'KB', runs: [((after - before) * 1024) / COUNT] })
  show({ name: `one alarm to ${COUNT} desks, first`, unit: 'ms', runs: first })
  show({ name: `one alarm to ${COUNT} desks, p99`, unit: 'ms', runs: p99 })
  show({ name: `one alarm to ${COUNT} desks, last`, unit: 'ms', runs: last })
}
