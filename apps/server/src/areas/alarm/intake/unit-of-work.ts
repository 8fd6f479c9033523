import { zone } from '@tocsin/contract/time-zone'
import type { Mode } from '@tocsin/contract/alarm/state-machine'
import { sql } from 'kysely'
import { alarmHooks } from '#areas/alarm/alarm-hooks'
import { type LogEntry, chainEntries } from '#areas/alarm/record-log'
import type { Db, UnscopedDb } from '#db/db'
import { runHooks } from '#db/transaction-hook'
import { rowsFromJson } from '#db/bulk-rows'
import type { TimerKey } from '#timer/timer'
import type { SignalTimes } from './signal-times.ts'
import type { SignalHistory } from './signal-history.ts'
import type { SignalSource } from './signal-source.ts'
import type { NormalizedSignal } from './signal.ts'
import {
  emptyWrites,
  type LockedRecord,
  type RecordPatch,
  type DeviceReceipt,
  type PendingWrites,
  signalRow,
  type SuppressReason,
  flushWrites,
} from './pending-writes.ts'
import type { EventType } from '@tocsin/contract/live'

/** One signal on its way in: where it came from, when it happened, what was before. */
export type SignalContext = {
  trx: Db
  all: UnscopedDb
  book: IntakeUnitOfWork
  source: SignalSource
  heard: NormalizedSignal
  clock: SignalTimes
  past: SignalHistory
}

/** Where a signal went. */
export type SignalOutcome = { record: LockedRecord | null; fresh: boolean; events: { type: EventType; ref: number }[] }

/** A key that a signal may concern; `raises` where it may become a new record. */
export type RecordKey = { key: string; mode: Mode; raises: boolean }
type Numbered = { id: number; no: string }
type Place = { id: number | null; number: Numbered | null }

/**
 * The records that the signals of one transaction concern, locked, and everything that will be written of them: read
 * together, changed here, written together. Whoever asks the database itself writes first.
 */
export type IntakeUnitOfWork = {
  /** Locks and reads what stands under these keys, in one round trip. */
  open: (wanted: readonly RecordKey[]) => Promise<void>
  /** The open record of a key, else the one that ended last. */
  latest: (wanted: RecordKey) => Promise<LockedRecord | undefined>
  /** Id and number of a record about to be raised under the key. */
  numberFor: (wanted: RecordKey) => Promise<Numbered>
  /** A record that was read under its lock or changed past the book is from now on as given. */
  keep: (record: LockedRecord) => LockedRecord
  raise: (record: LockedRecord) => void
  /** Changes a record and extends its log. @returns the record after it. */
  change: (id: number, change: { at: Date; patch: RecordPatch; entries: readonly LogEntry[] }) => LockedRecord
  plan: (key: Omit<TimerKey, 'step'>, steps: readonly { step: string; seconds: number }[]) => void
  /** The rest of what is written: rows that are only added. */
  sheet: () => Pick<PendingWrites, 'signals' | 'receipts' | 'seen' | 'events'>
  /** Writes what others of this transaction will ask the database for. */
  write: () => Promise<void>
  /** Writes all that is left, once, at the end. */
  finish: () => Promise<void>
  /** Id of the signal of a device, once written. */
  signalOf: (deviceId: number) => number
}

/**
 * `YJ` + day in the configured zone + a number that is never reused and never ends: at least six digits, more when it
 * has grown (a fixed width was the worst outage of an emergency network, trust finding 10).
 */
export const formatRecordNo = (day: string, count: number): string => `YJ${day}${String(count).padStart(6, '0')}`

type Asked = { forKey: string; forMode: Mode; freshId: number | null; freshCount: number | null; day: string }
type Found = LockedRecord & Asked
const wantedFrom = rowsFromJson({ key: 'text', mode: 'text', raises: 'boolean' })

/** Locks in the order of ids. Numbers are taken only where no open record stands. */
const findLatest = async (all: UnscopedDb, wanted: readonly RecordKey[]): Promise<Found[]> => {
  const { rows } = await sql<Found>`
    with wanted as materialized (
      select * from ${wantedFrom(wanted)}
    ), latest as materialized (
      select wanted.*, found.id from wanted left join lateral (
        select id from warn_record where dedup_key = wanted.key and mode = wanted.mode
        order by open desc, ended_at desc nulls first limit 1
      ) as found on true
    ), held as materialized (
      select * from warn_record where id = any(array(select id from latest where id is not null))
      order by id for no key update
    )
    select latest.key as for_key, latest.mode as for_mode, held.*,
      case when latest.raises and held.open is not true then nextval('warn_record_id_seq') end as fresh_id,
      case when latest.raises and held.open is not true then nextval('warn_record_no_seq') end as fresh_count,
      to_char(now() at time zone ${zone.name}, 'YYYYMMDD') as day
    from latest left join held on held.id = latest.id`.execute(all)
  return rows
}

const nameOf = ({ key, mode }: Pick<RecordKey, 'key' | 'mode'>): string => `${mode} ${key}`

/** Records in hand. */
const makeShelf = () => {
  const records = new Map<number, LockedRecord>()
  const keep = (record: LockedRecord): LockedRecord => {
    records.set(record.id, record)
    return record
  }
  const those = (ids: Iterable<number>) => [...ids].flatMap((id) => records.get(id) ?? [])
  return { keep, those, get: (id: number) => records.get(id) }
}

