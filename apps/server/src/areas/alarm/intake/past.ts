import type { Mode } from '@tocsin/contract/alarm/machine'
import { sql } from 'kysely'
import type { AllDb } from '#db/db'
import type { Clocked } from './clock.ts'
import { BURST_MS, pressCodes } from './match.ts'
import type { Source } from './place.ts'
import type { Heard } from './signal.ts'

export type Earlier = {
  id: number
  code: string
  boot: number | null
  seq: number | null
  occurredAt: Date
  recordId: number | null
}

/** What was taken in of this device before, as far as this signal is concerned. */
export type Past = {
  /** The same signal, delivered before. */
  same: Earlier | undefined
  /** Signals that the device sent after this one, but which came first: per code and record the last of them. */
  later: Earlier[]
  /** Presses close to this one in time. */
  presses: Earlier[]
}

type Found = Earlier & { why: 'same' | 'later' | 'press' }

const columns = sql`s.id, s.code, s.boot, s.seq, s.occurred_at, s.record_id`

const sameOne = (deviceId: number, eventId: string) => sql`
  select 'same' as why, ${columns} from signal s where s.device_id = ${deviceId} and s.event_id = ${eventId}`

/** Reordering is a matter of minutes (flash queue, two roads); a day bounds what is looked at. */
const recent = ({ deviceId, now }: Source, mode: Mode, codes: readonly string[]) => sql`
  s.device_id = ${deviceId} and s.mode = ${mode} and s.code = any(${codes})
  and s.received_at > ${now}::timestamptz - interval '1 day'`

/** Reads it in one round trip. @param codes the codes whose order with this signal matters. */
export const readPast = async (
  all: AllDb,
  { source, heard, clock }: { source: Source; heard: Heard; clock: Clocked },
  codes: readonly string[],
): Promise<Past> => {
  const { stamp, mode } = heard
  const at = clock.occurredAt.getTime()
  const later =
    stamp && codes.length > 0
      ? sql` union all (select distinct on (s.code, s.record_id) 'later', ${columns} from signal s
        where ${recent(source, mode, codes)} and (s.boot, s.seq) > (${stamp.boot}::bigint, ${stamp.seq}::bigint)
        order by s.code, s.record_id, s.boot desc, s.seq desc)`
      : sql``
  const presses = pressCodes.includes(heard.code)
    ? sql` union all (select 'press', ${columns} from signal s
        where ${recent(source, mode, pressCodes)} and s.record_id is not null
          and s.occurred_at between ${new Date(at - BURST_MS)} and ${new Date(at + BURST_MS)}
        order by s.id desc limit 50)`
    : sql``
  const { rows } = await sql<Found>`${sameOne(source.deviceId, heard.eventId)}${later}${presses}`.execute(all)
  const of = (why: Found['why']) => rows.filter((row) => row.why === why)
  return { same: of('same')[0], later: of('later'), presses: of('press') }
}

/**
 * The code that the device said last, by its own count: of this signal and those that overtook it. Two networks and a
 * flash queue reorder what a device says, its boot and seq do not (X25).
 */
export const lastWord = (heard: Heard, later: readonly Earlier[]): { code: string; occurredAt: Date | null } => {
  const [last] = later.toSorted((a, b) => (b.boot ?? 0) - (a.boot ?? 0) || (b.seq ?? 0) - (a.seq ?? 0))
  return last ?? { code: heard.code, occurredAt: null }
}
