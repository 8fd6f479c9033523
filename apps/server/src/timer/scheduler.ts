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

/** What to do about one kind of timers. */
export type TimerHandler = {
  /** Steps that one transaction carries out at most. */
  most: number
  /**
   * Locks the subjects, before anything is written: whoever plans timers holds a subject and writes timers after it,
   * and so does the wheel. Unless `patient`, it passes over what somebody else holds. @returns those it locked.
   */
  lock?: (trx: Db, subjectIds: readonly number[], patient: boolean) => Promise<readonly number[]>
  /** Does what is due, of each subject one step. */
  execute: (trx: Db, keys: readonly TimerKey[]) => Promise<void>
}

export type SchedulerDeps = {
  db: Db
  /** By timer kind. */
  handlers: Readonly<Record<string, TimerHandler>>
  log: Log
}

export type Scheduler = {
  /** Finishes the steps that have begun, gives the others back. */
  stop: () => Promise<void>
}

/** Each subject once in a round: a step sees what the one before it did. */
const roundsOf = (held: readonly ClaimedTimer[]): ClaimedTimer[][] => {
  const rounds: ClaimedTimer[][] = []
  const met = new Map<number, number>()
  for (const one of held) {
    const n = met.get(one.subjectId) ?? 0
    met.set(one.subjectId, n + 1)
    rounds[n] = [...(rounds[n] ?? []), one]
  }
  return rounds
}

/** Lock, fence and effects of steps of one kind, in one transaction. @returns what was done, and what others hold. */
const fire = ({ db, handlers: steps }: SchedulerDeps, held: readonly ClaimedTimer[], patient: boolean) => {
  const kind = steps[held[0]?.kind ?? '']
  if (!kind) throw new Error(`no step function for timers of kind ${held[0]?.kind}`)
  return db.transaction().execute(async (trx) => {
    const subjects = [...new Set(held.map(({ subjectId }) => subjectId))]
    const locked = new Set((await kind.lock?.(trx, subjects, patient)) ?? subjects)
    // Waited for and not locked: the subject is gone, and its step ends without effect.
    const ready = patient ? held : held.filter(({ subjectId }) => locked.has(subjectId))
    const done = ready.length > 0 ? await completeTimers(trx, ready) : []
    for (const round of roundsOf(done)) await kind.execute(trx, round)
    return { done, left: held.filter((one) => !ready.includes(one)) }
  })
}

/**
 * Carries out one claimed step.
 * @returns what became of it: done, refused to a stale holder, or failed and to be tried again.
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

/** Several at once. @returns those that must be tried alone: somebody holds their subject, or one of all fails. */
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

/** Transactions at the same time: the timers' pool has two connections (DESIGN 3). */
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

/** One turn: claims what is due and carries it out. @returns how many steps were claimed. */
export const runDueTimers = async (parts: SchedulerDeps, stopped: AbortSignal): Promise<number> => {
  const held = await claimDue(parts.db, Object.keys(parts.handlers))
  const batches = batchesOf(parts, held)
  await Promise.all(Array.from({ length: WIDTH }, () => drain(parts, batches, stopped)))
  return held.length
}

const POLL_MS = 1000
/** A step that is due but under somebody's row lock must not make the wheel spin. */
const POLL_MIN_MS = 20

/** Until the next due time, at most a second: another node may have planned something sooner. */
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

/** Turns until stopped; any number of wheels, on any node, share the steps of one database. */
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
