import { zone } from '@tocsin/contract/time-zone'
import { type RawBuilder, sql } from 'kysely'
import type { UnscopedDb } from '#db/db'

/** In the configured zone, which is known once the server has started. */
export const today = () => sql`(now() at time zone ${zone.name})::date`

/**
 * Devices whose own fault lasts, with the time of the last report and the names of the faults. A record that a person
 * closed says nothing about the device, so its fault counts for a day after it. `at`: the moment to ask about.
 */
export const activeFaults = (_all: UnscopedDb, at: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select record.device_id, max(record.received_at) as since,
    string_agg(distinct nullif(named.fault, ''), '、') as names
  from warn_record record left join lateral unnest(record.faults) as named (fault) on true
  where record.code in ('FAULT', 'SELF_TEST_FAILED') and record.mode = 'LIVE' and record.condition = 'ACTIVE'
    and record.device_id is not null and (record.open or record.ended_at > ${at} - interval '1 day')
  group by record.device_id`
