import { sql } from 'kysely'
import type { UnscopedDb } from '#db/db'
import { rowsFromJson } from '#db/bulk-rows'
import { type SignalTimes, TRUSTED_SKEW_MS } from './signal-times.ts'
import { BURST_MS, panicCodes } from './match.ts'
import type { SignalSource } from './signal-source.ts'
import type { NormalizedSignal } from './signal.ts'

export type PriorSignal = {
  id: number
  code: string
  boot: number | null
  seq: number | null
  occurredAt: Date
  recordId: number | null
  zone: string | null
  fault: string | null
}

/** The same signal, delivered before, and the number of its record. */
export type DuplicateSignal = PriorSignal & { no: string | null }

/** What was taken in of this device before, as far as this signal is concerned. */
export type SignalHistory = {
  same: DuplicateSignal | undefined
  /** Signals that the device sent after this one, but which came first: per code and what it is of the last of them. */
  later: PriorSignal[]
  /** Presses close to this one in time. */
  presses: Pick<PriorSignal, 'recordId' | 'occurredAt'>[]
}

/** Two roads and a flash queue reorder what a device says by minutes (X25), also across a restart. */
const REORDERED_MS = 600_000

/** @param codes the codes whose order with this signal matters. */
export type HistoryQuery = {
  source: SignalSource
  heard: NormalizedSignal
  clock: SignalTimes
  codes: readonly string[]
}

/** Three presses make a burst; of a device that never stops, the latest of each code tell as much as all. */
const PRESSES_MOST = 12
/** A device whose counter went back has years of signals behind a new one. */
const LATER_MOST = 1000

const reorderedSince = ({ clock }: Pick<HistoryQuery, 'clock'>): Date =>
  new Date(clock.occurredAt.getTime() - REORDERED_MS)

/**
 * Whether the device said it after this signal, though it came first. Within one boot its count alone tells. The boots
 * of a device whose memory was cleared count anew, and all that was before has a higher one: there time tells as well.
 */
export const isLaterByDevice = (
  given: Pick<HistoryQuery, 'heard' | 'clock'>,
  { boot, seq, occurredAt }: Pick<PriorSignal, 'boot' | 'seq' | 'occurredAt'>,
): boolean => {
  const { stamp } = given.heard
  if (stamp === null || boot === null || seq === null) return false
  return boot === stamp.boot ? seq > stamp.seq : boot > stamp.boot && occurredAt >= reorderedSince(given)
}

/** Nothing is received before it happened, but for the trusted skew: that bounds the presses to look at. */
const pressedNear = ({ heard, clock }: HistoryQuery) => {
  if (!panicCodes.includes(heard.code)) return {}
  const at = clock.occurredAt.getTime()
  const [from, to] = [new Date(at - BURST_MS), new Date(at + BURST_MS)]
  return { from, to, since: new Date(from.getTime() - TRUSTED_SKEW_MS) }
}

const asked = (given: HistoryQuery, n: number) => ({
  n,
  device: given.source.deviceId,
  event: given.heard.eventId,
  mode: given.heard.mode,
  ...(given.codes.length > 0 && { boot: given.heard.stamp?.boot, seq: given.heard.stamp?.seq, codes: given.codes }),
  now: given.source.now,
  reordered: reorderedSince(given),
  ...pressedNear(given),
})

const askedFrom = rowsFromJson({
  n: 'integer',
  device: 'bigint',
  event: 'text',
  mode: 'text',
  boot: 'bigint',
  seq: 'bigint',
  codes: 'text[]',
  now: 'timestamptz',
  reordered: 'timestamptz',
  from: 'timestamptz',
  to: 'timestamptz',
  since: 'timestamptz',
})

type Found =
  | (DuplicateSignal & { n: number; why: 'same' | 'later' })
  | { n: number; why: 'press'; records: number[]; instants: number[] }

