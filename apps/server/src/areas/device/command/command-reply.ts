import type { Db } from '#db/db'
import { emitEvents, wakeSequencer } from '#db/event'
import { unscoped } from '#db/scope'
import { sql } from 'kysely'

/** What a device answers, as the protocol has it. */
export type CommandReply = {
  commandId: string
  state: 'ACCEPTED' | 'SUCCEEDED' | 'FAILED'
  result?: Record<string, unknown> | undefined
}

/** States that each answer may follow: the same answer again, or an older one, changes nothing. */
const before = {
  ACCEPTED: ['CREATED'],
  SUCCEEDED: ['CREATED', 'ACCEPTED'],
  FAILED: ['CREATED', 'ACCEPTED'],
} as const

/** Brings the answer of a device to its command. A command of another device, or none, is left alone. */
export const applyCommandReply = async (db: Db, deviceId: number, reply: CommandReply): Promise<void> => {
  const { commandId, state, result } = reply
  const changed = await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('deviceCommand')
      .set({
        state,
        acceptedAt: sql<Date>`coalesce(accepted_at, now())`,
        ...(state !== 'ACCEPTED' && { finishedAt: sql<Date>`now()` }),
        ...(result && { result: sql<typeof result>`${JSON.stringify(result)}::jsonb` }),
      })
      .where('deviceId', '=', deviceId)
      .where('commandId', '=', commandId)
      .where('state', 'in', before[state])
      .returning('id')
      .executeTakeFirst()
    if (!row) return false
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
