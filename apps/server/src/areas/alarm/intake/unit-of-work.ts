import { zone } from '@tocsin/contract/time-zone'
import type { Mode } from '@tocsin/contract/alarm/state-machine'
import { sql } from 'kysely'
import { alarmHooks } from '#areas/alarm/alarm-hooks'
import { isOpenByState } from '#areas/device/button-test/open-records'
import { type LogEntry, chainEntries } from '#areas/alarm/record-log'
import type { Db, UnscopedDb } from '#db/db'
import { runHooks } from '#db/transaction-hook'
import { rowsFromJson } from '#db/bulk-rows'
import type { TimerKey } from '#timer/timer'
import type { SignalTimes } from './signal-times.ts'
import type { SignalHistory } from './signal-history.ts'
import type { SignalSource } from './signal-source.ts'
import type { NormalizedSignal } from './normalize-signal.ts'
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
import type { RuleLimits } from './rule-limits.ts'
import type { EventType } from '@tocsin/contract/live'

/** A signal being ingested with its source, times and history. */
export type SignalContext = {
  trx: Db
  all: UnscopedDb
  unitOfWork: IntakeUnitOfWork
  source: SignalSource
  signal: NormalizedSignal
  clock: SignalTimes
  history: SignalHistory
  /** The rules that do not apply to this device or moment. */
  limits?: RuleLimits
}

/** The record a signal was added to and the events that follow. */
export type SignalOutcome = {
  record: LockedRecord | null
  created: boolean
  events: { type: EventType; ref: number }[]
}

/** The device, class and place of a signal. */
export type PlacedDevice = { deviceId: number; class: string; schoolId: number | null; placeId: number | null }
/** A record key of a signal; `raises` when the signal may create a record. */
export type RecordKey = { key: string; mode: Mode; raises: boolean; placed?: PlacedDevice | undefined }
type Numbered = { id: number; no: string }
type KeyEntry = { id: number | null; number: Numbered | null; elsewhereId: number | null }

/**
 * The locked records and pending writes of one transaction: read together, changed in memory, written together. Call
 * `write` before reading the database directly.
 */
export type IntakeUnitOfWork = {
  /** Locks and reads the records of these keys in one round trip. */
  open: (keys: readonly RecordKey[]) => Promise<void>
  /** The open record of a key, else the one that ended last. */
  latest: (key: RecordKey) => Promise<LockedRecord | undefined>
  /** The latest open record of the class and device: of the mode at another place, or of an expected first press. */
  elsewhere: (key: RecordKey) => Promise<LockedRecord | undefined>
  /** Id and number of a record about to be raised under the key. */
  numberFor: (key: RecordKey) => Promise<Numbered>
  /** Replaces a record that was read or changed outside the unit of work. */
  store: (record: LockedRecord) => LockedRecord
  raise: (record: LockedRecord) => void
  /** Changes a record and extends its log. @returns the record after it. */
  change: (id: number, change: { at: Date; patch: RecordPatch; entries: readonly LogEntry[] }) => LockedRecord
  plan: (key: Omit<TimerKey, 'step'>, steps: readonly { step: string; seconds: number }[]) => void
  /** The pending rows that are only inserted. */
  writes: () => Pick<PendingWrites, 'signals' | 'receipts' | 'seen' | 'events' | 'hits'>
  /** Writes the rows that later reads of this transaction need. */
  write: () => Promise<void>
  /** Writes the rest, once, at the end. */
  finish: () => Promise<void>
  /** Id of the signal of a device, once written. */
  signalOf: (deviceId: number) => number
}

/**
 * `YJ` + day in the configured zone + a sequence number of at least six digits. It has no maximum: a fixed width caused
 * the worst outage of an emergency network (trust finding 10).
 */
export const formatRecordNo = (day: string, count: number): string => `YJ${day}${String(count).padStart(6, '0')}`

type KeyColumns = {
  forKey: string
  forMode: Mode
  isElsewhere: boolean
  freshId: number | null
  freshCount: number | null
  day: string
}
type Found = LockedRecord & KeyColumns
const keyRows = rowsFromJson({
  key: 'text',
  mode: 'text',
  raises: 'boolean',
  device: 'bigint',
  class: 'text',
  school: 'bigint',
  place: 'bigint',
})
const toKeyRow = ({ key, mode, raises, placed }: RecordKey) => ({
  key,
  mode,
  raises,
  device: placed?.deviceId,
  class: placed?.class,
  school: placed?.schoolId,
  place: placed?.placeId,
})

