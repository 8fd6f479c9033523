import { sql } from 'kysely'
import { forgetOld } from './areas/system/auth/session.ts'
import { forgetFiles } from './areas/system/file/forget.ts'
import { forgetLogins } from './areas/system/log/login-log.ts'
import type { Log } from './config.ts'
import type { Db } from './db/db.ts'

const EVERY_MS = 3_600_000
const BATCH = 10_000

/** Numbered events live 24 h for pages that come back (DESIGN 5); deleted in batches, so that nobody waits. */
const forgetEvents = async (db: Db): Promise<void> => {
  for (;;) {
    const old = db
      .selectFrom('event')
      .select('id')
      .where('seq', 'is not', null)
      .where('at', '<', sql<Date>`now() - interval '25 hours'`)
      .limit(BATCH)
    const [done] = await db.deleteFrom('event').where('id', 'in', old).execute()
    if (Number(done?.numDeletedRows ?? 0) < BATCH) return
  }
}

/** Timer rows stay as long as a stale holder could still wake: their key is what makes each step happen once. */
const forgetTimers = (db: Db) =>
  db.deleteFrom('timer').where('doneAt', '<', sql<Date>`now() - interval '30 days'`).execute()

/** What may be forgotten, each hour on every node; doing it twice does no harm. */
export const startHousekeeping = ({ db, log }: { db: Db; log: Log }): { stop: () => void } => {
  const tidy = async () => {
    for (const forget of [forgetOld, forgetEvents, forgetTimers, forgetLogins, forgetFiles])
      try {
        await forget(db)
      } catch (error) {
        log.warn(`housekeeping goes on in an hour: ${error instanceof Error ? error.message : String(error)}`)
      }
  }
  const timer = setInterval(() => void tidy(), EVERY_MS)
  void tidy()
  return { stop: () => clearInterval(timer) }
}
