import type { Log } from '../config.ts'
import type { Db } from '#db/db'
import { wakeSequencer } from '#db/event'
import {
  claimDue,
  completeTimers,
  releaseTimer,
  type ClaimedTimer,
  formatTimerKey,
  retryLater,
  msUntilNextDue,
} from './claim.ts'
import type { TimerKey } from './timer.ts'

/** The handler of one kind of timer. */
export type TimerHandler = {
  /** Timers that one transaction executes at most. */
  most: number
  /**
   * Locks the subjects before anything is written: code that schedules timers locks a subject and then writes its
   * timers, and the scheduler uses the same order. Unless `patient`, it skips subjects that are locked. @returns those
   * it locked.
   */
  lock?: (trx: Db, subjectIds: readonly number[], patient: boolean) => Promise<readonly number[]>
  /** Executes due timers, one per subject. */
  execute: (trx: Db, keys: readonly TimerKey[]) => Promise<void>
}

export type SchedulerDeps = {
  db: Db
  /** Handlers by timer kind. */
  handlers: Readonly<Record<string, TimerHandler>>
  log: Log
  /** Timers claimed at once; all are executed before more are claimed. */
  claimBatch?: number
}

export type Scheduler = {
  /** Completes the timers that have started and releases the others. */
  stop: () => Promise<void>
}

/** Each subject once in a round: a timer sees the effects of the one before it. */
const roundsOf = (held: readonly ClaimedTimer[]): ClaimedTimer[][] => {
  const rounds: ClaimedTimer[][] = []
  const met = new Map<number, number>()
  for (const item of held) {
    const n = met.get(item.subjectId) ?? 0
    met.set(item.subjectId, n + 1)
    rounds[n] = [...(rounds[n] ?? []), item]
  }
  return rounds
}

/**
 * Locks, fences and executes timers of one kind in one transaction. @returns the executed ones and those that others
 * hold.
 */
const fire = ({ db, handlers: steps }: SchedulerDeps, held: readonly ClaimedTimer[], patient: boolean) => {
  const kind = steps[held[0]?.kind ?? '']
  if (!kind) throw new Error(`no step function for timers of kind ${held[0]?.kind}`)
  return db.transaction().execute(async (trx) => {
    const subjects = [...new Set(held.map(({ subjectId }) => subjectId))]
    const locked = new Set((await kind.lock?.(trx, subjects, patient)) ?? subjects)
    // Waited for and not locked: the subject is gone, so the timer ends without effect.
    const ready = patient ? held : held.filter(({ subjectId }) => locked.has(subjectId))
    const done = ready.length > 0 ? await completeTimers(trx, ready) : []
    for (const round of roundsOf(done)) await kind.execute(trx, round)
    return { done, left: held.filter((item) => !ready.includes(item)) }
  })
}

/**
 * Executes one claimed timer.
 * @returns whether it was done, rejected because the lease was lost, or failed and will be retried.
 */
export const executeTimer = async (parts: SchedulerDeps, held: ClaimedTimer): Promise<'done' | 'fenced' | 'failed'> => {
  try {
    const { done } = await fire(parts, [held], true)
    wakeSequencer()
    return done.length > 0 ? 'done' : 'fenced'
  } catch (error) {
    parts.log.warn(`timer ${formatTimerKey(held)} failed at attempt ${held.attempts}: ${String(error)}`)
    await retryLater(parts.db, held, error)
    return 'failed'
  }
}

/** Executes several at once. @returns those that must run alone: their subject is locked, or one of them failed. */
const executeTogether = async (
  parts: SchedulerDeps,
  held: readonly ClaimedTimer[],
): Promise<readonly ClaimedTimer[]> => {
  try {
    const { left } = await fire(parts, held, false)
    wakeSequencer()
    return left
  } catch (error) {
    parts.log.warn(`${held.length} timers are tried one by one: ${String(error)}`)
    return held
  }
}

/** Concurrent transactions: the timers' pool has two connections (DESIGN 3). */
const WIDTH = 2

const drain = async (parts: SchedulerDeps, batches: ClaimedTimer[][], stopped: AbortSignal): Promise<void> => {
  for (;;) {
    const batch = batches.shift()
    const [first, ...more] = batch ?? []
    if (!batch || !first) return
    if (stopped.aborted) for (const held of batch) await releaseTimer(parts.db, held)
    else if (more.length === 0) await executeTimer(parts, first)
    else batches.push(...(await executeTogether(parts, batch)).map((held) => [held]))
  }
}

const batchesOf = ({ handlers: steps }: SchedulerDeps, held: readonly ClaimedTimer[]): ClaimedTimer[][] =>
  [...Map.groupBy(held, ({ kind }) => kind)].flatMap(([kind, some]) => {
    const most = steps[kind]?.most ?? 1
    return Array.from({ length: Math.ceil(some.length / most) }, (_, n) => some.slice(n * most, (n + 1) * most))
  })

/** Claims due timers and executes them. @returns how many were claimed. */
export const runDueTimers = async (parts: SchedulerDeps, stopped: AbortSignal): Promise<number> => {
  const held = await claimDue(parts.db, Object.keys(parts.handlers), parts.claimBatch)
  const batches = batchesOf(parts, held)
  await Promise.all(Array.from({ length: WIDTH }, () => drain(parts, batches, stopped)))
  return held.length
}

const POLL_MS = 1000
/** A due timer under a row lock must not make the loop spin. */
const POLL_MIN_MS = 20

/** Until the next due time, at most a second: another node may have scheduled an earlier timer. */
const rest = async (parts: SchedulerDeps, stopped: AbortSignal): Promise<void> => {
  const ms = await msUntilNextDue(parts.db, Object.keys(parts.handlers))
  const wait = Math.max(POLL_MIN_MS, Math.min(POLL_MS, ms ?? POLL_MS))
  await new Promise<void>((resume) => {
    const done = () => {
      clearTimeout(timer)
      stopped.removeEventListener('abort', done)
      resume()
    }
    const timer = setTimeout(done, wait)
    stopped.addEventListener('abort', done)
    if (stopped.aborted) done()
  })
}

const run = async (parts: SchedulerDeps, stopped: AbortSignal): Promise<void> => {
  while (!stopped.aborted) {
    try {
      const claimed = await runDueTimers(parts, stopped)
      if (claimed === 0 && !stopped.aborted) await rest(parts, stopped)
    } catch (error) {
      parts.log.warn(`timers pause, the database does not answer: ${String(error)}`)
      await new Promise((resume) => setTimeout(resume, POLL_MS))
    }
  }
}

/** Runs until stopped. Any number of schedulers, on any node, share the timers of one database. */
export const startScheduler = (parts: SchedulerDeps): Scheduler => {
  const ending = new AbortController()
  const running = run(parts, ending.signal)
  return {
    stop: async () => {
      ending.abort()
      await running
    },
  }
}

/**
 * Runs sweeps: timers that work on the whole installation and may take seconds. Each worker claims a single one, so that
 * a long sweep delays no other.
 */
export const startSweepScheduler = (parts: SchedulerDeps, workers: number): Scheduler => {
  const schedulers = Array.from({ length: workers }, () => startScheduler({ ...parts, claimBatch: 1 }))
  return { stop: async () => void (await Promise.all(schedulers.map(({ stop }) => stop()))) }
}
