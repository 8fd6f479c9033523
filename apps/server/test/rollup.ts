import { refreshRollup } from '#areas/insight/rollup/refresh-rollup'
import type { Db } from '#db/db'

/** Refreshes until nothing is left, in slices of few records. */
export const completeRollup = async (db: Db, sliceRecords = 3): Promise<void> => {
  while (await db.transaction().execute((trx) => refreshRollup(trx, sliceRecords)));
}
