import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '#config'
import { isDatabaseUnavailable } from '#http/errors'
import { metrics } from '#metrics'
import { createFairQueue } from './fair-queue.ts'

/** More waits than this node may keep, or the same failed again and again: the device sends it once more. */
export class QueueFullError extends Error {}

type QueuedWork = {
  /** What belongs to one sender stands in one lane and goes in its order. */
  lane: string | number
  /** Called once when the database makes messages wait, or so many others do that it takes long. */
  onTrouble?: (() => void) | undefined
  /** Its end is a commit of the intake: the work moves on. Reading who somebody is does not show that. */
  commits?: boolean
}

/** The key of a message that names itself by nothing but its bytes: one that differs anywhere is another message. */
export const messageKey = (deviceId: number, channel: string, bytes: Uint8Array): string =>
  `${deviceId}:${channel}:${hash('sha256', bytes)}`

export type RetryQueue = {
  /** Does the work until it succeeds, or rejects with QueueFullError. The same key at the same time is the same work. */
  run: <T>(key: string, work: () => Promise<T>, waiter: QueuedWork) => Promise<T>
  pendingCount: () => number
  /** False when something waits for long and nothing was committed meanwhile; true of one that has nothing to do. */
  isProgressing: () => boolean
  stop: () => void
}

const FIRST_MS = 100
const LONGEST_MS = 5000
/**
 * A device repeats each 30 s at the slowest, and two queries that end at their limit of 12 s are in it: who had no commit
 * for so long has nothing to hope for here (trust X42).
 */
const STILL_MS = 30_000
/** For failures that are no outage: a fault of ours or of the message. */
const ATTEMPTS = 3

/** The device keeps it and sends it again; somebody must hear that the node takes no more. */
const full = (log: Log, held: number): QueueFullError => {
  metrics.notTaken.inc()
  log.warn(`${held} messages of devices wait for the database: further ones are not taken, the devices keep them`)
  return new QueueFullError('too many messages wait for the database')
}

const once = (act: () => void) => {
  let done = false
  return () => {
    if (!done) act()
    done = true
  }
}

/** Tries works until they succeed. `onTrouble` is called when one fails while none is being tried again. */
const makeTrials = (log: Log, stopped: AbortSignal, onTrouble: () => void) => {
  let troubled = 0
  const again = async (error: unknown, failures: number): Promise<void> => {
    if (!isDatabaseUnavailable(error) && failures >= ATTEMPTS) {
      log.error(`a message could not be taken in: ${error instanceof Error ? error.stack : String(error)}`)
      throw new QueueFullError('the message could not be taken in')
    }
    const ms = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10))
    await pause(ms * (0.5 + Math.random() / 2), undefined, { signal: stopped }).catch(() => undefined)
  }
  const failed = (failures: number): void => {
    if (failures > 1) return
    troubled += 1
    if (troubled === 1) onTrouble()
  }
  return {
    inTrouble: () => troubled > 0,
    persist: async <T>(work: () => Promise<T>): Promise<T> => {
      let failures = 0
      try {
        for (;;) {
          if (stopped.aborted) throw new QueueFullError('the server stops')
          try {
            return await work()
          } catch (error) {
            failures += 1
            failed(failures)
            await again(error, failures)
          }
        }
      } finally {
        if (failures > 0) troubled -= 1
      }
    },
  }
}

/**
 * `atOnce` are tried (X05); `most` of the others wait until some of these are done. Who waits for `longMs` is told as if
 * the database made him wait.
 */
type RetryQueueOptions = {
  concurrency?: number
  maxPending?: number
  longMs?: number
  stillMs?: number | undefined
  log: Log
}

/** Since when the first work of each lane waits; the works of a lane are done in their order. */
const makeLines = () => {
  const lines = new Map<string | number, number[]>()
  return {
    /** @returns how long the one in front waits already. */
    join: (lane: string | number): number => {
      const now = performance.now()
      const line = lines.get(lane) ?? []
      line.push(now)
      lines.set(lane, line)
      return now - (line[0] ?? now)
    },
    leave: (lane: string | number): void => {
      const line = lines.get(lane)
      line?.shift()
      if (line?.length === 0) lines.delete(lane)
    },
  }
}

/**
 * Keeps alarms and events through trouble of the database: no receipt before the commit, no socket dropped (X05). And
 * through a crowd: a link that is cut because too much comes at once brings everything again, and nothing gets through.
 */
export const createRetryQueue = (options: RetryQueueOptions): RetryQueue => {
  const { concurrency: atOnce = 2000, maxPending: most = 400_000, longMs = 10_000, stillMs = STILL_MS, log } = options
  const works = new Map<string, { done: Promise<unknown>; tell: () => void; since: number }>()
  let committedAt = -Infinity
  const inTurn = createFairQueue(atOnce)
  const lines = makeLines()
  /**
   * Who comes behind one of his lane waits at least as long: he is told when that one is, or a ping behind four messages
   * had its answer after forty seconds, and the device had hung up. Where the room gets scarce each is told in his own time.
   */
  const untilLong = (lane: string | number): number => {
    const already = lines.join(lane)
    return works.size < most / 2 ? Math.max(0, longMs - already) : longMs
  }
  const stopping = new AbortController()
  const trials = makeTrials(log, stopping.signal, () => {
    for (const { tell } of works.values()) tell()
  })
  return {
    run: <T>(key: string, work: () => Promise<T>, { lane, onTrouble = () => {}, commits = false }: QueuedWork) => {
      const running = works.get(key)
      if (running) {
        onTrouble()
        // One key is one message, so its work answers alike.
        return running.done as Promise<T>
      }
      if (works.size >= atOnce + most) return Promise.reject(full(log, works.size))
      const tell = once(onTrouble)
      const long = setTimeout(tell, untilLong(lane))
      const persisted = async () => {
        const result = await trials.persist(work)
        if (commits) committedAt = performance.now()
        return result
      }
      const done = inTurn(lane, persisted).finally(() => {
        clearTimeout(long)
        lines.leave(lane)
        works.delete(key)
        metrics.held.set(works.size)
      })
      works.set(key, { done, tell, since: performance.now() })
      metrics.held.set(works.size)
      if (trials.inTrouble()) tell()
      return done
    },
    pendingCount: () => works.size,
    isProgressing: () => {
      const [oldest] = works.values()
      return !oldest || performance.now() - Math.max(oldest.since, committedAt) < stillMs
    },
    stop: () => stopping.abort(),
  }
}
