import { hash } from 'node:crypto'
import type { Log } from '#config'
import { metrics } from '#metrics'
import type { StorageStatus } from '#db/storage/storage-status'
import { createCopyWaiters, type Copies, type LinkRef } from './copy-waiters.ts'
import { createFairQueue } from './fair-queue.ts'
import { createRetries } from './retries.ts'
import { QueueFullError } from './queue-full.ts'

type QueuedWork = {
  /** The works of one lane, usually a device, run in their order. */
  lane: string | number
  /** Called once when the database makes messages wait, or when many other messages do. */
  onTrouble?: (() => void) | undefined
  /** The end of this work is a commit of the intake, which shows progress. A read does not. */
  commits?: boolean
  /** The connection that the message came over. A copy of a pending message is dropped with it. */
  link?: LinkRef | undefined
}

/** Identifies a message without an id by all of its bytes, so that two different messages never share a key. */
export const messageKey = (deviceId: number, channel: string, bytes: Uint8Array): string =>
  `${deviceId}:${channel}:${hash('sha256', bytes)}`

export type RetryQueue = {
  /** Does the work until it succeeds, or rejects with QueueFullError. The same key at the same time is the same work. */
  run: <T>(key: string, work: () => Promise<T>, options: QueuedWork) => Promise<T>
  /** Drops the copies that came over a link that ended. The messages themselves stay. */
  endLink: (link: LinkRef) => void
  pendingCount: () => number
  /** False when a message has waited for long and nothing was committed meanwhile. */
  isProgressing: () => boolean
  stop: () => void
}

/**
 * A device repeats every 30 s at the slowest, and two queries reach their limit of 12 s in that time (trust X42).
 */
const STILL_MS = 30_000

/** The device keeps the message and repeats it. The log and the metric report that this node accepts no more. */
const rejectFull = (log: Log, pending: number): QueueFullError => {
  metrics.overloadRejections.inc()
  log.warn(`${pending} messages of devices wait for the database: further ones are rejected, the devices keep them`)
  return new QueueFullError('too many messages wait for the database')
}

/** `concurrency` works run at the same time (X05), and `maxPending` others wait. After `longMs` a work reports trouble. */
type RetryQueueOptions = {
  concurrency?: number
  maxPending?: number
  longMs?: number
  stillMs?: number | undefined
  storage?: StorageStatus | undefined
  log: Log
}

/** The first commit after so long ends an outage. While commits follow each other, one locked record is no outage. */
const OUTAGE_MS = 1000

const trackCommits = (storage: StorageStatus | undefined, onOutageEnd: () => void) => {
  let committedAt = -Infinity
  return {
    failed: (error: unknown) => storage?.failed(error),
    committed: () => {
      const sinceLast = performance.now() - committedAt
      committedAt = performance.now()
      storage?.stored()
      if (sinceLast > OUTAGE_MS) onOutageEnd()
    },
    lastAt: () => committedAt,
  }
}

type PendingWork = {
  done: Promise<unknown>
  since: number
  /** Reading of performance.now() at which the work reports trouble. */
  troubleAt: number
  onTrouble: (() => void) | undefined
  copies: Copies | undefined
}

/** How often the queue looks for works that wait for long. */
const LOOK_MS = 1000

const reportTrouble = (pending: PendingWork): void => {
  const { onTrouble } = pending
  pending.onTrouble = undefined
  onTrouble?.()
}

/** The pending messages by their key. One timer for all: a timer for each would cost more memory than the message. */
const createPendingWorks = (lookMs: number) => {
  const works = new Map<string, PendingWork>()
  const changed = () => metrics.pendingMessages.set(works.size)
  const timer = setInterval(() => {
    const now = performance.now()
    for (const pending of works.values()) if (pending.troubleAt <= now) reportTrouble(pending)
  }, lookMs).unref()
  return {
    get: (key: string) => works.get(key),
    count: () => works.size,
    oldest: () => works.values().next().value,
    add: (key: string, pending: PendingWork): void => {
      works.set(key, pending)
      changed()
    },
    /** @returns the copies that wait for the same answer. */
    remove: (key: string): Copies | undefined => {
      const copies = works.get(key)?.copies
      works.delete(key)
      changed()
      return copies
    },
    reportAll: (): void => {
      for (const pending of works.values()) reportTrouble(pending)
    },
    stop: () => clearInterval(timer),
  }
}

/**
 * Keeps alarms and events while the database is in trouble or overloaded: no receipt before the commit, and no link is
 * cut (X05). A device whose link is cut sends everything again, so that cutting links would never end an overload. A
 * hundred thousand messages may wait, so a waiting message consists of few objects.
 */
export const createRetryQueue = (options: RetryQueueOptions): RetryQueue => {
  const { concurrency = 2000, maxPending = 400_000, longMs = 10_000, stillMs = STILL_MS, log, storage } = options
  const works = createPendingWorks(Math.min(LOOK_MS, longMs / 2))
  const queue = createFairQueue(concurrency)
  const waiters = createCopyWaiters()
  const stopping = new AbortController()
  const retries = createRetries(log, stopping.signal, works.reportAll)
  // Without this the lanes behind would wait out the longest pause after the database is back.
  const tracker = trackCommits(storage, retries.endOutage)
  /**
   * A work waits at least as long as the first one of its lane, so both report trouble together: otherwise the ping behind
   * four messages was answered after forty seconds, and the device had hung up. Each waits its own time once the queue is
   * half full.
   */
  const msUntilTrouble = (lane: string | number): number =>
    works.count() < maxPending / 2 ? Math.max(0, longMs - queue.oldestMs(lane)) : longMs
  const join = (running: PendingWork, { onTrouble, link }: QueuedWork): Promise<unknown> => {
    onTrouble?.()
    return link ? waiters.join((running.copies ??= new Map()), link) : running.done
  }
  return {
    run: <T>(key: string, work: () => Promise<T>, queued: QueuedWork) => {
      const running = works.get(key)
      // A key identifies one message, so the result has the same type.
      if (running) return join(running, queued) as Promise<T>
      if (works.count() >= concurrency + maxPending) return Promise.reject(rejectFull(log, works.count()))
      const { lane, onTrouble, commits = false } = queued
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const execute = async (): Promise<void> => {
        try {
          const result = await retries.persist(work, commits ? tracker.failed : undefined)
          if (commits) tracker.committed()
          waiters.settle(works.remove(key), (copy) => copy.resolve(result))
          resolve(result)
        } catch (error) {
          waiters.settle(works.remove(key), (copy) => copy.reject(error))
          reject(error)
        }
      }
      const since = performance.now()
      const pending = { done: promise, since, troubleAt: since + msUntilTrouble(lane), onTrouble, copies: undefined }
      works.add(key, pending)
      if (retries.inTrouble() || pending.troubleAt <= since) reportTrouble(pending)
      queue.add(lane, execute)
      return promise
    },
    endLink: waiters.endLink,
    pendingCount: works.count,
    isProgressing: () => {
      const oldest = works.oldest()
      return !oldest || performance.now() - Math.max(oldest.since, tracker.lastAt()) < stillMs
    },
    stop: () => {
      works.stop()
      stopping.abort()
    },
  }
}