const pressesOf = ({ records, instants }: { records: number[]; instants: number[] }) =>
  records.map((recordId, i) => ({ recordId, occurredAt: new Date(instants[i] ?? 0) }))

/**
 * Reads it for signals of different devices, in one round trip. Reordering is a matter of minutes (flash queue, two
 * roads); a day bounds what counts, and the device's own order finds it: by code each press would meet all of that day.
 * The presses of a device come as one row of two lists: as rows, the twelve of a button that is pressed again and again
 * took longer to read than all else. What has a higher boot may be what the device said before its memory was cleared:
 * it is read by itself, so that however much of it there is it hides nothing of this boot (`isLaterByDevice`).
 */
export const loadHistories = async (all: UnscopedDb, given: readonly HistoryQuery[]): Promise<SignalHistory[]> => {
  const fault = sql`s.body ->> 'fault'`
  const columns = sql`s.id, s.code, s.boot, s.seq, s.occurred_at, s.record_id, s.zone, ${fault} as fault`
  const { rows } = await sql<Found>`
    with asked as materialized (
      select * from ${askedFrom(given.map(asked))}
    )
    select asked.n, 'same' as why, ${columns}, r.no, null::bigint[] as records, null::bigint[] as instants
    from asked cross join lateral (
      select * from signal where device_id = asked.device and event_id = asked.event limit 1
    ) as s left join lateral (select no from warn_record where id = s.record_id limit 1) as r on true
    union all
    select asked.n, 'later', s.*, null, null, null from asked cross join lateral (
      select distinct on (s.code, s.record_id, s.zone, ${fault}) ${columns} from (
        (
          select * from signal where device_id = asked.device and boot = asked.boot and seq > asked.seq
          order by seq desc limit ${sql.lit(LATER_MOST)}
        ) union all (
          select * from signal where device_id = asked.device and boot > asked.boot
          order by boot desc, seq desc limit ${sql.lit(LATER_MOST)}
        )
      ) as s
      where s.mode = asked.mode and s.code = any(asked.codes) and s.received_at > asked.now - interval '1 day'
        and (s.boot = asked.boot or s.occurred_at >= asked.reordered)
      order by s.code, s.record_id, s.zone, ${fault}, s.boot desc, s.seq desc
    ) as s where asked.boot is not null
    union all
    select asked.n, 'press', null, null, null, null, null, null, null, null, null, near.records, near.instants
    from asked cross join lateral (
      select array_agg(s.record_id) as records,
        array_agg((date_part('epoch', s.occurred_at) * 1000)::bigint) as instants
      from unnest(${panicCodes}::text[]) as pressed (code) cross join lateral (
        select s.record_id, s.occurred_at from signal s
        where s.device_id = asked.device and s.code = pressed.code and s.mode = asked.mode
          and s.received_at >= asked.since and s.occurred_at between asked."from" and asked."to"
          and s.record_id is not null
        order by s.received_at desc limit ${sql.lit(PRESSES_MOST)}
      ) as s
    ) as near where asked.since is not null and near.records is not null`.execute(all)
  const pasts = given.map((): SignalHistory => ({ same: undefined, later: [], presses: [] }))
  for (const row of rows) {
    const past = pasts[row.n]
    if (!past) continue
    if (row.why === 'press') past.presses = pressesOf(row)
    else if (row.why === 'same') past.same = row
    else past.later.push(row)
  }
  return pasts
}

/**
 * The code that the device said last, by its own count: of this signal and those that overtook it. Two networks and a
 * flash queue reorder what a device says, its boot and seq do not (X25).
 */
export const latestCode = (
  heard: NormalizedSignal,
  later: readonly PriorSignal[],
): { code: string; occurredAt: Date | null } => {
  const [last] = later.toSorted((a, b) => (b.boot ?? 0) - (a.boot ?? 0) || (b.seq ?? 0) - (a.seq ?? 0))
  return last ?? { code: heard.code, occurredAt: null }
}
