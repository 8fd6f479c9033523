import { openSituationStates } from '@tocsin/contract/police/situation-machine'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { retentionDays, type WarningLogger } from '#settings/log-retention'

/** Incidents, each with a few messages. */
const BATCH = 1000

/**
 * Deletes the messages of ended incidents, all of an incident at once: a later message refers to earlier ones, and only
 * who sent the first one may change the incident.
 */
export const deleteOldExchangeMessages = async (db: Db, log: WarningLogger): Promise<void> => {
  const days = await retentionDays(db, 'exchange.message-days', log)
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from exchange_message where situation_id in (
        select m.situation_id from exchange_message m join police_situation s on s.id = m.situation_id
        where s.state <> all(${[...openSituationStates]}::text[])
        group by m.situation_id
        having max(m.created_at) < now() - make_interval(days => ${days})
          and bool_and(m.state not in ('QUEUED', 'SENDING'))
        limit ${BATCH})`.execute(unscoped(db, 'the retention holds for the messages of every incident'))
    if (numAffectedRows < BATCH) return
  }
}
