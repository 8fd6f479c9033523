import { isForward } from '@tocsin/contract/device/rollout/rollout-machine'
import type { OtaProgress } from '@tocsin/protocol/transfer'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { emitEvents, wakeSequencer } from '#db/event'
import { unscoped } from '#db/scope'

const MAX_ERROR_LENGTH = 200

/** Stores what a device reports of its update. A report of a rollout the device is not part of is left alone. */
export const applyRolloutProgress = async (db: Db, deviceId: number, progress: OtaProgress): Promise<void> => {
  const rolloutId = Number(progress.rolloutId)
  if (!Number.isSafeInteger(rolloutId)) return
  const changed = await db.transaction().execute(async (trx) => {
    const all = unscoped(trx, 'the report of a device about itself')
    const row = await all
      .selectFrom('rolloutDevice')
      .select(['id', 'state'])
      .where('rolloutId', '=', rolloutId)
      .where('deviceId', '=', deviceId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    const { state, percent, error } = progress
    const isProgress = row && row.state === state && state === 'DOWNLOADING'
    if (!row || !(isProgress || isForward(row.state, state))) return false
    await all
      .updateTable('rolloutDevice')
      .set({
        state,
        percent: percent ?? null,
        error: error?.slice(0, MAX_ERROR_LENGTH) ?? null,
        changedAt: sql<Date>`now()`,
      })
      .where('id', '=', row.id)
      .execute()
    await emitEvents(trx, { type: 'rollout.changed', ref: rolloutId })
    return true
  })
  if (changed) wakeSequencer()
}
