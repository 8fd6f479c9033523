import { expect, test } from 'vitest'
import { startTickScheduler } from '../tick-scheduler.ts'

const block = (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('catches up in small runs when it is behind, so that answers are received in between', async () => {
  const wheel = startTickScheduler(1)
  let ticks = 0
  wheel.every(1, () => (ticks += 1))
  block(300)
  const steps: number[] = []
  let before = 0
  while (ticks < 250) {
    await new Promise((resolve) => setImmediate(resolve))
    steps.push(ticks - before)
    before = ticks
  }
  wheel.stop()
  expect(Math.max(...steps)).toBeLessThanOrEqual(10)
  const stopped = ticks
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(ticks).toBe(stopped)
})

test('counts a delay from now, also when the scheduler is behind', async () => {
  const wheel = startTickScheduler()
  block(300)
  const from = performance.now()
  await new Promise<void>((over) => wheel.after(200, over))
  wheel.stop()
  expect(performance.now() - from).toBeGreaterThanOrEqual(180)
})