/**
 * Locks records in the order of ids. Only for keys without an open record a number is drawn, and an open record of the
 * device at another place, or of its first press, is found.
 */
const findLatest = async (all: UnscopedDb, keys: readonly RecordKey[]): Promise<Found[]> => {
  const { rows } = await sql<Found>`
    with wanted as materialized (
      select * from ${keyRows(keys.map(toKeyRow))}
    ), latest as materialized (
      select wanted.*, found.id, elsewhere.id as elsewhere_id from wanted left join lateral (
        select id, open from warn_record where dedup_key = wanted.key and mode = wanted.mode
        order by open desc, ended_at desc nulls first limit 1
      ) as found on true left join lateral (
        select id from warn_record
        where device_id = wanted.device and class = wanted.class and ${isOpenByState} and found.open is not true
          and (commissioning or mode = wanted.mode and (school_id, place_id) is distinct from (wanted.school, wanted.place))
        order by id desc limit 1
      ) as elsewhere on true
    ), held as materialized (
      select * from warn_record
      where id = any(array(select id from latest where id is not null
        union select elsewhere_id from latest where elsewhere_id is not null))
      order by id for no key update
    )
    select latest.key as for_key, latest.mode as for_mode, false as is_elsewhere, held.*,
      case when latest.raises and held.open is not true then nextval('warn_record_id_seq') end as fresh_id,
      case when latest.raises and held.open is not true then nextval('warn_record_no_seq') end as fresh_count,
      to_char(now() at time zone ${zone.name}, 'YYYYMMDD') as day
    from latest left join held on held.id = latest.id
    union all
    select latest.key, latest.mode, true, held.*, null, null, null
    from latest join held on held.id = latest.elsewhere_id`.execute(all)
  return rows
}

const toMapKey = ({ key, mode }: Pick<RecordKey, 'key' | 'mode'>): string => `${mode} ${key}`

/** Locked records by id. */
const createRecordCache = () => {
  const records = new Map<number, LockedRecord>()
  const store = (record: LockedRecord): LockedRecord => {
    records.set(record.id, record)
    return record
  }
  const pick = (ids: Iterable<number>) => [...ids].flatMap((id) => records.get(id) ?? [])
  return { store, pick, get: (id: number) => records.get(id) }
}

/** Records by key. It calls `write` before it reads a key that was not loaded ahead. */
const createKeyIndex = (all: UnscopedDb, cache: ReturnType<typeof createRecordCache>, write: () => Promise<void>) => {
  const entries = new Map<string, KeyEntry>()
  const open = async (keys: readonly RecordKey[]): Promise<void> => {
    if (keys.length === 0) return
    for (const row of await findLatest(all, keys)) {
      const { forKey, forMode, isElsewhere, freshId, freshCount, day, ...record } = row
      const at = toMapKey({ key: forKey, mode: forMode })
      const exists = record.id !== null
      if (exists) cache.store(record)
      const entry = entries.get(at)
      if (isElsewhere) {
        if (entry) entry.elsewhereId = record.id
        continue
      }
      const number =
        freshId === null || freshCount === null ? null : { id: freshId, no: formatRecordNo(day, freshCount) }
      entries.set(at, { id: exists ? record.id : null, number, elsewhereId: null })
    }
  }
  const at = async (key: RecordKey): Promise<KeyEntry> => {
    const known = entries.get(toMapKey(key))
    if (known) return known
    await write()
    await open([key])
    return entries.get(toMapKey(key)) ?? { id: null, number: null, elsewhereId: null }
  }
  const numberFor = async (key: RecordKey): Promise<Numbered> => {
    const first = (await at(key)).number
    if (first) return first
    // The record of the key has ended since it was read.
    entries.delete(toMapKey(key))
    const { number } = await at(key)
    if (!number) throw new Error(`no number for a record of ${key.key}`)
    return number
  }
  const assign = ({ dedupKey, mode, id }: LockedRecord) =>
    entries.set(toMapKey({ key: dedupKey, mode }), { id, number: null, elsewhereId: null })
  return { open, at, numberFor, assign }
}

