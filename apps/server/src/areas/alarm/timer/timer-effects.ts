import type { TimerStep } from '@tocsin/contract/alarm/state-machine'
import { emptyWrites, type LockedRecord, flushWrites } from '#areas/alarm/intake/pending-writes'
import { chainEntries } from '#areas/alarm/record-log'
import type { VerbContext } from '#areas/alarm/verb/verb-context'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { TimerKey } from '#timer/timer'
import { loadStepSeconds } from './schedule-timers.ts'

type Reminder = { ring: boolean; payload?: Record<string, unknown> }

/** Collects effects of steps on several locked records that change no state, and writes them in one statement. */
export type TimerEffects = {
  /** Logs an entry and rings. @returns the context after it; a verb on the record comes after `write`. */
  remind: (context: VerbContext, step: string, reminder: Reminder) => VerbContext
  schedule: (key: TimerKey, seconds: number) => void
  /** Duration of a timer step for this record. */
  seconds: (record: LockedRecord, step: TimerStep) => number | null
  write: () => Promise<void>
}

/** @param scenes every record that the batch will report. */
export const openTimerEffects = async (trx: Db, contexts: readonly VerbContext[]): Promise<TimerEffects> => {
  const all = unscoped(trx, 'timer steps of a record act for nobody in particular')
  const seconds = await loadStepSeconds(
    trx,
    contexts.map(({ record }) => record),
  )
  let writes = emptyWrites()
  return {
    remind: (context, step, { ring, payload = {} }) => {
      const { record, now } = context
      const { id: ref, state, schoolId, deptId } = record
      const { rows, head } = chainEntries(record, now, [
        { kind: 'DELIVERY', verb: step, actor: 'system', from: state, to: state, payload },
      ])
      const after = { ...record, ...head }
      writes.changed.push(after)
      writes.log.push(...rows)
      writes.events.push({ type: ring ? 'alarm.again' : 'alarm.changed', ref, schoolId, deptId })
      return { ...context, record: after }
    },
    schedule: (key, seconds) => void writes.timers.push({ ...key, seconds }),
    seconds,
    write: async () => {
      if (writes.log.length === 0 && writes.timers.length === 0) return
      const written = writes
      writes = emptyWrites()
      await flushWrites(all, written)
    },
  }
}
