import { openStates } from '@tocsin/contract/alarm/state-machine'
import { sql } from 'kysely'

/**
 * Whether a record is open, for a query that also names its device. Unlike the column `open` it fits only
 * `warn_record_open_device`: with the statistics of a quiet hour every index of open records looks empty, so that the
 * planner took any of them and each press read all open records.
 */
export const isOpenByState = sql<boolean>`state in (${sql.join(openStates.map((state) => sql.lit(state)))})`
