import type { Mode } from '@tocsin/contract/alarm/state-machine'
import { TRUSTED_SKEW_MS } from '@tocsin/contract/device/device'
import { sql } from 'kysely'
import { rowsFromJson } from '#db/bulk-rows'
import type { UnscopedDb } from '#db/db'
import {
  BURST_MS,
  cancellableCodes,
  type NormalizedSignal,
  panicCodes,
  reusedEventId,
  UNPARSABLE,
} from './normalize-signal.ts'
import type { SignalSource } from './signal-source.ts'
import type { SignalTimes } from './signal-times.ts'

export type PriorSignal = {
  id: number
  code: string
  mode: Mode
  boot: number | null
  seq: number | null
  occurredAt: Date
  recordId: number | null
  zone: string | null
  fault: string | null
  /** Of its record. People may have made the record of a TEST signal LIVE. */
  class: string | null
  recordMode: Mode | null
}

/** An earlier delivery of the same event and the number of its record. */
export type DuplicateSignal = PriorSignal & { no: string | null }

/** The earlier signals of the device that matter for this one. */
export type SignalHistory = {
  duplicate: DuplicateSignal | undefined
  /** The event id belongs to an earlier signal of another code. */
  eventIdReused: boolean
  /** Signals that the device sent after this one but that arrived first: the latest per code, record, zone and fault. */
  later: PriorSignal[]
  /** The same, wherever the device hung; presses and resets of the button in any mode. */
  laterOfDevice: PriorSignal[]
  /** Presses close to this one in time. One that was expected counts for any record, so it names none. */
  presses: Pick<PriorSignal, 'recordId' | 'occurredAt'>[]
}

const pressCodes = cancellableCodes.filter((code) => code !== UNPARSABLE)
const buttonCodes = [...pressCodes, 'MANUAL_RESET']

/** Two transports and a flash queue reorder signals by minutes (X25), also across a restart. */
const REORDERED_MS = 600_000

/** @param codes the codes whose order with this signal matters. */
export type HistoryQuery = {
  source: SignalSource
  signal: NormalizedSignal
  clock: SignalTimes
  codes: readonly string[]
  /** When the condition of a rule that waited began. Its record belongs to the place of that time. */
  beganAt?: Date | undefined
}

/** Three presses make a burst, so the latest of each code are enough. */
const MAX_PRESSES_READ = 12
/** Bounds the read for a device whose counter was reset: years of its signals have a higher count. */
const MAX_LATER_READ = 1000

const reorderedSince = ({ clock }: Pick<HistoryQuery, 'clock'>): Date =>
  new Date(clock.occurredAt.getTime() - REORDERED_MS)

/**
 * Whether the device sent the earlier arrival after this signal. Within one boot the sequence decides. A device whose
 * memory was cleared counts boots from the start, so that its older signals have a higher boot: then the time decides.
 */
export const isLaterByDevice = (
  query: Pick<HistoryQuery, 'signal' | 'clock'>,
  { boot, seq, occurredAt }: Pick<PriorSignal, 'boot' | 'seq' | 'occurredAt'>,
): boolean => {
  const { stamp } = query.signal
  if (stamp === null || boot === null || seq === null) return false
  return boot === stamp.boot ? seq > stamp.seq : boot > stamp.boot && occurredAt >= reorderedSince(query)
}

/** The window of presses to read. A signal arrives after its occurrence, apart from the trusted skew. */
const pressWindow = ({ signal, clock }: HistoryQuery) => {
  if (!panicCodes.includes(signal.code)) return {}
  const at = clock.occurredAt.getTime()
  const [from, to] = [new Date(at - BURST_MS), new Date(at + BURST_MS)]
  return { from, to, since: new Date(from.getTime() - TRUSTED_SKEW_MS) }
}

const toHistoryRow = (query: HistoryQuery, n: number) => ({
  n,
  device: query.source.deviceId,
  event: query.signal.eventId,
  reused: reusedEventId(query.signal.eventId, query.signal.code),
  mode: query.signal.mode,
  ...(query.codes.length > 0 && {
    boot: query.signal.stamp?.boot,
    seq: query.signal.stamp?.seq,
    codes: query.codes,
  }),
  now: query.source.now,
  reordered: reorderedSince(query),
  ...pressWindow(query),
})

