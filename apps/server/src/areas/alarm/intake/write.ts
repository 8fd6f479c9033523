import type { EventType } from '@tocsin/contract/live'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type LogEntry, linked } from '#areas/alarm/log'
import type { AllDb, Db } from '#db/db'
import type { AllTables } from '#db/tables'
import type { Clocked } from './clock.ts'
import type { Past } from './past.ts'
import type { Source } from './place.ts'
import type { Heard } from './signal.ts'

export type Locked = Selectable<AllTables['warnRecord']>
export type Patch = Updateable<AllTables['warnRecord']>

/** One signal on its way in: where it came from, when it happened, what was before. */
export type Intake = { trx: Db; all: AllDb; source: Source; heard: Heard; clock: Clocked; past: Past }

/** Where a signal went. */
export type Landed = {
  signalId: number
  record: Locked | null
  fresh: boolean
  events: { type: EventType; ref: number }[]
}

export const signalRow = (
  { source, heard, clock }: Intake,
  fate: Pick<Insertable<AllTables['signal']>, 'recordId' | 'suppressed'>,
): Insertable<AllTables['signal']> => ({
  deviceId: source.deviceId,
  eventId: heard.eventId,
  kind: heard.kind,
  code: heard.code,
  mode: heard.mode,
  boot: heard.stamp?.boot ?? null,
  seq: heard.stamp?.seq ?? null,
  occurredAt: clock.occurredAt,
  receivedAt: source.now,
  skewMs: clock.skewMs,
  late: clock.late,
  zone: heard.zone,
  pressCount: heard.pressCount,
  body: heard.body,
  raw: heard.raw,
  via: heard.via,
  schoolId: source.schoolId,
  deptId: source.deptId,
  ...fate,
})

/** What a record's log keeps of a signal; plain JSON without fractions, so that it hashes alike everywhere. */
export const signalEntry = ({ heard, clock }: Intake, verb: string, more: Record<string, unknown> = {}): LogEntry => ({
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
    ...more,
  },
})

/**
 * Writes a signal to a locked record, changes the record and extends its log, in one statement.
 * @returns the id of the signal and the record after it.
 */
export const attach = async (
  intake: Intake,
  record: Locked,
  { patch, entries }: { patch: Patch; entries: LogEntry[] },
): Promise<{ signalId: number; record: Locked }> => {
  const { rows, head } = linked(record, intake.source.now, entries)
  const { signalId } = await intake.all
    .with('heard', (db) =>
      db
        .insertInto('signal')
        .values(signalRow(intake, { recordId: record.id, suppressed: null }))
        .returning('id'),
    )
    .with('changed', (db) =>
      db
        .updateTable('warnRecord')
        .set({ ...patch, ...head })
        .where('id', '=', record.id),
    )
    .insertInto('warnLog')
    .values(rows)
    .returning((eb) => eb.selectFrom('heard').select('heard.id').$asScalar().$notNull().as('signalId'))
    .executeTakeFirstOrThrow()
  // The patch holds plain values only: no expression of SQL reaches here.
  return { signalId, record: { ...record, ...(patch as Partial<Locked>), ...head } }
}

/** Keeps a signal that changes nothing, with the reason why (invariant 1). */
export const keepAside = async (
  intake: Intake,
  suppressed: NonNullable<Insertable<AllTables['signal']>['suppressed']>,
): Promise<Landed> => {
  const { id } = await intake.all
    .insertInto('signal')
    .values(signalRow(intake, { recordId: null, suppressed }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return { signalId: id, record: null, fresh: false, events: [] }
}

export type Tail = {
  outbox: { channel: 'ack' | 'time'; key: string; payload: Record<string, unknown>; seconds: number }[]
  events: { type: EventType; ref: number }[]
  schoolId: number | null
  deptId: number
  seen: boolean
}

/**
 * What every intake ends with, in one round trip: receipts for the device, its last sign of life, events for screens
 * and gateways. The device's state comes last of all row locks: another statement writes many of them at once.
 */
export const finish = async ({ all, source, clock }: Intake, tail: Tail): Promise<void> => {
  await sql`
    with sent as (
      insert into device_outbox (device_id, channel, key, payload, expires_at)
      select ${source.deviceId}::bigint, channel, key, payload, now() + make_interval(secs => seconds)
      from jsonb_to_recordset(${JSON.stringify(tail.outbox)}::jsonb)
        as row (channel text, key text, payload jsonb, seconds integer)
      on conflict on constraint device_outbox_key do update
        set payload = excluded.payload, expires_at = excluded.expires_at, created_at = now(), sent_at = null
    ), seen as (
      insert into device_state as old (device_id, last_seen_at, skew_ms)
      select ${source.deviceId}::bigint, ${source.now}::timestamptz, ${clock.skewMs}::bigint where ${tail.seen}::boolean
      on conflict (device_id) do update
        set last_seen_at = greatest(old.last_seen_at, excluded.last_seen_at),
          skew_ms = coalesce(excluded.skew_ms, old.skew_ms)
    )
    insert into event (type, ref, school_id, dept_id)
    select type, ref, ${tail.schoolId}::bigint, ${tail.deptId}::bigint
    from jsonb_to_recordset(${JSON.stringify(tail.events)}::jsonb) as row (type text, ref bigint)`.execute(all)
}
