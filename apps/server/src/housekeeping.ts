import { sql } from 'kysely'
import { deleteExpiredSessions } from './areas/access/sign-in/session.ts'
import { deleteExpiredCodes } from './areas/access/sign-in/verification-code/code.ts'
import { retentionDays } from './settings/log-retention.ts'
import { deleteExpiredFiles } from './areas/files/garbage-collection.ts'
import { forgetJobs } from './areas/files/export/job.ts'
import { createAuditRetention } from './areas/audit/log/audit-retention.ts'
import { deleteOldLogins } from './areas/audit/log/login-log.ts'
import { retentionKey } from './areas/audit/log/retention-proof.ts'
import { deleteOldMessages } from './areas/access/outbound/queue.ts'
import { deleteExpiredTickets } from './areas/access/sign-in/qr/qr.ts'
import { deleteExpiredStates } from './areas/access/sign-in/social/oauth-flow.ts'
import { deleteOldPositions } from './areas/alarm/track/delete-positions.ts'
import { deleteOldVisits } from './areas/insight/visit.ts'
import { deleteOldExchangeMessages } from './areas/police/exchange/delete-old-messages.ts'
import type { Log } from './config.ts'
import type { Db } from './db/db.ts'

const EVERY_MS = 3_600_000
const BATCH = 10_000

/** Numbered events are kept 24 h for pages that reconnect (DESIGN 5), and deleted in batches, so that nothing waits. */
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

/** Timer rows are kept as long as a stale holder could return: their key makes each timer fire once. */
const forgetTimers = (db: Db) =>
  db.deleteFrom('timer').where('doneAt', '<', sql<Date>`now() - interval '30 days'`).execute()

/** By then a captured request of a device is useless: what it would fetch has expired. */
const forgetNonces = async (db: Db): Promise<void> => {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from device_nonce where (device_id, nonce) in (
        select device_id, nonce from device_nonce where at < now() - interval '7 days' limit ${BATCH})`.execute(db)
    if (numAffectedRows < BATCH) return
  }
}

const MONTHS_AHEAD = 2

/** Minimum days for tables partitioned by month; sign-ins have their own setting, see `deleteOldLogins`. */
const daysOf = { device_message: 100, device_connectivity: 400 } as const

const maintainTable = (db: Db, table: string, days: number) =>
  sql`select tend_partitions(${table}, ${MONTHS_AHEAD}, make_interval(hours => ${24 * days}))`.execute(db)

/**
 * Creates the partitions of the next months and drops expired ones; rows outside of any month are deleted in batches.
 */
export const maintainPartitions = async (db: Db): Promise<void> => {
  await maintainTable(db, 'login_log', await retentionDays(db, 'log.login-days'))
  for (const [table, days] of Object.entries(daysOf)) {
    await maintainTable(db, table, days)
    const rest = sql.table(`${table}_rest`)
    for (;;) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${rest} where ctid = any(array(
          select ctid from ${rest} where at < now() - make_interval(days => ${days}) limit ${BATCH}))`.execute(db)
      if (numAffectedRows < BATCH) break
    }
  }
}

const forgetSignIn = [
  deleteExpiredSessions,
  deleteExpiredCodes,
  deleteExpiredTickets,
  deleteExpiredStates,
  deleteOldMessages,
]

type Housekeeping = { db: Db; log: Log; masterKey: Buffer }

/** Runs every hour on every node; running twice is harmless. */
export const startHousekeeping = ({ db, log, masterKey }: Housekeeping): { stop: () => void } => {
  const forgetAudit = createAuditRetention(log, retentionKey(masterKey))
  let ended = false
  const tidy = async () => {
    for (const forget of [
      ...forgetSignIn,
      forgetEvents,
      forgetTimers,
      (on: Db) => deleteOldLogins(on, log),
      forgetAudit,
      deleteExpiredFiles,
      forgetJobs,
      forgetNonces,
      deleteOldVisits,
      deleteOldPositions,
      (on: Db) => deleteOldExchangeMessages(on, log),
      maintainPartitions,
    ]) {
      if (ended) return
      try {
        await forget(db)
      } catch (error) {
        if (!ended)
          log.warn(`housekeeping goes on in an hour: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  const timer = setInterval(() => void tidy(), EVERY_MS)
  void tidy()
  const stop = () => {
    ended = true
    clearInterval(timer)
  }
  return { stop }
}
