import {
  MAX_SILENCE_ROWS,
  type Silence,
  silence,
  type SilenceKind,
  type SilenceRow,
} from '@tocsin/contract/insight/silence'
import type { DeliveryReason } from '@tocsin/contract/notify/delivery'
import { startOfDay } from '@tocsin/contract/security/hours'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { scoped } from '#db/scope'
import { type Actor, type Route, route } from '#http/route'

/** A signal with one of these raised no alarm; the other suppressions are no alarms by their meaning. */
const NOT_RAISED = ['NO_RULE', 'SHADOW', 'BELOW_REPEAT', 'WAITING', 'OUT_OF_HOURS'] as const
/** The delivery became needless, or the person is told by another channel; nothing was withheld. */
const NEEDLESS: readonly DeliveryReason[] = ['CLAIMED', 'RECEIVED', 'ENDED', 'QUIET_HOURS', 'NOT_CHOSEN']

const none = {
  schoolName: null,
  class: null,
  code: null,
  basis: null,
  until: null,
  recordId: null,
  recordVersion: null,
  outageId: null,
}
const latest = sql<Date>`max(signal.received_at)`
const times = sql<number>`count(*)::int`

type Found = Omit<SilenceRow, 'key'> & { id: number | string }

const listUnraised = async (visible: AllTablesDb, from: Date): Promise<Found[]> => {
  const rows = await visible
    .selectFrom('signal')
    .innerJoin('device', 'device.id', 'signal.deviceId')
    .leftJoin('school', 'school.id', 'signal.schoolId')
    .select(['device.sn as subject', 'school.name as schoolName', 'signal.code', 'signal.suppressed as reason'])
    .select([latest.as('at'), times.as('count')])
    .where('signal.receivedAt', '>=', from)
    .where('signal.suppressed', 'in', [...NOT_RAISED])
    .groupBy(['device.sn', 'school.name', 'signal.code', 'signal.suppressed'])
    .orderBy('at', 'desc')
    .execute()
  return rows.flatMap(({ reason, ...row }) =>
    reason === null || reason === 'RECOVERY' || reason === 'INFORMATION'
      ? []
      : [{ ...none, ...row, kind: 'RULE' as const, reason, id: `${row.subject} ${row.code} ${reason}` }],
  )
}

const recordRows = (visible: AllTablesDb) =>
  visible
    .selectFrom('warnRecord')
    .select([
      'warnRecord.id',
      'warnRecord.no as subject',
      'warnRecord.schoolName',
      'warnRecord.class',
      'warnRecord.code',
      'warnRecord.lastAt as at',
      'warnRecord.id as recordId',
      'warnRecord.version as recordVersion',
    ])
    .where('warnRecord.mode', '=', 'LIVE')

/** A further press of an open panic alarm rings again: it is not hidden. */
const listRepeats = async (visible: AllTablesDb, from: Date): Promise<Found[]> => {
  const rows = await recordRows(visible)
    .leftJoin('warnRule', 'warnRule.id', 'warnRecord.ruleId')
    .select(['warnRecord.occurrenceCount', 'warnRule.name as basis'])
    .where('warnRecord.lastAt', '>=', from)
    .where('warnRecord.occurrenceCount', '>', 1)
    .where('warnRecord.class', '<>', 'PANIC')
    .orderBy('warnRecord.lastAt', 'desc')
    .execute()
  return rows.map(({ occurrenceCount, ...row }) => ({
    ...none,
    ...row,
    kind: 'REPEAT' as const,
    reason: 'OCCURRENCE' as const,
    count: occurrenceCount - 1,
  }))
}

const listShelved = async (visible: AllTablesDb): Promise<Found[]> => {
  const rows = await recordRows(visible)
    .select('warnRecord.shelvedUntil as until')
    .where('warnRecord.open', '=', true)
    .where('warnRecord.shelvedUntil', '>', sql<Date>`now()`)
    .orderBy('warnRecord.shelvedUntil')
    .execute()
  return rows.map((row) => ({ ...none, ...row, kind: 'SHELVED' as const, reason: 'SHELVED' as const, count: 1 }))
}

const listMerged = async (visible: AllTablesDb, from: Date): Promise<Found[]> => {
  const rows = await recordRows(visible)
    .leftJoin('warnRecord as target', 'target.id', 'warnRecord.mergedIntoId')
    .select('target.no as basis')
    .where('warnRecord.mergedIntoId', 'is not', null)
    .where('warnRecord.lastAt', '>=', from)
    .orderBy('warnRecord.lastAt', 'desc')
    .execute()
  return rows.map((row) => ({ ...none, ...row, kind: 'MERGED' as const, reason: 'MERGED' as const, count: 1 }))
}

const listFlapping = async (visible: AllTablesDb): Promise<Found[]> => {
  const rows = await visible
    .selectFrom('deviceState')
    .innerJoin('device', 'device.id', 'deviceState.deviceId')
    .leftJoin('school', 'school.id', 'device.schoolId')
    .select(['device.id', 'device.sn as subject', 'school.name as schoolName', 'deviceState.changeCount as count'])
    .select('deviceState.since as at')
    .where('deviceState.flapping', '=', true)
    .orderBy('deviceState.since', 'desc')
    .execute()
  return rows.map((row) => ({ ...none, ...row, kind: 'FLAPPING' as const, reason: 'FLAPPING' as const }))
}

