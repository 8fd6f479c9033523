import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#db/db'

/**
 * Since when this node has been listening without a gap, told to the others by a row. Whoever judges silence asks the
 * whole cluster: a device that fell silent when its node died must first have had the time to come to another.
 */
export type NodePresence = {
  /** Says that this node lives; throws when the database is away. */
  heartbeat: () => Promise<void>
  /** The same, where the last time is so long ago that silence may be ours. */
  heartbeatIfStale: () => Promise<void>
  leave: () => Promise<void>
}

/** Silence of this process or of its database for so long: it may have missed what devices said. */
const DEAF_MS = 10_000
const GONE = sql`interval '15 seconds'`
const FORGOTTEN = sql`interval '7 days'`

/** For SQL: since when every node has been listening; a node that is gone counts as deaf at its last word. */
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
    // Not the time of the answer: while the database kept us waiting, signs of life waited too.
    lastAt = startedAt
    if (deaf) await db.deleteFrom('gatewayNode').where('beatAt', '<', sql<Date>`now() - ${FORGOTTEN}`).execute()
  }
  return {
    heartbeat: beat,
    heartbeatIfStale: async () => {
      if (isDeaf()) await beat()
    },
    // The row stays to say since when this node's devices are unheard: they come back to another.
    leave: async () => {
      await db.updateTable('gatewayNode').set({ beatAt: sql<Date>`now()` }).where('id', '=', id).execute()
    },
  }
}
