import type { EventType } from '@tocsin/contract/live'
import { openStates } from '@tocsin/contract/alarm/state-machine'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { chainEntries } from '#areas/alarm/record-log'
import type { UnscopedDb } from '#db/db'
import { toByteaHex, bulkInsert, rowsFromJson, setFromRow } from '#db/bulk-rows'
import type { AllTables } from '#db/tables'
import type { TimerKey } from '#timer/timer'
import type { DeviceClock, SignalTimes } from './signal-times.ts'
import type { SignalSource } from './signal-source.ts'
import type { NormalizedSignal } from './normalize-signal.ts'

export type LockedRecord = Selectable<AllTables['warnRecord']>

export const isOpen = ({ state }: Pick<LockedRecord, 'state'>): boolean =>
  openStates.some((openState) => openState === state)

const signalColumns = {
  deviceId: 'bigint',
  eventId: 'text',
  kind: 'text',
  code: 'text',
  mode: 'text',
  boot: 'bigint',
  seq: 'bigint',
  occurredAt: 'timestamptz',
  receivedAt: 'timestamptz',
  skewMs: 'bigint',
  timeProven: 'boolean',
  late: 'boolean',
  zone: 'text',
  pressCount: 'integer',
  body: 'jsonb',
  raw: 'bytea',
  via: 'text',
  schoolId: 'bigint',
  deptId: 'bigint',
  recordId: 'bigint',
  suppressed: 'text',
} as const

/** Columns that a signal changes on an existing record. A plain repeat changes none that is indexed. */
const changedColumns = {
  code: 'text',
  level: 'integer',
  validation: 'integer',
  condition: 'text',
  faults: 'text[]',
  silent: 'boolean',
  late: 'boolean',
  duress: 'boolean',
  commissioning: 'boolean',
  presserCancelled: 'boolean',
  occurrenceCount: 'integer',
  pressCount: 'integer',
  firstAt: 'timestamptz',
  lastAt: 'timestamptz',
  logCount: 'integer',
  logHash: 'bytea',
} as const

const raisedColumns = {
  id: 'bigint',
  no: 'text',
  ...changedColumns,
  ruleId: 'bigint',
  ruleVersion: 'integer',
  class: 'text',
  mode: 'text',
  testPlanId: 'bigint',
  dedupKey: 'text',
  deviceId: 'bigint',
  schoolDeviceId: 'bigint',
  schoolId: 'bigint',
  deptId: 'bigint',
  placeId: 'bigint',
  schoolName: 'text',
  building: 'text',
  floor: 'text',
  room: 'text',
  placePath: 'text',
  lng: 'float8',
  lat: 'float8',
  receivedAt: 'timestamptz',
  linkedRecordId: 'bigint',
} as const satisfies Partial<Record<keyof LockedRecord, string>>

const logColumns = {
  recordId: 'bigint',
  no: 'integer',
  at: 'timestamptz',
  kind: 'text',
  verb: 'text',
  actorId: 'bigint',
  actorName: 'text',
  fromState: 'text',
  toState: 'text',
  payload: 'jsonb',
  schoolId: 'bigint',
  deptId: 'bigint',
  prevHash: 'bytea',
  hash: 'bytea',
} as const

const hitColumns = {
  ruleId: 'bigint',
  deviceId: 'bigint',
  eventId: 'text',
  ruleVersion: 'integer',
  at: 'timestamptz',
  subject: 'text',
  schoolId: 'bigint',
  deptId: 'bigint',
} as const

const eventColumns = { type: 'text', ref: 'bigint', schoolId: 'bigint', deptId: 'bigint' } as const

export type RecordPatch = Partial<Pick<LockedRecord, keyof typeof changedColumns>>
type SignalRow = Pick<Selectable<AllTables['signal']>, keyof typeof signalColumns>
export type SuppressReason = NonNullable<SignalRow['suppressed']>
type LogRow = ReturnType<typeof chainEntries>['rows'][number]

/** A message for a device that expires after `seconds`. */
export type DeviceReceipt = { deviceId: number; channel: 'ack' | 'time'; key: string; payload: object; seconds: number }

/** Rows that are to be written at the end of the transaction. */
export type PendingWrites = {
  raised: LockedRecord[]
  changed: LockedRecord[]
  signals: SignalRow[]
  log: LogRow[]
  timers: (TimerKey & { seconds: number })[]
  receipts: DeviceReceipt[]
  /**
   * The clock of a device, as a message showed it that cannot be late, and whether its button is latched. What is absent
   * stays as it is.
   */
  seen: ({ deviceId: number; at: Date; latched?: boolean; resetAt?: Date | null } & Partial<DeviceClock>)[]
  events: { type: EventType; ref: number; schoolId: number | null; deptId: number }[]
  /** Signals that met the condition of a shadow rule. */
  hits: Pick<Selectable<AllTables['warnRuleHit']>, keyof typeof hitColumns>[]
}

export const emptyWrites = (): PendingWrites => ({
  raised: [],
  changed: [],
  signals: [],
  log: [],
  timers: [],
  receipts: [],
  seen: [],
  events: [],
  hits: [],
})

export const signalRow = (
  { source, signal, clock }: { source: SignalSource; signal: NormalizedSignal; clock: SignalTimes },
  fate: Pick<SignalRow, 'recordId' | 'suppressed'>,
): SignalRow => ({
  deviceId: source.deviceId,
  eventId: signal.eventId,
  kind: signal.kind,
  code: signal.code,
  mode: signal.mode,
  boot: signal.stamp?.boot ?? null,
  seq: signal.stamp?.seq ?? null,
  occurredAt: clock.occurredAt,
  receivedAt: clock.receivedAt,
  skewMs: clock.skewMs,
  timeProven: signal.stamp === null ? null : clock.isProven,
  late: clock.late,
  zone: signal.zone,
  pressCount: signal.pressCount,
  body: signal.body,
  raw: signal.raw,
  via: signal.via,
  schoolId: source.schoolId,
  deptId: source.deptId,
  ...fate,
})