/** Devices whose own alarm an outage stands for: one row for each outage, counted by the devices that the reader sees. */
const listOutages = async (visible: AllTablesDb, from: Date): Promise<Found[]> => {
  const rows = await visible
    .selectFrom('outageDevice')
    .leftJoin('outage', 'outage.id', 'outageDevice.outageId')
    .leftJoin('school', 'school.id', 'outage.schoolId')
    .leftJoin('warnRecord', 'warnRecord.id', 'outage.recordId')
    .select(['outageDevice.outageId', 'outage.name', 'school.name as schoolName', 'warnRecord.no as basis'])
    .select(['warnRecord.id as recordId', 'warnRecord.version as recordVersion'])
    .select([sql<Date>`min(outage_device.since)`.as('at'), times.as('count')])
    .where((eb) =>
      eb.or([
        eb('outageDevice.since', '>=', from),
        eb.and([eb('outageDevice.restoredAt', 'is', null), eb('outageDevice.raisedAt', 'is', null)]),
      ]),
    )
    .groupBy(['outageDevice.outageId', 'outage.name', 'school.name', 'warnRecord.no', 'warnRecord.id'])
    .groupBy('warnRecord.version')
    .orderBy('at', 'desc')
    .execute()
  return rows.map(({ name, ...row }) => ({
    ...none,
    ...row,
    kind: 'OUTAGE' as const,
    id: row.outageId,
    subject: name ?? '–',
    class: 'DEVICE_HEALTH' as const,
    code: 'OUTAGE',
    reason: 'OUTAGE' as const,
  }))
}

const listUndelivered = async (visible: AllTablesDb, from: Date): Promise<Found[]> => {
  const rows = await visible
    .selectFrom('delivery')
    .leftJoin('school', 'school.id', 'delivery.schoolId')
    .select(['delivery.id', 'delivery.title', 'delivery.recipientName', 'delivery.channel as basis'])
    .select(['delivery.state', 'delivery.reason', 'delivery.createdAt as at', 'school.name as schoolName'])
    .where('delivery.createdAt', '>=', from)
    .where('delivery.state', 'in', ['FAILED', 'EXPIRED', 'SUPPRESSED', 'CANCELLED'])
    .where((eb) => eb.or([eb('delivery.reason', 'is', null), eb('delivery.reason', 'not in', [...NEEDLESS])]))
    .orderBy('delivery.createdAt', 'desc')
    .execute()
  return rows.map(({ title, recipientName, state, reason, ...row }) => ({
    ...none,
    ...row,
    kind: 'DELIVERY' as const,
    subject: `${recipientName} · ${title}`,
    reason: (reason ?? state) as SilenceRow['reason'],
    count: 1,
  }))
}

/** Counted from the signals, not from the rows above, so that the proof does not depend on them. */
const countPanic = async (visible: AllTablesDb, from: Date): Promise<Silence['panic']> => {
  const hidden = sql<number>`(count(*) filter (
    where signal.suppressed in ('NO_RULE', 'SHADOW', 'BELOW_REPEAT', 'WAITING', 'OUT_OF_HOURS')
      or warn_record.shelved_until > now()))::int`
  const found = await visible
    .selectFrom('signal')
    .leftJoin('warnRecord', 'warnRecord.id', 'signal.recordId')
    .select([times.as('received'), hidden.as('hidden')])
    .where('signal.receivedAt', '>=', from)
    .where('signal.kind', '=', 'ALARM')
    .where('signal.mode', '=', 'LIVE')
    .where('signal.code', 'like', 'PANIC%')
    .executeTakeFirstOrThrow()
  return found
}

export const getSilence = async (db: Db, actor: Actor, now: Date): Promise<Silence> => {
  const from = startOfDay(now)
  const visible = scoped(db, actor)
  const lists: [SilenceKind, Found[]][] = [
    ['OUTAGE', await listOutages(visible, from)],
    ['REPEAT', await listRepeats(visible, from)],
    ['RULE', await listUnraised(visible, from)],
    ['SHELVED', await listShelved(visible)],
    ['MERGED', await listMerged(visible, from)],
    ['FLAPPING', await listFlapping(visible)],
    ['DELIVERY', await listUndelivered(visible, from)],
  ]
  const counts = lists.map(([kind, rows]) => ({
    kind,
    n: kind === 'FLAPPING' ? rows.length : rows.reduce((sum, { count }) => sum + count, 0),
  }))
  return {
    total: counts.reduce((sum, { n }) => sum + n, 0),
    counts,
    panic: await countPanic(visible, from),
    rows: lists
      .flatMap(([, rows]) => rows.slice(0, MAX_SILENCE_ROWS))
      .map(({ id, ...row }) => ({ ...row, key: `${row.kind} ${id}` }))
      .toSorted((a, b) => b.at.getTime() - a.at.getTime()),
  }
}

export const silenceRoutes = ({ db }: { db: Db }): Route[] => [
  route(silence.today, ({ actor }) => getSilence(db, actor, new Date())),
]
