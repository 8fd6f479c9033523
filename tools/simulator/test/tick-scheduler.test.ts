import { expect, test } from 'vitest'
import { startTickScheduler } from '../tick-scheduler.ts'

const block = (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('a wheel that is behind makes up for it in small turns, so that answers are heard in between', async () => {
  const wheel = startTickScheduler(1)
  let ticks = 0
  wheel.every(1, () => (ticks += 1))
  block(300)
  const steps: number[] = []
  let before = 0
  while (ticks < 250) {
    await new Promise((heard) => setImmediate(heard))
    steps.push(ticks - before)
    before = ticks
  }
  wheel.stop()
  expect(Math.max(...steps)).toBeLessThanOrEqual(10)
  const stopped = ticks
  await new Promise((heard) => setTimeout(heard, 20))
  expect(ticks).toBe(stopped)
})

test('a time from now is counted from now, also by a wheel that is behind', async () => {
  const wheel = startTickScheduler()
  block(300)
  const from = performance.now()
  await new Promise<void>((over) => wheel.after(200, over))
  wheel.stop()
  expect(performance.now() - from).toBeGreaterThanOrEqual(180)
})
