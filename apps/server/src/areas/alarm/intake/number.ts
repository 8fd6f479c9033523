import { zone } from '@tocsin/contract/codecs'
import { type RawBuilder, sql } from 'kysely'

/**
 * `YJ` + day in the configured zone + a number that is never reused and never ends: at least six digits, more when it
 * has grown (a fixed width was the worst outage of an emergency network, trust finding 10).
 */
export const nextRecordNo = (): RawBuilder<string> => sql<string>`(
  select 'YJ' || to_char(now() at time zone ${zone.name}, 'YYYYMMDD') || lpad(n::text, greatest(6, length(n::text)), '0')
  from (select nextval('warn_record_no_seq') as n) as counter)`
