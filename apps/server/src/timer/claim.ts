import { type Kysely, sql } from 'kysely'
import type { Db } from '#db/db'
import { rowsFromJson } from '#db/bulk-rows'
import type { OpenTables } from '#db/tables'
import type { TimerKey } from './timer.ts'

/** Timers claimed at once, as many as run at once: those of a node that dies are late by its lease. */
export const CLAIM_BATCH = 64
/** A holder without an update for this long has lost its timers; `fence` keeps it from writing afterwards. */
export const TIMER_LEASE_SEC = 10
const RETRY_MAX_SEC = 30

export type ClaimedTimer = TimerKey & { dueAt: Date; fence: number; attempts: number }

/** Claims due timers without a holder, oldest first (DESIGN 3), by one conditional update. */
export const claimDue = async (
  db: Db,
  kinds: readonly string[],
  most: number = CLAIM_BATCH,
): Promise<ClaimedTimer[]> => {
  const { rows } = await sql<ClaimedTimer>`
    with due as materialized (
      select kind, subject_id, step, epoch from timer
      where done_at is null and due_at <= now() and (lease_until is null or lease_until <= now())
        and kind = any(${kinds})
      order by due_at limit ${most} for update skip locked
    )
    update timer t
    set lease_until = now() + make_interval(secs => ${TIMER_LEASE_SEC}), fence = t.fence + 1, attempts = t.attempts + 1
    from due where t.kind = due.kind and t.subject_id = due.subject_id and t.step = due.step and t.epoch = due.epoch
    returning t.kind, t.subject_id, t.step, t.epoch, t.due_at, t.fence, t.attempts`.execute(db)
  return rows.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
}

const mine = (db: Kysely<OpenTables>, held: ClaimedTimer) =>
  db
    .updateTable('timer')
    .where('kind', '=', held.kind)
    .where('subjectId', '=', held.subjectId)
    .where('step', '=', held.step)
    .where('epoch', '=', held.epoch)
    .where('fence', '=', held.fence)
    .where('doneAt', 'is', null)

const claimedFrom = rowsFromJson({
  kind: 'text',
  subjectId: 'bigint',
  step: 'text',
  epoch: 'integer',
  fence: 'integer',
})

export const formatTimerKey = ({ kind, subjectId, step, epoch }: TimerKey) => `${kind} ${subjectId} ${step} (${epoch})`

/**
 * Completes timers in the transaction of their effects.
 * @returns those that still belonged to the holder; the others were claimed by another holder, rescheduled or cancelled
 * meanwhile. The lists beside the join make PostgreSQL look rows up by key instead of scanning the table.
 */
export const completeTimers = async (trx: Db, held: readonly ClaimedTimer[]): Promise<ClaimedTimer[]> => {
  const { rows } = await sql<TimerKey>`
    update timer t
    set done_at = now(), outcome = 'FIRED', lease_until = null, last_error = null, attempts = 0
    from ${claimedFrom(held)}
    where t.kind = any(${held.map(({ kind }) => kind)}) and t.subject_id = any(${held.map(({ subjectId }) => subjectId)})
      and t.kind = row.kind and t.subject_id = row."subjectId" and t.step = row.step and t.epoch = row.epoch
      and t.fence = row.fence and t.done_at is null
    returning t.kind, t.subject_id, t.step, t.epoch`.execute(trx)
  const ended = new Set(rows.map(formatTimerKey))
  return held.filter((item) => ended.has(formatTimerKey(item)))
}

/** Failed: retried after 1, 2, 4 … at most 30 s. `due_at` stays, so that the monitor sees the delay. */
export const retryLater = async (db: Db, held: ClaimedTimer, error: unknown): Promise<void> => {
  const seconds = Math.min(RETRY_MAX_SEC, 2 ** Math.min(held.attempts - 1, 10))
  const lastError = String(error instanceof Error ? error.message : error).slice(0, 500)
  await mine(db, held)
    .set({ leaseUntil: sql`now() + make_interval(secs => ${seconds})`, lastError })
    .execute()
}

/** Releases a claimed timer that was not started. */
export const releaseTimer = async (db: Db, held: ClaimedTimer): Promise<void> => {
  await mine(db, held)
    .set({ leaseUntil: null, attempts: held.attempts - 1 })
    .execute()
}

/** Milliseconds until the next timer is due or may be retried; undefined when none is scheduled. */
export const msUntilNextDue = async (db: Db, kinds: readonly string[]): Promise<number | undefined> => {
  const { rows } = await sql<{ ms: number | null }>`
    select extract(epoch from min(greatest(due_at, lease_until)) - now())::float8 * 1000 as ms
    from (
      select due_at, lease_until from timer
      where done_at is null and kind = any(${kinds}) order by due_at limit ${2 * CLAIM_BATCH}
    ) as soonest`.execute(db)
  return rows[0]?.ms ?? undefined
}
