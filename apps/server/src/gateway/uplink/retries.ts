import type { Log } from '#config'
import { isDatabaseUnavailable } from '#http/errors'
import { QueueFullError } from './queue-full.ts'

const FIRST_MS = 100
const MAX_MS = 5000
/** For failures that are no outage of the database: a defect of ours or of the message. */
const MAX_ATTEMPTS = 3

export type Retries = {
  /** Whether a work has failed and has not succeeded since. */
  inTrouble: () => boolean
  /** Repeats the work until it succeeds. Rejects with QueueFullError when the server stops or the work is at fault. */
  persist: <T>(work: () => Promise<T>, onFailure?: (error: unknown) => void) => Promise<T>
  /** Repeats at once what waits because of an outage. */
  endOutage: () => void
}

/** Pauses that can end early. */
const createPauses = (stopped: AbortSignal) => {
  const pending = new Set<() => void>()
  const endAll = (): void => {
    for (const end of Array.from(pending)) end()
  }
  stopped.addEventListener('abort', endAll)
  return {
    wait: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          pending.delete(end)
          resolve()
        }
        const timer = setTimeout(end, ms)
        pending.add(end)
        if (stopped.aborted) end()
      }),
    endAll,
  }
}

/** `onTrouble` is called when a work fails while no other work is being retried. */
export const createRetries = (log: Log, stopped: AbortSignal, onTrouble: () => void): Retries => {
  const outage = createPauses(stopped)
  const failure = createPauses(stopped)
  let troubled = 0
  const pause = (error: unknown, failures: number): Promise<void> => {
    const isOutage = isDatabaseUnavailable(error)
    if (!isOutage && failures >= MAX_ATTEMPTS) {
      log.error(`a message could not be stored: ${error instanceof Error ? error.stack : String(error)}`)
      throw new QueueFullError('the message could not be taken in')
    }
    const ms = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(failures, 10))
    return (isOutage ? outage : failure).wait(ms * (0.5 + Math.random() / 2))
  }
  const countFailure = (failures: number): void => {
    if (failures > 1) return
    troubled += 1
    if (troubled === 1) onTrouble()
  }
  return {
    inTrouble: () => troubled > 0,
    endOutage: outage.endAll,
    persist: async (work, onFailure) => {
      let failures = 0
      try {
        for (;;) {
          if (stopped.aborted) throw new QueueFullError('the server stops')
          try {
            return await work()
          } catch (error) {
            failures += 1
            onFailure?.(error)
            countFailure(failures)
            await pause(error, failures)
          }
        }
      } finally {
        if (failures > 0) troubled -= 1
      }
    },
  }
}
