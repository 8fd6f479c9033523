import { type Track, tracks } from '@tocsin/contract/alarm/track'
import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { auditPersonalRead } from '#areas/audit/access-audit'
import { retryTransaction } from '#db/retry'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { findTracks } from './find-tracks.ts'

/** Whether this reader of this alarm is to be audited now: a screen that follows the tracks is so once an hour. */
const shouldAudit = async (trx: Db, recordId: number, userId: number): Promise<boolean> => {
  const written = await trx
    .insertInto('trackView')
    .values({ recordId, userId, auditedAt: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(['recordId', 'userId'])
        .doUpdateSet({ auditedAt: sql<Date>`now()` })
        .where('trackView.auditedAt', '<', sql<Date>`now() - interval '1 hour'`),
    )
    .returning('recordId')
    .executeTakeFirst()
  return written !== undefined
}

const readTracks = async (trx: Db, caller: Caller, recordId: number): Promise<Track[]> => {
  const seen = await scoped(trx, caller.actor)
    .selectFrom('warnRecord')
    .select('id')
    .where('id', '=', recordId)
    .executeTakeFirst()
  if (!seen) throw new BusinessError(codes.notFound, { what: '警情' })
  const found = await findTracks(trx, { recordId })
  if (found.length > 0 && (await shouldAudit(trx, recordId, caller.actor.userId))) {
    const { permission: action, path: call } = tracks.list
    const ids = [...new Set(found.map(({ assignmentId }) => assignmentId))]
    await auditPersonalRead(trx, caller, { action, subject: 'assignment', call, filter: { recordId }, ids })
  }
  return found
}

/** Who went where, for users who see the alarm. */
export const listTracks = (db: Db, caller: Caller, recordId: number): Promise<Track[]> =>
  retryTransaction(() => db.transaction().execute((trx) => readTracks(trx, caller, recordId)))
