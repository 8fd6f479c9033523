import type { AuditLogDetail } from '@tocsin/contract/system/log/audit-log'
import { sql } from 'kysely'
import type { AllDb, Db } from '#db/db'
import { everything } from '#db/scope'
import type { Row } from '#db/tables'
import { auditHash } from '../audit.ts'
import { LOG_DAYS_MIN } from '../config/known.ts'
import { AGE } from './age.ts'
import { sealHash, sealRoot } from './seal.ts'

/** The first place where the audit is not what was written. */
export type BrokenSeal = {
  /** Null for rows that wait for their seal. */
  seal: number | null
  row: number | null
  reason: 'SEAL_MISSING' | 'PREVIOUS' | 'SEAL' | 'ROW_MISSING' | 'ROW' | 'UNSEALED'
}
export type VerifiedSeals = {
  seals: number
  rows: number
  head: string | undefined
  /** When the last of those that went by age had been sealed. */
  aged: Date | undefined
  broken: BrokenSeal | undefined
}

type AuditRow = Row<'auditLog'>

const isWhole = ({ id: _id, hash, ...row }: AuditRow): boolean => auditHash(row).equals(hash)

const rowsOf = (all: AllDb, ids: readonly number[]): Promise<AuditRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : all.selectFrom('auditLog').selectAll().where('id', 'in', ids).orderBy('id').execute()

const brokenRow = (ids: readonly number[], rows: readonly AuditRow[]): Omit<BrokenSeal, 'seal'> | undefined => {
  const present = new Set(rows.map(({ id }) => id))
  const gone = ids.find((id) => !present.has(id))
  if (gone !== undefined) return { row: gone, reason: 'ROW_MISSING' }
  const changed = rows.find((row) => !isWhole(row))
  return changed && { row: changed.id, reason: 'ROW' }
}

/** A removal of what was old enough names the last seal whose rows went, by its hash. */
const hasAged = async (all: AllDb, { seq, at, hash }: Row<'seal'>): Promise<boolean> => {
  const removal = await all
    .selectFrom('auditLog')
    .select('id')
    .where('action', '=', AGE)
    .where(sql<boolean>`after ->> 'seal' = ${String(seq)} and after ->> 'hash' = ${hash.toString('hex')}`)
    .where('at', '>=', new Date(at.getTime() + LOG_DAYS_MIN * 86_400_000))
    .executeTakeFirst()
  return removal !== undefined
}

/** The seal that the rest is chained to, where what lies before went by age: itself whole, its rows gone. */
const anchorOf = async (all: AllDb): Promise<Row<'seal'> | undefined> => {
  const first = await all.selectFrom('seal').selectAll().orderBy('seq').limit(1).executeTakeFirst()
  const aged = first && sealHash(first).equals(first.hash) && (await hasAged(all, first))
  return aged && (await rowsOf(all, first.rowIds)).length === 0 ? first : undefined
}

type Link = { seq: number; hash: Buffer }
const START: Link = { seq: 0, hash: Buffer.alloc(0) }

const brokenSeal = async (all: AllDb, seal: Row<'seal'>, before: Link): Promise<BrokenSeal | undefined> => {
  const { seq, prevHash, hash, root, rowIds } = seal
  const at = { seal: seq, row: null }
  if (seq !== before.seq + 1) return { ...at, seal: before.seq + 1, reason: 'SEAL_MISSING' }
  if (!prevHash.equals(before.hash)) return { ...at, reason: 'PREVIOUS' }
  if (!sealHash(seal).equals(hash)) return { ...at, reason: 'SEAL' }
  const rows = await rowsOf(all, rowIds)
  const row = brokenRow(rowIds, rows)
  if (row) return { ...row, seal: seq }
  return sealRoot(rows).equals(root) ? undefined : { ...at, reason: 'SEAL' }
}

const BATCH = 100

const checkChain = async (all: AllDb): Promise<VerifiedSeals> => {
  const anchor = await anchorOf(all)
  const aged = anchor?.at
  const { seq: before } = anchor ?? START
  let last: Link = anchor ?? START
  let rows = 0
  for (;;) {
    const seals = await all
      .selectFrom('seal')
      .selectAll()
      .where('seq', '>', last.seq)
      .orderBy('seq')
      .limit(BATCH)
      .execute()
    for (const seal of seals) {
      const broken = await brokenSeal(all, seal, last)
      if (broken) return { seals: last.seq - before, rows, head: undefined, aged, broken }
      last = seal
      rows += seal.rowIds.length
    }
    if (seals.length < BATCH)
      return { seals: last.seq - before, rows, head: last.hash.toString('hex'), aged, broken: undefined }
  }
}

/** A row outside every seal must wait in the queue, and be what was written. */
const brokenOutside = async (all: AllDb): Promise<BrokenSeal | undefined> => {
  const { rows: lost } = await sql<{ id: number }>`
    select a.id from audit_log a
    where not exists (select from audit_unsealed u where u.id = a.id)
      and a.id not in (select jsonb_array_elements(row_ids)::bigint from seal)
    order by a.id limit 1`.execute(all)
  if (lost[0]) return { seal: null, row: lost[0].id, reason: 'UNSEALED' }
  const waiting = await all
    .selectFrom('auditUnsealed')
    .innerJoin('auditLog', 'auditLog.id', 'auditUnsealed.id')
    .selectAll('auditLog')
    .orderBy('auditLog.id')
    .execute()
  const changed = waiting.find((row) => !isWhole(row))
  return changed && { seal: null, row: changed.id, reason: 'ROW' }
}

/** Recomputes the audit's rows and the chain of their seals in one snapshot; stops at the first that is broken. */
export const verifySeals = (db: Db): Promise<VerifiedSeals> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
      const all = everything(trx, 'verify-log checks every audit row')
      const chain = await checkChain(all)
      return chain.broken ? chain : { ...chain, broken: await brokenOutside(all) }
    })

const linkBefore = (db: Db, seq: number): Promise<Link | undefined> =>
  seq === 1
    ? Promise.resolve(START)
    : db
        .selectFrom('seal')
        .select(['seq', 'hash'])
        .where('seq', '=', seq - 1)
        .executeTakeFirst()

/** How one row stands: whole among the rows of its seal, which follows from the seal before; or waiting, and whole. */
export const sealOf = async (db: Db, id: number): Promise<Pick<AuditLogDetail, 'seal' | 'sealState'>> => {
  const all = everything(db, 'a row is checked together with the others of its seal')
  const seal = await db
    .selectFrom('seal')
    .selectAll()
    .where(sql<boolean>`row_ids @> ${JSON.stringify([id])}::jsonb`)
    .executeTakeFirst()
  if (seal) {
    const before = await linkBefore(db, seal.seq)
    const whole = before && !(await brokenSeal(all, seal, before))
    return { seal: seal.seq, sealState: whole ? 'SEALED' : 'BROKEN' }
  }
  const waiting = await all
    .selectFrom('auditUnsealed')
    .innerJoin('auditLog', 'auditLog.id', 'auditUnsealed.id')
    .selectAll('auditLog')
    .where('auditLog.id', '=', id)
    .executeTakeFirst()
  return { seal: null, sealState: waiting && isWhole(waiting) ? 'WAITING' : 'BROKEN' }
}
