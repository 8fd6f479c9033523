import { TRACK_KEPT_DAYS } from '@tocsin/contract/alarm/track'
import { sql } from 'kysely'
import type { Db } from '#db/db'

const BATCH = 10_000

/** Deletes positions that are older than their retention, in batches. */
export const deleteOldPositions = async (db: Db): Promise<void> => {
  for (;;) {
    const old = db
      .selectFrom('assignmentPosition')
      .select('id')
      .where('receivedAt', '<', sql<Date>`now() - make_interval(days => ${TRACK_KEPT_DAYS})`)
      .limit(BATCH)
    const [done] = await db.deleteFrom('assignmentPosition').where('id', 'in', old).execute()
    if (Number(done?.numDeletedRows ?? 0) < BATCH) return
  }
}
