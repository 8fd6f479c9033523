import { sql } from 'kysely'
import type { Db } from '../src/db/db.ts'

/** Connections to this database that wait for a lock of another one. */
export const lockWaiters =
  "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"

export const somebodyWaits = async (db: Db): Promise<boolean> =>
  (await sql.raw(lockWaiters).execute(db)).rows.length > 0