/** What stands under which key. `write` comes before a key is asked for that was not read ahead. */
const makeIndex = (all: UnscopedDb, shelf: ReturnType<typeof makeShelf>, write: () => Promise<void>) => {
  const places = new Map<string, Place>()
  const open = async (wanted: readonly RecordKey[]): Promise<void> => {
    if (wanted.length === 0) return
    for (const row of await findLatest(all, wanted)) {
      const { forKey, forMode, freshId, freshCount, day, ...record } = row
      const number =
        freshId === null || freshCount === null ? null : { id: freshId, no: formatRecordNo(day, freshCount) }
      const there = record.id !== null
      if (there) shelf.keep(record)
      places.set(nameOf({ key: forKey, mode: forMode }), { id: there ? record.id : null, number })
    }
  }
  const at = async (wanted: RecordKey): Promise<Place> => {
    const known = places.get(nameOf(wanted))
    if (known) return known
    await write()
    await open([wanted])
    return places.get(nameOf(wanted)) ?? { id: null, number: null }
  }
  const numberFor = async (wanted: RecordKey): Promise<Numbered> => {
    const first = (await at(wanted)).number
    if (first) return first
    // What stood there has ended since it was read.
    places.delete(nameOf(wanted))
    const { number } = await at(wanted)
    if (!number) throw new Error(`no number for a record of ${wanted.key}`)
    return number
  }
  const hold = ({ dedupKey, mode, id }: LockedRecord) =>
    places.set(nameOf({ key: dedupKey, mode }), { id, number: null })
  return { open, at, numberFor, hold }
}

/** One statement says a thing once: of a record that ended in this transaction its own press may tell as well. */
const lastSaid = (receipts: readonly DeviceReceipt[]): DeviceReceipt[] => [
  ...new Map(receipts.map((one) => [`${one.deviceId} ${one.channel} ${one.key}`, one])).values(),
]

const byKey = (a: LockedRecord, b: LockedRecord) => (a.dedupKey < b.dedupKey ? -1 : 1)

export const openUnitOfWork = (trx: Db, all: UnscopedDb): IntakeUnitOfWork => {
  const shelf = makeShelf()
  const raised = new Set<number>()
  const changed = new Set<number>()
  const signals = new Map<number, number>()
  let sheet = emptyWrites()

  const put = async (last: boolean) => {
    // Rows of devices are written by others too: at once and in order, or two could wait for each other.
    const { receipts, seen } = last ? emptyWrites() : sheet
    const due = last ? { ...sheet, receipts: lastSaid(sheet.receipts) } : { ...sheet, receipts: [], seen: [] }
    const fresh = shelf.those(raised)
    const written = { ...due, raised: fresh.toSorted(byKey), changed: shelf.those(changed) }
    if (Object.values(written).every((rows) => rows.length === 0)) return
    sheet = { ...emptyWrites(), receipts, seen }
    raised.clear()
    changed.clear()
    for (const { id, deviceId } of await flushWrites(all, written)) signals.set(deviceId, id)
    for (const { id } of fresh) await runHooks(trx, alarmHooks.raised, { recordId: id, again: false })
  }
  const write = () => put(false)
  const index = makeIndex(all, shelf, write)
  return {
    write,
    finish: () => put(true),
    open: index.open,
    numberFor: index.numberFor,
    keep: shelf.keep,
    sheet: () => sheet,
    latest: async (wanted) => shelf.get((await index.at(wanted)).id ?? 0),
    raise: (record) => {
      shelf.keep(record)
      raised.add(record.id)
      index.hold(record)
    },
    change: (id, { at, patch, entries }) => {
      const record = shelf.get(id)
      if (!record) throw new Error(`record ${id} was not locked`)
      const { rows, head } = chainEntries(record, at, entries)
      sheet.log.push(...rows)
      if (!raised.has(id)) changed.add(id)
      return shelf.keep({ ...record, ...patch, ...head })
    },
    plan: (key, steps) => void sheet.timers.push(...steps.map((step) => ({ ...key, ...step }))),
    signalOf: (deviceId) => {
      const id = signals.get(deviceId)
      if (id === undefined) throw new Error(`the signal of device ${deviceId} was not written`)
      return id
    },
  }
}

/** What a record's log keeps of a signal; plain JSON without fractions, so that it hashes alike everywhere. */
export const signalLogEntry = ({ heard, clock }: SignalContext, verb: string): LogEntry => ({
  kind: 'SIGNAL',
  verb,
  actor: 'system',
  payload: {
    eventId: heard.eventId,
    code: heard.code,
    via: heard.via,
    occurredAt: clock.occurredAt.getTime(),
    ...(heard.pressCount !== null && { pressCount: heard.pressCount }),
    ...(clock.late && { late: true }),
  },
})

/** Gives a signal to a locked record, which changes and whose log grows. @returns the record after it. */
export const attachSignal = (
  intake: SignalContext,
  record: LockedRecord,
  change: { patch: RecordPatch; entries: LogEntry[] },
): LockedRecord => {
  const { book, source } = intake
  book.sheet().signals.push(signalRow(intake, { recordId: record.id, suppressed: null }))
  return book.change(record.id, { at: source.now, ...change })
}

/** Keeps a signal that changes nothing, with the reason why (invariant 1). */
export const suppressSignal = (intake: SignalContext, suppressed: SuppressReason): SignalOutcome => {
  intake.book.sheet().signals.push(signalRow(intake, { recordId: null, suppressed }))
  return { record: null, fresh: false, events: [] }
}
