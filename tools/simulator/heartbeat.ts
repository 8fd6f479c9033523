import type { Heartbeat } from '@tocsin/protocol/heartbeat'
import type { Random } from './random.ts'
import type { Task, TickScheduler } from './tick-scheduler.ts'

export type HeartbeatTimer = {
  /** Seconds between heartbeats; 0 stops them. */
  set(everySec: number): void
  stop(): void
}

/** The first heartbeat comes at a random time within the interval, so that the heartbeats of a fleet are spread. */
export const createHeartbeatTimer = (wheel: TickScheduler, random: Random, beat: () => void): HeartbeatTimer => {
  let task: Task | null = null
  const plan = (ms: number, everySec: number): void => {
    task = wheel.after(ms, () => {
      beat()
      plan(everySec * 1_000, everySec)
    })
  }
  return {
    set: (everySec) => {
      task?.cancel()
      if (everySec > 0) plan(random() * everySec * 1_000, everySec)
    },
    stop: () => task?.cancel(),
  }
}

/** Plausible readings of a device on mains power. */
export const readings = (random: Random): Pick<Heartbeat, 'battery' | 'rssi' | 'temp'> => ({
  battery: 90 + Math.floor(random() * 11),
  rssi: -50 - Math.floor(random() * 30),
  temp: 20 + Math.round(random() * 100) / 10,
})
