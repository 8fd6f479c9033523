import type { Selectable } from 'kysely'
import type { Db } from '#db/db'
import type { AllTables } from '#db/tables'
import { UNPARSABLE } from '../intake/normalize-signal.ts'

type ResetColumns = Pick<
  Selectable<AllTables['warnRecord']>,
  'class' | 'code' | 'state' | 'deviceId' | 'resetAt' | 'condition'
>

/**
 * Whether the button of panic records is reset. That is a fact about the button: a reset after a move counts for the record
 * of the old room, and a further press latches it for all of its records. Records keep what was true at their end.
 * @returns a function that completes a record that is not closed, or that a verb may open again.
 */
export const loadButtonState = async (db: Db, records: readonly ResetColumns[]) => {
  const isButton = ({ class: kind, deviceId }: ResetColumns) => kind === 'PANIC' && deviceId !== null
  const deviceIds = [...new Set(records.filter(isButton).flatMap(({ deviceId }) => deviceId ?? []))]
  const rows =
    deviceIds.length === 0
      ? []
      : await db
          .selectFrom('deviceState')
          .select(['deviceId', 'latched', 'resetAt'])
          .where('deviceId', 'in', deviceIds)
          .where('latched', 'is not', null)
          .execute()
  const states = new Map(rows.map((row) => [row.deviceId, row]))
  return <T extends ResetColumns>(record: T): T => {
    const state = isButton(record) ? states.get(record.deviceId ?? 0) : undefined
    if (!state) return record
    if (record.state === 'RESOLVED' && record.resetAt !== null) return { ...record, condition: 'RECOVERED' }
    // An unreadable message does not latch the button, but only a reset after it counts for its record.
    if (record.code === UNPARSABLE && record.condition === 'ACTIVE') return record
    return { ...record, resetAt: state.resetAt, condition: state.latched ? 'ACTIVE' : 'RECOVERED' }
  }
}
