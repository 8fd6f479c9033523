import { retryTransaction, isTransient } from '#db/retry'
import type { Db } from '#db/db'
import { wakeSequencer } from '#db/event'
import { isDatabaseUnavailable } from '#http/errors'
import { faultPoint } from '../../fault-injection.ts'
import { invalidateRuleCache, loadRules } from './intake/evaluate-rules.ts'
import { type IngestResult, ingestAll, type IngestRequest } from './intake/ingest-pipeline.ts'

/** Maximum number of signals in one transaction. */
const MOST = 64
/** Maximum number of parallel transactions. Signals that arrive meanwhile form the next batch. */
const AT_ONCE = 2

/** Another transaction wrote the open record or the signal first, or a rule was deleted meanwhile. */
const isTransientConflict = new Set(['warn_record_open_key', 'signal_event_key', 'warn_record_rule_id_fkey'])
/** Another transaction holds a lock for longer than a batch may wait. */
const LOCKED = '55P03'

type Failure = { code?: unknown; constraint?: unknown }

const isRetryable = (error: unknown): boolean => {
  const { constraint } = (error ?? {}) as Failure
  if (constraint === 'warn_record_rule_id_fkey') invalidateRuleCache()
  return isTransient(error) || (typeof constraint === 'string' && isTransientConflict.has(constraint))
}

const attempt = async (db: Db, requests: readonly IngestRequest[]): Promise<IngestResult[]> => {
  const rules = await loadRules(db)
  faultPoint('beforeTx')
  const done = await db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (trx) => {
      const taken = await ingestAll(trx, requests, rules)
      faultPoint('beforeCommit')
      return taken
    })
  faultPoint('afterCommit')
  return done
}

/** One signal may be the cause, so each signal of the batch is retried alone. */
const persist = (db: Db, requests: readonly IngestRequest[]): Promise<IngestResult[]> =>
  retryTransaction(
    () => attempt(db, requests),
    (error) => requests.length === 1 && isRetryable(error),
  )

type QueuedSignal = {
  request: IngestRequest
  /** The signal was part of a batch that failed. It runs alone, so that it cannot delay others again. */
  alone: boolean
  resolve: (taken: IngestResult) => void
  reject: (error: unknown) => void
}

/** Devices with a signal in progress, and the waiting signals in the order of arrival. */
type Queue = { waiting: QueuedSignal[]; busy: Set<number>; running: number; called: boolean }

/** The next batch. It contains one signal of a device at most, so that each sees the result of the previous one. */
const pick = (queue: Queue): QueuedSignal[] => {
  const passed = new Set(queue.busy)
  const chosen: QueuedSignal[] = []
  const left: QueuedSignal[] = []
  for (const item of queue.waiting) {
    const fits = chosen.length === 0 || (chosen.length < MOST && !item.alone && !chosen[0]?.alone)
    if (fits && !passed.has(item.request.deviceId)) chosen.push(item)
    else left.push(item)
    passed.add(item.request.deviceId)
  }
  queue.waiting = left
  return chosen
}

const run = async (db: Db, queue: Queue, batch: readonly QueuedSignal[]): Promise<void> => {
  try {
    const taken = await persist(
      db,
      batch.map(({ request }) => request),
    )
    wakeSequencer()
    for (const [i, { resolve, reject }] of batch.entries()) {
      const value = taken[i]
      if (value) resolve(value)
      else reject(new Error('a signal was taken in without an answer'))
    }
  } catch (error) {
    const apart = batch.length > 1 && (!isDatabaseUnavailable(error) || (error as Failure).code === LOCKED)
    if (apart) queue.waiting.unshift(...batch.map((item) => ({ ...item, alone: true })))
    else for (const { reject } of batch) reject(error)
  }
}

const go = (db: Db, queue: Queue): void => {
  while (queue.running < AT_ONCE) {
    const batch = pick(queue)
    if (batch.length === 0) return
    const ids = batch.map(({ request }) => request.deviceId)
    queue.running += 1
    for (const id of ids) queue.busy.add(id)
    void run(db, queue, batch).finally(() => {
      queue.running -= 1
      for (const id of ids) queue.busy.delete(id)
      call(db, queue)
    })
  }
}

/** Runs after all input of this moment was read. No clock is involved. */
const call = (db: Db, queue: Queue): void => {
  if (queue.called) return
  queue.called = true
  setImmediate(() => {
    queue.called = false
    go(db, queue)
  })
}

const queues = new WeakMap<Db, Queue>()

/**
 * Ingests a signal together with the others that wait on this node now; no batch waits to be filled. Signals of one
 * device are ingested in the order of the calls. Resolves after the commit.
 */
export const ingestBatched = (db: Db, request: IngestRequest): Promise<IngestResult> =>
  new Promise((resolve, reject) => {
    const queue = queues.get(db) ?? { waiting: [], busy: new Set<number>(), running: 0, called: false }
    queues.set(db, queue)
    queue.waiting.push({ request, alone: false, resolve, reject })
    call(db, queue)
  })
