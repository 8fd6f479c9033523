import type { RecordDetail, RecordSchool } from '@tocsin/contract/alarm/records'
import { WarnLog } from '@tocsin/contract/alarm/log'
import { Occurrence, type WarnRecord } from '@tocsin/contract/alarm/record'
import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { listEvidence } from './evidence.ts'
import { maskToldPhone } from './mask-told-phone.ts'
import type { AllTablesDb, Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { recordColumns, loadRecordRows } from './record-row.ts'
import { MAX_RAW_CHARS, formatRawBytes, toSignalDetail } from './signal-detail.ts'

const { said: _said, raw: _raw, ...columns } = Occurrence.shape
const occurrenceColumns = Object.keys(columns) as (keyof typeof columns)[]
const { actorAccount: _account, ...storedLog } = WarnLog.shape
export const logColumns = Object.keys(storedLog) as (keyof typeof storedLog)[]

/** Adds the account of the actor to log entries, because names are not unique. */
export const withAccounts = async <T extends { actorId: number | null }>(db: Db, entries: readonly T[]) => {
  const ids = [...new Set(entries.flatMap(({ actorId }) => actorId ?? []))]
  const users =
    ids.length === 0
      ? []
      : await unscoped(db, 'accounts of actors in a log that was read with the visibility of the caller')
          .selectFrom('users')
          .select(['id', 'username'])
          .where('id', 'in', ids)
          .execute()
  const accounts = new Map(users.map(({ id, username }) => [id, username]))
  return entries.map((entry) => ({ ...entry, actorAccount: accounts.get(entry.actorId ?? 0) ?? null }))
}

const OCCURRENCES = 200
/** Limits the entries: a storm writes thousands, and the page of the log shows all of them. */
const LOG_ENTRIES = 1000

const occurrencesOf = async (all: AllTablesDb, recordId: number): Promise<Occurrence[]> => {
  const rows = await all
    .selectFrom('signal')
    // Maximum size that is shown: four bytes per character.
    .select([
      ...occurrenceColumns,
      'body',
      sql<Buffer | null>`substring(raw for ${sql.lit(4 * MAX_RAW_CHARS)})`.as('raw'),
    ])
    .where('recordId', '=', recordId)
    .orderBy('id', 'desc')
    .limit(OCCURRENCES + 1)
    .execute()
  return rows.map(({ body, raw, ...row }) => ({ ...row, said: toSignalDetail(body), raw: formatRawBytes(raw) }))
}

const logOf = async (all: AllTablesDb, recordId: number) => {
  const entries = await all
    .selectFrom('warnLog')
    .select(logColumns)
    .where('recordId', '=', recordId)
    .orderBy('no', 'desc')
    .limit(LOG_ENTRIES)
    .execute()
  return entries.reverse()
}

const sightingsOf = (db: Db, recordId: number) =>
  unscoped(db, 'names of those who saw a record that was read through the sight of the caller')
    .selectFrom('warnSighting')
    .innerJoin('users', 'users.id', 'warnSighting.userId')
    .select([
      'warnSighting.userId',
      'users.nickname as userName',
      'warnSighting.sessionId',
      'warnSighting.displayedAt',
      'warnSighting.soundedAt',
    ])
    .where('recordId', '=', recordId)
    .orderBy('displayedAt')
    .execute()

const named = (all: AllTablesDb) => all.selectFrom('warnRecord').select(['id', 'no'])

/** The records that were merged into this one or are linked with it, as far as the caller sees them. */
const othersOf = async (all: AllTablesDb, { id, mergedIntoId, linkedRecordId }: WarnRecord) => {
  const findRecord = async (other: number | null) =>
    other === null ? null : ((await named(all).where('id', '=', other).executeTakeFirst()) ?? null)
  return {
    merged: await named(all).where('mergedIntoId', '=', id).orderBy('id').execute(),
    mergedInto: await findRecord(mergedIntoId),
    linked: await findRecord(linkedRecordId),
    linkedFrom: await named(all).where('linkedRecordId', '=', id).orderBy('id').execute(),
  }
}

const schoolOf = async (db: Db, id: number | null): Promise<RecordSchool | null> => {
  if (id === null) return null
  const school = await unscoped(db, 'the school of a record that was read in the sight of the caller')
    .selectFrom('school')
    .leftJoin('dept', 'dept.id', 'school.policeDeptId')
    .select(['school.address', 'dept.name as stationName', 'school.studentCount', 'school.boarderCount'])
    .where('school.id', '=', id)
    .executeTakeFirst()
  return school ?? null
}

/** The parts of one record that the caller sees, read in one snapshot so that they agree. */
export const readRecordDetail = async (db: Db, actor: Actor, id: number): Promise<RecordDetail> => {
  const all = scoped(db, actor)
  const record = await all.selectFrom('warnRecord').select(recordColumns).where('id', '=', id).executeTakeFirst()
  const [row] = record ? await loadRecordRows(db, [record]) : []
  if (!record || !row) throw new BusinessError(codes.notFound, { what: '警情' })
  const occurrences = await occurrencesOf(all, id)
  return {
    record: row,
    school: await schoolOf(db, row.schoolId),
    occurrences: occurrences.slice(0, OCCURRENCES),
    occurrencesCut: occurrences.length > OCCURRENCES,
    log: await withAccounts(db, maskToldPhone(actor, await logOf(all, id))),
    attachments: await listEvidence(db, actor, id),
    sightings: await sightingsOf(db, id),
    ...(await othersOf(all, record)),
  }
}

export const recordDetail = (db: Db, actor: Actor, id: number): Promise<RecordDetail> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => readRecordDetail(trx, actor, id))
