import type { PressOptions } from './device.ts'
import type { Fleet } from './fleet.ts'
import { waitFor } from './random.ts'
import type { Task } from './tick-scheduler.ts'

export type Pattern =
  /** Presses `rate` times a second over the whole fleet, at equal intervals. */
  | { kind: 'steady'; rate: number }
  /** Every device by itself, `meanMinutes` between its presses on average, like buttons in real schools. */
  | { kind: 'now-and-then'; meanMinutes: number }

export type Load = { stop(): void }

/** Presses buttons until stopped. The fleet's seed alone determines device and time. */
export const startLoad = (fleet: Fleet, pattern: Pattern, press: PressOptions): Load =>
  pattern.kind === 'steady' ? steady(fleet, pattern.rate, press) : nowAndThen(fleet, pattern.meanMinutes, press)

const steady = (fleet: Fleet, rate: number, press: PressOptions): Load => {
  const { wheel } = fleet
  const begin = wheel.now()
  let done = 0
  const task = wheel.every(20, () => {
    const due = Math.floor(((wheel.now() - begin) / 1_000) * rate)
    for (; done < due; done += 1) fleet.press('random', press)
  })
  return { stop: task.cancel }
}

/**
 * Simulates rare presses of n devices by one random process with n times the rate, which needs one timer instead of n.
 */
const nowAndThen = (fleet: Fleet, meanMinutes: number, press: PressOptions): Load => {
  const meanMs = (meanMinutes * 60_000) / fleet.sns.length
  let task: Task | null = null
  const plan = (): void => {
    task = fleet.wheel.after(waitFor(fleet.random, meanMs), () => {
      fleet.press('random', press)
      plan()
    })
  }
  plan()
  return { stop: () => task?.cancel() }
}
