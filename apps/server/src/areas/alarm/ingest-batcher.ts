import { retryTransaction, isTransient } from '#db/retry'
import type { Db } from '#db/db'
import { wakeSequencer } from '#db/event'
import { isDatabaseUnavailable } from '#http/errors'
import { faultPoint } from '../../fault-injection.ts'
import { invalidateRuleCache, loadRules } from './intake/evaluate-rules.ts'
import { type IngestResult, ingestAll, type IngestRequest } from './intake/ingest-pipeline.ts'

/** Signals of one transaction at most. */
const MOST = 64
/** Transactions at the same time: what comes meanwhile waits and goes together. */
const AT_ONCE = 2

/** Somebody else was first with the open record or the signal; a rule was deleted meanwhile. */
const isTransientConflict = new Set(['warn_record_open_key', 'signal_event_key', 'warn_record_rule_id_fkey'])
/** Somebody holds a lock for longer than many may wait for it together. */
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

/** Of several it may be one that fails: each is tried alone first. */
const persist = (db: Db, requests: readonly IngestRequest[]): Promise<IngestResult[]> =>
  retryTransaction(
    () => attempt(db, requests),
    (error) => requests.length === 1 && isRetryable(error),
  )

type QueuedSignal = {
  request: IngestRequest
  /** It was in a batch that failed: nobody else may suffer from it again. */
  alone: boolean
  resolve: (taken: IngestResult) => void
  reject: (error: unknown) => void
}

/** The devices whose signals are being taken in, and what waits, in the order in which it came. */
type Queue = { waiting: QueuedSignal[]; busy: Set<number>; running: number; called: boolean }

/** The next batch: one signal of a device at a time, so that each sees what the one before it did. */
const pick = (queue: Queue): QueuedSignal[] => {
  const passed = new Set(queue.busy)
  const chosen: QueuedSignal[] = []
  const left: QueuedSignal[] = []
  for (const one of queue.waiting) {
    const fits = chosen.length === 0 || (chosen.length < MOST && !one.alone && !chosen[0]?.alone)
    if (fits && !passed.has(one.request.deviceId)) chosen.push(one)
    else left.push(one)
    passed.add(one.request.deviceId)
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
      const one = taken[i]
      if (one) resolve(one)
      else reject(new Error('a signal was taken in without an answer'))
    }
  } catch (error) {
    const apart = batch.length > 1 && (!isDatabaseUnavailable(error) || (error as Failure).code === LOCKED)
    if (apart) queue.waiting.unshift(...batch.map((one) => ({ ...one, alone: true })))
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

/** Once what has arrived at this moment was read: no clock takes part. */
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
 * Takes a signal in, together with what else waits on this node at that moment: nothing waits for a batch to fill. The
 * signals of one device are taken in the order of the calls. Committed when it resolves.
 */
export const ingestBatched = (db: Db, request: IngestRequest): Promise<IngestResult> =>
  new Promise((resolve, reject) => {
    const queue = queues.get(db) ?? { waiting: [], busy: new Set<number>(), running: 0, called: false }
    queues.set(db, queue)
    queue.waiting.push({ request, alone: false, resolve, reject })
    call(db, queue)
  })
