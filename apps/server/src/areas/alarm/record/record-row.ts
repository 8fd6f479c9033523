import { WarnRecord, WarnRecordRow } from '@tocsin/contract/alarm/record'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { loadButtonState } from './button-reset.ts'

/** Columns of a record that leave the server. Dedup key, chain head and lease session are internal. */
export const recordColumns = Object.keys(WarnRecord.shape) as (keyof WarnRecord)[]

const cut = (row: WarnRecord): WarnRecord =>
  Object.fromEntries(recordColumns.map((column) => [column, row[column]])) as WarnRecord

type Name = { of: 'user' | 'device' | 'place' | 'rule'; id: number; text: string }

const some = (values: (number | null)[]): number[] => [...new Set(values.filter((id) => id !== null))]

const namesOn = async (db: Db, records: readonly WarnRecord[]): Promise<Map<string, string>> => {
  const people = some(records.flatMap((r) => [r.ownerId, r.lastOwnerId, r.falseBy, r.resolverId]))
  const { rows } = await sql<Name>`
    select 'user' as of, id, nickname as text from users where id = any(${people})
    union all select 'device', id, sn from device where id = any(${some(records.map((r) => r.deviceId))})
    union all select 'place', id, sensitivity from place where id = any(${some(records.map((r) => r.placeId))})
    union all select 'rule', id, name from warn_rule where id = any(${some(records.map((r) => r.ruleId))})
  `.execute(unscoped(db, 'names shown on records that were read through the sight of the caller'))
  return new Map(rows.map((row) => [`${row.of} ${row.id}`, row.text]))
}

/** Records that are linked with one of another school, of which their readers may not know. */
const findForeignLinks = async (db: Db, records: readonly WarnRecord[]): Promise<Set<number>> => {
  const ids = some(records.map(({ linkedRecordId }) => linkedRecordId))
  if (ids.length === 0) return new Set()
  const linked = await unscoped(db, 'the schools of linked records; only whether they differ is used')
    .selectFrom('warnRecord')
    .select(['id', 'schoolId'])
    .where('id', 'in', ids)
    .execute()
  const schools = new Map(linked.map(({ id, schoolId }) => [id, schoolId]))
  const isForeign = ({ linkedRecordId: id, schoolId }: WarnRecord) => id !== null && schools.get(id) !== schoolId
  return new Set(records.filter(isForeign).map(({ id }) => id))
}

/**
 * Completes records that were read through `scoped`. Everybody who sees a record also sees who works on it, even people
 * of an invisible department.
 */
export const loadRecordRows = async (db: Db, records: readonly WarnRecord[]): Promise<WarnRecordRow[]> => {
  if (records.length === 0) return []
  const names = await namesOn(db, records)
  const foreign = await findForeignLinks(db, records)
  const withButton = await loadButtonState(
    db,
    records.filter(({ state }) => state !== 'CLOSED'),
  )
  const name = (of: Name['of'], id: number | null) => (id === null ? null : (names.get(`${of} ${id}`) ?? null))
  return records.map((r) => ({
    ...cut(r.state === 'CLOSED' ? r : withButton(r)),
    linkedRecordId: foreign.has(r.id) ? null : r.linkedRecordId,
    sn: name('device', r.deviceId),
    ownerName: name('user', r.ownerId),
    lastOwnerName: name('user', r.lastOwnerId),
    falseByName: name('user', r.falseBy),
    resolverName: name('user', r.resolverId),
    ruleName: name('rule', r.ruleId),
    // The column's CHECK allows nothing else.
    placeSensitivity: name('place', r.placeId) as WarnRecordRow['placeSensitivity'],
  }))
}

/** One row as the data of a rejected call. */
export const encodeRecordRow = async (db: Db, record: WarnRecord): Promise<Record<string, unknown>> => {
  const [row] = await loadRecordRows(db, [record])
  return z.encode(WarnRecordRow, row as WarnRecordRow)
}