const historyRows = rowsFromJson({
  n: 'integer',
  device: 'bigint',
  event: 'text',
  reused: 'text',
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
  | { n: number; why: 'press'; records: (number | null)[]; instants: number[] }

const toPresses = ({ records, instants }: { records: (number | null)[]; instants: number[] }) =>
  records.map((recordId, i) => ({ recordId, occurredAt: new Date(instants[i] ?? 0) }))

const emptyHistory = (): SignalHistory => ({
  duplicate: undefined,
  eventIdReused: false,
  later: [],
  laterOfDevice: [],
  presses: [],
})

/**
 * Loads the histories of signals of different devices in one round trip. Signals are reordered by minutes, so a day is
 * enough, and the index on boot and seq finds them: by code each press would read all presses of that day. Presses are
 * aggregated to one row per device, because separate rows took longer than the rest of the query. Signals of a higher
 * boot may be older than a cleared memory: they are read separately, so that they cannot hide signals of this boot.
 */
export const loadHistories = async (all: UnscopedDb, queries: readonly HistoryQuery[]): Promise<SignalHistory[]> => {
  const fault = sql`s.body ->> 'fault'`
  const columns = sql`s.id, s.code, s.mode, s.boot, s.seq, s.occurred_at, s.record_id, s.zone, ${fault} as fault`
  const { rows } = await sql<Found>`
    with asked as materialized (
      select * from ${historyRows(queries.map(toHistoryRow))}
    )
    select asked.n, 'same' as why, ${columns}, r.class, r.mode as record_mode, r.no, null::bigint[] as records, null::bigint[] as instants
    from asked cross join lateral (
      select * from signal where device_id = asked.device and event_id in (asked.event, asked.reused)
    ) as s left join lateral (select no, class, mode from warn_record where id = s.record_id limit 1) as r on true
    union all
    select asked.n, 'later', s.*, r.class, r.mode, null, null, null from asked cross join lateral (
      select distinct on (s.code, s.mode, s.record_id, s.zone, ${fault}) ${columns} from (
        (
          select * from signal where device_id = asked.device and boot = asked.boot and seq > asked.seq
          order by seq desc limit ${sql.lit(MAX_LATER_READ)}
        ) union all (
          select * from signal where device_id = asked.device and boot > asked.boot
          order by boot desc, seq desc limit ${sql.lit(MAX_LATER_READ)}
        )
      ) as s
      where s.code = any(asked.codes) and s.received_at > asked.now - interval '1 day'
        and (s.mode = asked.mode or s.code = any(${buttonCodes}))
        and (s.boot = asked.boot or s.occurred_at >= asked.reordered)
      order by s.code, s.mode, s.record_id, s.zone, ${fault}, s.boot desc, s.seq desc
    ) as s left join lateral (select class, mode from warn_record where id = s.record_id limit 1) as r on true
    where asked.boot is not null
    union all
    select asked.n, 'press', null, null, null, null, null, null, null, null, null, null, null, null, near.records, near.instants
    from asked cross join lateral (
      select array_agg(s.counted_id) as records,
        array_agg((date_part('epoch', s.occurred_at) * 1000)::bigint) as instants
      from unnest(${panicCodes}::text[]) as pressed (code) cross join lateral (
        select case when s.mode = asked.mode then s.record_id else expected.counted_id end as counted_id, s.occurred_at
        from signal s left join lateral (
          select id, case when mode = asked.mode then id end as counted_id from warn_record
          where s.mode <> asked.mode and asked.mode = 'LIVE' and id = s.record_id
            and (mode = asked.mode or commissioning or test_plan_id is not null) limit 1
        ) as expected on true
        where s.device_id = asked.device and s.code = pressed.code and (s.mode = asked.mode or expected.id is not null)
          and s.received_at >= asked.since and s.occurred_at between asked."from" and asked."to"
          and s.record_id is not null
        order by s.received_at desc limit ${sql.lit(MAX_PRESSES_READ)}
      ) as s
    ) as near where asked.since is not null and near.records is not null`.execute(all)
  const histories = queries.map(emptyHistory)
  for (const row of rows) {
    const history = histories[row.n]
    if (!history) continue
    if (row.why === 'press') history.presses = toPresses(row)
    else if (row.why === 'later') history.laterOfDevice.push(row)
    else if (row.code === queries[row.n]?.signal.code) history.duplicate = row
    else history.eventIdReused = true
  }
  return histories.map((history, n) => limitToRecords(history, queries[n]))
}

/**
 * What the device sent in another mode, or after it had left the place of this signal, says nothing about the records of
 * this signal.
 */
const limitToRecords = (history: SignalHistory, query: HistoryQuery | undefined): SignalHistory => {
  const installedTo = query?.source.installedTo ?? null
  const isOfInstallation = ({ occurredAt }: PriorSignal) => installedTo === null || occurredAt < installedTo
  const later = history.laterOfDevice.filter(
    (prior) => (prior.recordMode ?? prior.mode) === query?.signal.mode && isOfInstallation(prior),
  )
  return { ...history, later }
}

/**
 * The latest code by the order of the device, among this signal and those that overtook it. Transports reorder messages;
 * boot and seq keep the order (X25).
 */
export const latestCode = (
  signal: NormalizedSignal,
  later: readonly PriorSignal[],
): { code: string; occurredAt: Date | null } => {
  const [last] = later.toSorted((a, b) => (b.boot ?? 0) - (a.boot ?? 0) || (b.seq ?? 0) - (a.seq ?? 0))
  return last ?? { code: signal.code, occurredAt: null }
}

/**
 * Whether a signal latches the button: a call for help whose record is a panic. Other calls of the device have buttons of
 * their own, and an unreadable message is no proven press.
 */
export const isButtonPress = ({ code }: Pick<PriorSignal, 'code'>, recordClass: string | null | undefined): boolean =>
  recordClass === 'PANIC' && pressCodes.includes(code)

/**
 * The latest press or reset of the button by the order of the device. Whether a button is reset does not depend on the
 * record, the place or the mode.
 */
export const latestOfButton = ({
  signal,
  history,
}: {
  signal: NormalizedSignal
  history: Pick<SignalHistory, 'laterOfDevice'>
}) =>
  latestCode(
    signal,
    history.laterOfDevice.filter((prior) => prior.code === 'MANUAL_RESET' || isButtonPress(prior, prior.class)),
  )
