import type { Db } from '#db/db'
import { emitEvents, wakeSequencer } from '#db/event'
import { unscoped } from '#db/scope'
import { sql } from 'kysely'
import { scheduleAudioStop } from './audio-timer.ts'

/** A device's reply, as the protocol defines it. */
export type CommandReply = {
  commandId: string
  state: 'ACCEPTED' | 'SUCCEEDED' | 'FAILED'
  result?: Record<string, unknown> | undefined
}

/** States that each reply may follow: a repeated or older reply changes nothing. */
const before = {
  ACCEPTED: ['CREATED'],
  SUCCEEDED: ['CREATED', 'ACCEPTED'],
  FAILED: ['CREATED', 'ACCEPTED'],
} as const

/**
 * The limit of a sound session counts from the first reply of the device. A late reply counts from the expiry of the
 * message, because the device cannot have begun after it; so no reply adds more than the lifetime of the message.
 */
const stopAtOf = (state: CommandReply['state']) =>
  sql<Date | null>`case when ${state !== 'FAILED'} and accepted_at is null and stopped_at is null
    then least(now(), expires_at) + (stop_at - created_at) else stop_at end`

/** Applies a device's reply to its command. A missing command, or one of another device, is ignored. */
export const applyCommandReply = async (db: Db, deviceId: number, reply: CommandReply): Promise<void> => {
  const { commandId, state, result } = reply
  const changed = await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('deviceCommand')
      .set({
        state,
        acceptedAt: sql<Date>`coalesce(accepted_at, now())`,
        ...(state !== 'ACCEPTED' && { finishedAt: sql<Date>`now()` }),
        stopAt: stopAtOf(state),
        // A refused sound session never began.
        ...(state === 'FAILED' && { stoppedAt: sql<Date | null>`case when stop_at is not null then now() end` }),
        ...(result && { result: sql<typeof result>`${JSON.stringify(result)}::jsonb` }),
      })
      .where('deviceId', '=', deviceId)
      .where('commandId', '=', commandId)
      .where('state', 'in', before[state])
      .returning(['id', 'stoppedAt', sql<number | null>`extract(epoch from stop_at - now())::float8`.as('stopsInSec')])
      .executeTakeFirst()
    if (!row) return false
    if (row.stopsInSec !== null && row.stoppedAt === null) await scheduleAudioStop(trx, row.id, row.stopsInSec)
    const { schoolId, deptId } = await unscoped(trx, 'an event is addressed to those who see the device')
      .selectFrom('device')
      .select(['schoolId', 'deptId'])
      .where('id', '=', deviceId)
      .executeTakeFirstOrThrow()
    await emitEvents(trx, { type: 'device.command', ref: deviceId, schoolId, deptId })
    return true
  })
  if (changed) wakeSequencer()
}