/** Keeps the latest receipt per key, because one statement cannot update a row twice. */
const latestReceipts = (receipts: readonly DeviceReceipt[]): DeviceReceipt[] => [
  ...new Map(receipts.map((receipt) => [`${receipt.deviceId} ${receipt.channel} ${receipt.key}`, receipt])).values(),
]

const byKey = (a: LockedRecord, b: LockedRecord) => (a.dedupKey < b.dedupKey ? -1 : 1)

export const openUnitOfWork = (trx: Db, all: UnscopedDb): IntakeUnitOfWork => {
  const cache = createRecordCache()
  const raised = new Set<number>()
  const changed = new Set<number>()
  const signals = new Map<number, number>()
  let writes = emptyWrites()

  const flush = async (last: boolean) => {
    // Other transactions write device rows too. Writing them once, in order, avoids deadlocks.
    const { receipts, seen } = last ? emptyWrites() : writes
    const due = last ? { ...writes, receipts: latestReceipts(writes.receipts) } : { ...writes, receipts: [], seen: [] }
    const created = cache.pick(raised)
    const written = { ...due, raised: created.toSorted(byKey), changed: cache.pick(changed) }
    if (Object.values(written).every((rows) => rows.length === 0)) return
    writes = { ...emptyWrites(), receipts, seen }
    raised.clear()
    changed.clear()
    for (const { id, deviceId } of await flushWrites(all, written)) signals.set(deviceId, id)
    for (const { id } of created) await runHooks(trx, alarmHooks.raised, { recordId: id, again: false })
  }
  const write = () => flush(false)
  const index = createKeyIndex(all, cache, write)
  return {
    write,
    finish: () => flush(true),
    open: index.open,
    numberFor: index.numberFor,
    store: cache.store,
    writes: () => writes,
    latest: async (key) => cache.get((await index.at(key)).id ?? 0),
    elsewhere: async (key) => cache.get((await index.at(key)).elsewhereId ?? 0),
    raise: (record) => {
      cache.store(record)
      raised.add(record.id)
      index.assign(record)
    },
    change: (id, { at, patch, entries }) => {
      const record = cache.get(id)
      if (!record) throw new Error(`record ${id} was not locked`)
      const { rows, head } = chainEntries(record, at, entries)
      writes.log.push(...rows)
      if (!raised.has(id)) changed.add(id)
      return cache.store({ ...record, ...patch, ...head })
    },
    plan: (key, steps) => void writes.timers.push(...steps.map((step) => ({ ...key, ...step }))),
    signalOf: (deviceId) => {
      const id = signals.get(deviceId)
      if (id === undefined) throw new Error(`the signal of device ${deviceId} was not written`)
      return id
    },
  }
}

/** Log entry of a signal: plain JSON without fractions, so that its hash is the same everywhere. */
export const signalLogEntry = ({ signal, clock }: SignalContext, verb: string): LogEntry => ({
  kind: 'SIGNAL',
  verb,
  actor: 'system',
  payload: {
    eventId: signal.eventId,
    code: signal.code,
    via: signal.via,
    occurredAt: clock.occurredAt.getTime(),
    ...(signal.pressCount !== null && { pressCount: signal.pressCount }),
    ...(clock.late && { late: true }),
    ...(signal.eventIdReused && { eventIdReused: true }),
  },
})

/** Adds a signal to a locked record, with changes and log entries. @returns the changed record. */
export const attachSignal = (
  context: SignalContext,
  record: LockedRecord,
  change: { patch: RecordPatch; entries: LogEntry[] },
): LockedRecord => {
  const { unitOfWork, source } = context
  unitOfWork.writes().signals.push(signalRow(context, { recordId: record.id, suppressed: null }))
  return unitOfWork.change(record.id, { at: source.now, ...change })
}

/** Stores a signal that changes no record, with the reason (invariant 1). */
export const suppressSignal = (context: SignalContext, suppressed: SuppressReason): SignalOutcome => {
  context.unitOfWork.writes().signals.push(signalRow(context, { recordId: null, suppressed }))
  return { record: null, created: false, events: [] }
}
