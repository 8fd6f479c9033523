import type { Log } from '../config.ts'
import type { Db } from '#db/db'
import { poke } from '#db/event'
import { claimDue, finish, giveBack, type Held, postpone, untilNext } from './claim.ts'
import type { TimerKey } from './timer.ts'

/**
 * Does what is due, in the given transaction. `lock` runs first in the same transaction and locks the subject's row:
 * whoever plans timers holds that row and writes timers after it, and so does the wheel.
 */
export type StepFn = ((trx: Db, key: TimerKey) => Promise<void>) & {
  lock?: (trx: Db, key: TimerKey) => Promise<void>
}

export type WheelParts = {
  db: Db
  /** By timer kind. */
  steps: Readonly<Record<string, StepFn>>
  log: Log
}

export type Wheel = {
  /** Finishes the steps that have begun, gives the others back. */
  stop: () => Promise<void>
}

/** The effects of a holder whose lease ended are rolled back: somebody else has the step, or nobody needs it. */
class Fenced extends Error {}

const fire = async ({ db, steps }: WheelParts, held: Held): Promise<void> => {
  const step = steps[held.kind]
  if (!step) throw new Error(`no step function for timers of kind ${held.kind}`)
  const { kind, subjectId, epoch } = held
  const key = { kind, subjectId, step: held.step, epoch }
  await db.transaction().execute(async (trx) => {
    await step.lock?.(trx, key)
    if (!(await finish(trx, held))) throw new Fenced()
    await step(trx, key)
  })
}

const nameOf = ({ kind, subjectId, step, epoch }: Held) => `${kind} ${subjectId} ${step} (${epoch})`

/**
 * Carries out one claimed step.
 * @returns what became of it: done, refused to a stale holder, or failed and to be tried again.
 */
export const carryOutHeld = async (parts: WheelParts, held: Held): Promise<'done' | 'fenced' | 'failed'> => {
  try {
    await fire(parts, held)
    poke()
    return 'done'
  } catch (error) {
    if (error instanceof Fenced) return 'fenced'
    parts.log.warn(`timer ${nameOf(held)} failed at attempt ${held.attempts}: ${String(error)}`)
    await postpone(parts.db, held, error)
    return 'failed'
  }
}

/** Steps run two at a time: the timers' pool has two connections (DESIGN 3). */
const WIDTH = 2

const drain = async (parts: WheelParts, batch: Held[], stopped: AbortSignal): Promise<void> => {
  for (;;) {
    const held = batch.shift()
    if (!held) return
    if (stopped.aborted) await giveBack(parts.db, held)
    else await carryOutHeld(parts, held)
  }
}

/** One turn: claims what is due and carries it out. @returns how many steps were claimed. */
export const turn = async (parts: WheelParts, stopped: AbortSignal): Promise<number> => {
  const batch = await claimDue(parts.db, Object.keys(parts.steps))
  const claimed = batch.length
  await Promise.all(Array.from({ length: WIDTH }, () => drain(parts, batch, stopped)))
  return claimed
}

const POLL_MS = 1000
/** A step that is due but under somebody's row lock must not make the wheel spin. */
const POLL_MIN_MS = 20

/** Until the next due time, at most a second: another node may have planned something sooner. */
const rest = async (parts: WheelParts, stopped: AbortSignal): Promise<void> => {
  const ms = await untilNext(parts.db, Object.keys(parts.steps))
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

const run = async (parts: WheelParts, stopped: AbortSignal): Promise<void> => {
  while (!stopped.aborted) {
    try {
      const claimed = await turn(parts, stopped)
      if (claimed === 0 && !stopped.aborted) await rest(parts, stopped)
    } catch (error) {
      parts.log.warn(`timers pause, the database does not answer: ${String(error)}`)
      await new Promise((resume) => setTimeout(resume, POLL_MS))
    }
  }
}

/** Turns until stopped; any number of wheels, on any node, share the steps of one database. */
export const startWheel = (parts: WheelParts): Wheel => {
  const ending = new AbortController()
  const running = run(parts, ending.signal)
  return {
    stop: async () => {
      ending.abort()
      await running
    },
  }
}
