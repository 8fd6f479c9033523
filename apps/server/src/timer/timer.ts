import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/db'

/** A persisted timer. It fires once per (kind, subject, step, epoch), on any node, by the database clock. */
export type TimerKey = { kind: string; subjectId: number; step: string; epoch: number }

/** Reschedules a pending timer, or schedules it again after it ended (a restarted T1 within one epoch). */
export const scheduleTimer = async (trx: Db, key: TimerKey, seconds: number | RawBuilder<number>) => {
  const dueAt = sql<Date>`now() + make_interval(secs => ${seconds})`
  await trx
    .insertInto('timer')
    .values({ ...key, dueAt })
    .onConflict((conflict) =>
      conflict.constraint('timer_step_key').doUpdateSet({
        dueAt,
        doneAt: null,
        outcome: null,
        leaseUntil: null,
        attempts: 0,
        lastError: null,
        // The fence changed, so the effects of the old holder are rejected.
        fence: sql`timer.fence + 1`,
      }),
    )
    .execute()
}

/** Cancels pending timers of a subject: the named ones, or all. */
export const cancelTimers = async (
  trx: Db,
  subject: Pick<TimerKey, 'kind' | 'subjectId'>,
  steps?: readonly string[],
) => {
  let pending = trx
    .updateTable('timer')
    .set({ doneAt: sql`now()`, outcome: 'CANCELLED', fence: sql`fence + 1` })
    .where('kind', '=', subject.kind)
    .where('subjectId', '=', subject.subjectId)
    .where('doneAt', 'is', null)
  if (steps) pending = pending.where('step', 'in', steps)
  await pending.execute()
}
