import { sql } from 'kysely'
import type { Log } from '../config.ts'
import type { Db } from '#db/db'

/** A timer this late means that no scheduler runs or that its handler fails. */
export const LATE_SEC = 30
const EVERY_MS = 15_000

export type Overdue = { count: number; oldestSec: number }

/** Counts timers that should have fired more than LATE_SEC ago. */
export const countOverdue = async (db: Db): Promise<Overdue> => {
  const { rows } = await sql<Overdue>`
    select count(*) as count, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as oldest_sec
    from timer where done_at is null and due_at < now() - make_interval(secs => ${LATE_SEC})`.execute(db)
  return rows[0] ?? { count: 0, oldestSec: 0 }
}

/** The delay of the oldest of them, for a screen that depends on it; null: none is late. */
export const oldestOverdueSec = sql<number | null>`(
  select round(extract(epoch from now() - min(due_at)))::int4
  from timer where done_at is null and due_at < now() - make_interval(secs => ${LATE_SEC}))`

export type OverdueMonitorDeps = { db: Db; log: Log; onOverdue: (overdue: Overdue) => void }

/** Checks once. A scheduler cannot be trusted to report that it stands still. */
export const checkOverdue = async ({ db, log, onOverdue }: OverdueMonitorDeps): Promise<void> => {
  try {
    const overdue = await countOverdue(db)
    onOverdue(overdue)
    if (overdue.count > 0)
      log.error(`${overdue.count} timer steps are late, the oldest by ${Math.round(overdue.oldestSec)} s`)
  } catch (error) {
    log.error(`timers cannot be audited: ${String(error)}`)
  }
}

/** Checks every 15 s until stopped. */
export const startOverdueMonitor = (parts: OverdueMonitorDeps): { stop: () => void } => {
  const timer = setInterval(() => void checkOverdue(parts), EVERY_MS)
  return { stop: () => clearInterval(timer) }
}
