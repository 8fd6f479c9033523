import { PgBoss } from 'pg-boss'
import type pg from 'pg'

/** The schema of the queue's tables, beside ours. */
export const QUEUE_SCHEMA = 'pgboss'
export const QUEUE = 'job'
/** The queue of jobs that failed too often. */
export const DEAD_QUEUE = 'job-dead'

/** Retries after the first attempt. */
const RETRIES = 5
const HOURS = 3600

const retries = {
  retryLimit: RETRIES,
  retryDelay: 1,
  retryBackoff: true,
  // A worker without a heartbeat for this long is considered dead. This is the queue's minimum.
  heartbeatSeconds: 10,
  expireInSeconds: 6 * HOURS,
  deleteAfterSeconds: 24 * HOURS,
} as const

/** Migrates the queue's own tables. This is DDL, so it runs as the owner, before the grants. */
export const installQueue = async (client: pg.ClientBase): Promise<void> => {
  const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
  const boss = new PgBoss({ db, schema: QUEUE_SCHEMA, supervise: false, schedule: false })
  // Errors reject the calls below, so this event needs no handling.
  boss.on('error', () => undefined)
  try {
    await boss.start()
    await boss.createQueue(DEAD_QUEUE, { retryLimit: RETRIES })
    await boss.createQueue(QUEUE, { ...retries, deadLetter: DEAD_QUEUE })
  } finally {
    await boss.stop({ graceful: false })
  }
}