const byDevice = (a: { deviceId: number }, b: { deviceId: number }) => a.deviceId - b.deviceId
const headed = (record: LockedRecord) => ({ ...record, logHash: toByteaHex(record.logHash) })

const insertRecords = bulkInsert('warn_record', raisedColumns)
const insertSignals = bulkInsert('signal', signalColumns)
const insertLog = bulkInsert('warn_log', logColumns)
const insertHits = bulkInsert('warn_rule_hit', hitColumns)
const insertEvents = bulkInsert('event', eventColumns)
const fromChanged = rowsFromJson({ id: 'bigint', ...changedColumns })
const setChanged = setFromRow(changedColumns)
const fromTimers = rowsFromJson({
  kind: 'text',
  subjectId: 'bigint',
  step: 'text',
  epoch: 'integer',
  seconds: 'integer',
})
const fromReceipts = rowsFromJson({
  deviceId: 'bigint',
  channel: 'text',
  key: 'text',
  payload: 'jsonb',
  seconds: 'integer',
})
const fromSeen = rowsFromJson({
  deviceId: 'bigint',
  at: 'timestamptz',
  skewMs: 'bigint',
  skewBoot: 'bigint',
  bootClockMs: 'bigint',
  latched: 'boolean',
  resetAt: 'timestamptz',
})

/**
 * Inserts messages for devices, in the lock order that all writers share (gateway/outbox/outbox-rows.ts). A replaced
 * message gets a new id: it is sent last, and a delivery of the old message does not count for it.
 */
export const insertReceipts = (rows: readonly DeviceReceipt[]): RawBuilder<unknown> => sql`
  insert into device_outbox (device_id, channel, key, payload, expires_at)
  select "deviceId", channel, key, payload, now() + make_interval(secs => seconds) from ${fromReceipts(rows)}
  order by "deviceId", channel, key
  on conflict on constraint device_outbox_key do update
    set id = default, payload = excluded.payload, expires_at = excluded.expires_at, created_at = now(), sent_at = null`

/** A report beside an old message is from an unknown boot. It does not replace a clock that was proven in one. */
const keepProven = (column: string) => sql`${sql.ref(column)} = case
  when excluded.skew_ms is null or (excluded.skew_boot is null and old.skew_boot is not null) then ${sql.ref(`old.${column}`)}
  else ${sql.ref(`excluded.${column}`)} end`

/** The statement of each part, in the order of writing. */
const writers: { [Part in keyof PendingWrites]: (rows: PendingWrites[Part]) => RawBuilder<unknown> } = {
  raised: (rows) => insertRecords(rows.map(headed)),
  changed: (rows) => sql`
    update warn_record as record set ${setChanged} from ${fromChanged(rows.map(headed))} where record.id = row.id`,
  signals: (rows) =>
    sql`${insertSignals(rows.map((row) => ({ ...row, raw: toByteaHex(row.raw) })))} returning id, device_id`,
  log: (rows) =>
    insertLog(rows.map((row) => ({ ...row, prevHash: toByteaHex(row.prevHash), hash: toByteaHex(row.hash) }))),
  timers: (rows) => sql`
    insert into timer as old (kind, subject_id, step, epoch, due_at)
    select kind, "subjectId", step, epoch, now() + make_interval(secs => seconds) from ${fromTimers(rows)}
    on conflict on constraint timer_step_key do update
      set due_at = excluded.due_at, done_at = null, outcome = null, lease_until = null, attempts = 0,
        last_error = null, fence = old.fence + 1`,
  receipts: insertReceipts,
  seen: (rows) => sql`
    insert into device_state as old (device_id, last_seen_at, skew_ms, skew_boot, boot_clock_ms, latched, reset_at)
    select "deviceId", at, "skewMs", "skewBoot", "bootClockMs", latched, "resetAt" from ${fromSeen(rows.toSorted(byDevice))}
    on conflict (device_id) do update
      set last_seen_at = greatest(old.last_seen_at, excluded.last_seen_at),
        ${sql.join(['skew_ms', 'skew_boot', 'boot_clock_ms'].map(keepProven))},
        latched = coalesce(excluded.latched, old.latched),
        reset_at = case when excluded.latched is null then old.reset_at else excluded.reset_at end`,
  events: insertEvents,
  hits: (rows) => sql`${insertHits(rows)} on conflict do nothing`,
}

const written = <Part extends keyof PendingWrites>(part: Part, writes: PendingWrites): RawBuilder<unknown>[] =>
  writes[part].length === 0 ? [] : [sql`${sql.ref(part)} as (${writers[part](writes[part])})`]

/**
 * Writes all pending rows in one statement. Rows that other transactions also write are written in a shared order.
 * @returns the ids of the signals with their devices.
 */
export const flushWrites = async (
  all: UnscopedDb,
  writes: PendingWrites,
): Promise<{ id: number; deviceId: number }[]> => {
  const parts = (Object.keys(writers) as (keyof PendingWrites)[]).flatMap((part) => written(part, writes))
  const answer = writes.signals.length > 0 ? sql`select id, device_id from signals` : sql`select where false`
  const { rows } = await sql<{ id: number; deviceId: number }>`with ${sql.join(parts)} ${answer}`.execute(all)
  return rows
}
