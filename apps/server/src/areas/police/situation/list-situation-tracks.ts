import type { Track } from '@tocsin/contract/alarm/track'
import { codes } from '@tocsin/contract/codes'
import { situationTracks } from '@tocsin/contract/police/situation-track'
import { sql } from 'kysely'
import { findTracks } from '#areas/alarm/track/find-tracks'
import { auditPersonalRead } from '#areas/audit/access-audit'
import type { Db } from '#db/db'
import { retryTransaction } from '#db/retry'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'

/** Whether this reader of this incident is to be audited now: a screen that follows the tracks is so once an hour. */
const shouldAudit = async (trx: Db, situationId: number, userId: number): Promise<boolean> => {
  const written = await trx
    .insertInto('situationTrackView')
    .values({ situationId, userId, auditedAt: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(['situationId', 'userId'])
        .doUpdateSet({ auditedAt: sql<Date>`now()` })
        .where('situationTrackView.auditedAt', '<', sql<Date>`now() - interval '1 hour'`),
    )
    .returning('situationId')
    .executeTakeFirst()
  return written !== undefined
}

const readTracks = async (trx: Db, caller: Caller, situationId: number): Promise<Track[]> => {
  const seen = await scoped(trx, caller.actor)
    .selectFrom('policeSituation')
    .select('id')
    .where('id', '=', situationId)
    .executeTakeFirst()
  if (!seen) throw new BusinessError(codes.notFound, { what: '警单' })
  const found = await findTracks(trx, { situationId })
  if (found.length > 0 && (await shouldAudit(trx, situationId, caller.actor.userId))) {
    const { permission: action, path: call } = situationTracks.list
    const ids = [...new Set(found.map(({ assignmentId }) => assignmentId))]
    await auditPersonalRead(trx, caller, { action, subject: 'assignment', call, filter: { situationId }, ids })
  }
  return found
}

/** Who went where, for users who see the incident. */
export const listSituationTracks = (db: Db, caller: Caller, situationId: number): Promise<Track[]> =>
  retryTransaction(() => db.transaction().execute((trx) => readTracks(trx, caller, situationId)))
