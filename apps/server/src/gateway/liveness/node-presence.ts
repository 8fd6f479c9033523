import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#db/db'

/**
 * Stores since when this node has been listening without a gap. Silence of a device is evaluated for the whole cluster: a
 * device whose node died needs time to reach another node.
 */
export type NodePresence = {
  /** Writes that this node is alive; throws when the database is unavailable. */
  heartbeat: () => Promise<void>
  /** The same, but only when the last heartbeat is so old that this node may have missed messages. */
  heartbeatIfStale: () => Promise<void>
  leave: () => Promise<void>
}

/** After a stall of this length the node may have missed messages of devices. */
const DEAF_MS = 10_000
const GONE = sql`interval '15 seconds'`
const FORGOTTEN = sql`interval '7 days'`

/** SQL: since when every node has been listening. A node that is gone stopped listening at its last heartbeat. */
export const clusterListeningSince = sql<Date>`(
  select max(case when beat_at > now() - ${GONE} then listening_since else beat_at end) from gateway_node)`

/** @param clock monotonic, in ms. */
export const createNodePresence = (db: Db, clock: () => number = () => performance.now()): NodePresence => {
  const id = randomUUID()
  let lastAt = -Infinity
  const isDeaf = () => clock() - lastAt > DEAF_MS
  const beat = async () => {
    const startedAt = clock()
    const deaf = isDeaf()
    const since = sql<Date>`case when ${deaf}::boolean then now() else gateway_node.listening_since end`
    await db
      .insertInto('gatewayNode')
      .values({ id })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ beatAt: sql<Date>`now()`, listeningSince: since }))
      .execute()
    // Not the time of the answer: while this query waited for the database, device activity waited too.
    lastAt = startedAt
    if (deaf) await db.deleteFrom('gatewayNode').where('beatAt', '<', sql<Date>`now() - ${FORGOTTEN}`).execute()
  }
  return {
    heartbeat: beat,
    heartbeatIfStale: async () => {
      if (isDeaf()) await beat()
    },
    // The row stays: it shows since when no node has heard the devices of this one.
    leave: async () => {
      await db.updateTable('gatewayNode').set({ beatAt: sql<Date>`now()` }).where('id', '=', id).execute()
    },
  }
}
