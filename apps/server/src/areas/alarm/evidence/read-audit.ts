import { sql } from 'kysely'
import { isPersonal, revealPermissionOf, visibleStates } from '#areas/audit/log/audit-state'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { type Actor, hasPermission } from '#http/route'
import type { PackedAudit } from './pack-format.ts'

const SUBJECT = 'warn_record'

const selectRows = (db: Db, actor: Actor, recordId: number) =>
  scoped(db, actor)
    .selectFrom('auditLog')
    .selectAll()
    .where('subject', '=', SUBJECT)
    .where('subjectId', '=', recordId)
    .orderBy('id')
    .execute()

/** Whether the content of each row may leave as it was written: masked content does not match its hash. */
const readable = async (db: Db, actor: Actor, rows: readonly Row<'auditLog'>[]): Promise<boolean[]> => {
  const states = await visibleStates(db, actor, rows)
  return rows.map((row, at) => {
    if (states[at]?.withheld !== false) return false
    return hasPermission(actor)(revealPermissionOf(row)) || !(isPersonal(row.before) || isPersonal(row.after))
  })
}

const sealOf = (db: Db, id: number): Promise<Row<'seal'> | undefined> =>
  db
    .selectFrom('seal')
    .selectAll()
    .where(sql<boolean>`row_ids @> ${JSON.stringify([id])}::jsonb`)
    .executeTakeFirst()

/** The seals of these rows. One covers up to 2,000 consecutive rows. */
const readSeals = async (db: Db, ids: readonly number[]): Promise<Row<'seal'>[]> => {
  const open = new Set(ids)
  const seals: Row<'seal'>[] = []
  for (const id of ids) {
    const seal = open.has(id) ? await sealOf(db, id) : undefined
    if (!seal) continue
    seals.push(seal)
    for (const covered of seal.rowIds) open.delete(covered)
  }
  return seals.toSorted((a, b) => a.seq - b.seq)
}

const packSeal = async (db: Db, { rowIds, ...seal }: Row<'seal'>): Promise<PackedAudit['seals'][number]> => {
  const rows = await unscoped(db, 'a seal is checked with the hashes of all its rows; they show no content')
    .selectFrom('auditLog')
    .select(['id', 'hash'])
    .where(sql<boolean>`id = any(${rowIds})`)
    .orderBy('id')
    .execute()
  return {
    seq: seal.seq,
    kind: seal.kind,
    at: seal.at.getTime(),
    root: seal.root.toString('hex'),
    prevHash: seal.prevHash.toString('hex'),
    hash: seal.hash.toString('hex'),
    rows: rows.map(({ id, hash }): [number, string] => [id, hash.toString('hex')]),
  }
}

/** The visible rows of the operation log about a record, with their seals. */
export const readRecordAudit = async (db: Db, actor: Actor, recordId: number): Promise<PackedAudit> => {
  const rows = await selectRows(db, actor, recordId)
  const isReadable = await readable(db, actor, rows)
  const seals = await readSeals(
    db,
    rows.map(({ id }) => id),
  )
  const seqOf = new Map(seals.flatMap(({ seq, rowIds }) => rowIds.map((id) => [id, seq] as const)))
  return {
    rows: rows
      .filter((_, at) => isReadable[at])
      .map(({ hash, ...row }) => ({
        ...row,
        subject: SUBJECT,
        subjectId: recordId,
        at: row.at.getTime(),
        seal: seqOf.get(row.id) ?? null,
        hash: hash.toString('hex'),
      })),
    withheld: rows.filter((_, at) => !isReadable[at]).map(({ id, hash }) => ({ id, hash: hash.toString('hex') })),
    seals: await Promise.all(seals.map((seal) => packSeal(db, seal))),
  }
}
