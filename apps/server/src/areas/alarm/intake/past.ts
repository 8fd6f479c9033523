import { sql } from 'kysely'
import type { AllDb } from '#db/db'
import { type Clocked, TRUSTED_SKEW_MS } from './clock.ts'
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

type Given = { source: Source; heard: Heard; clock: Clocked }
type Found = Earlier & { why: 'same' | 'later' | 'press' }

const columns = sql`s.id, s.code, s.boot, s.seq, s.occurred_at, s.record_id`

const sameOne = (deviceId: number, eventId: string) => sql`
  select 'same' as why, ${columns} from signal s where s.device_id = ${deviceId} and s.event_id = ${eventId}`

/** Reordering is a matter of minutes (flash queue, two roads); a day bounds what is looked at. */
const overtook = ({ source, heard }: Given, codes: readonly string[]) => {
  if (heard.stamp === null || codes.length === 0) return sql``
  return sql` union all (select distinct on (s.code, s.record_id) 'later', ${columns} from signal s
    where s.device_id = ${source.deviceId} and (s.boot, s.seq) > (${heard.stamp.boot}::bigint, ${heard.stamp.seq}::bigint)
      and s.mode = ${heard.mode} and s.code = any(${codes}) and s.received_at > ${source.now}::timestamptz - interval '1 day'
    order by s.code, s.record_id, s.boot desc, s.seq desc)`
}

/** Nothing is received before it happened, but for the trusted skew: that bounds the presses to look at. */
const pressedNear = ({ source, heard, clock }: Given) => {
  if (!pressCodes.includes(heard.code)) return sql``
  const at = clock.occurredAt.getTime()
  const [from, to] = [new Date(at - BURST_MS), new Date(at + BURST_MS)]
  return sql` union all (select 'press', ${columns} from signal s
    where s.device_id = ${source.deviceId} and s.code = any(${pressCodes}) and s.mode = ${heard.mode}
      and s.received_at >= ${new Date(from.getTime() - TRUSTED_SKEW_MS)}
      and s.occurred_at between ${from} and ${to} and s.record_id is not null
    order by s.received_at desc limit 50)`
}

/** Reads it in one round trip. @param codes the codes whose order with this signal matters. */
export const readPast = async (all: AllDb, given: Given, codes: readonly string[]): Promise<Past> => {
  const same = sameOne(given.source.deviceId, given.heard.eventId)
  const { rows } = await sql<Found>`${same}${overtook(given, codes)}${pressedNear(given)}`.execute(all)
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
