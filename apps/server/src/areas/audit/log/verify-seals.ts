import type { AuditLogDetail } from '@tocsin/contract/audit/audit-log'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { auditHash } from '../audit.ts'
import { LOG_DAYS_MIN } from '#settings/log-days'
import { AUDIT_RETENTION_ACTION, retentionProof } from './retention-proof.ts'
import { sealHash, sealRoot } from './seal.ts'

/** The first place where the audit differs from what was written. */
export type BrokenSeal = {
  /** Null for rows that are not sealed yet. */
  seal: number | null
  row: number | null
  reason: 'SEAL_MISSING' | 'PREVIOUS' | 'SEAL' | 'ROW_MISSING' | 'ROW' | 'UNSEALED' | 'TIME'
}
export type VerifiedSeals = {
  seals: number
  rows: number
  head: string | undefined
  /** The time of the last seal whose rows the retention removed. */
  aged: Date | undefined
  broken: BrokenSeal | undefined
}

type AuditRow = Row<'auditLog'>

const isWhole = ({ id: _id, hash, ...row }: AuditRow): boolean => auditHash(row).equals(hash)

const rowsOf = (all: AllTablesDb, ids: readonly number[]): Promise<AuditRow[]> =>
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

/** Clock corrections of nodes and databases are smaller than this. */
const TOLERANCE = sql.raw(`interval '5 minutes'`)

/**
 * Whether the server removed the rows up to this seal when they were old enough. The time of the removal is that of the
 * seal over its record, or now: the writer of a record chooses its time.
 */
const hasAged = async (all: AllTablesDb, key: Uint8Array, seal: Row<'seal'>): Promise<boolean> => {
  const { rows } = await sql<{ since: number }>`
    select extract(epoch from least(s.at, now()) + ${TOLERANCE} - ${seal.at}::timestamptz)::float8 as since
    from audit_log a left join seal s on s.row_ids @> jsonb_build_array(a.id)
    where a.action = ${sql.lit(AUDIT_RETENTION_ACTION)} and a.after ->> 'seal' = ${String(seal.seq)}
      and a.after ->> 'hash' = ${seal.hash.toString('hex')} and a.after ->> 'proof' = ${retentionProof(key, seal)}
    order by a.id desc limit 1`.execute(all)
  return (rows[0]?.since ?? 0) >= LOG_DAYS_MIN * 86_400
}

/** The seal that the rest is chained to after the retention removed earlier rows: itself complete, its rows gone. */
export const findChainAnchor = async (all: AllTablesDb, key: Uint8Array): Promise<Row<'seal'> | undefined> => {
  const first = await all.selectFrom('seal').selectAll().orderBy('seq').limit(1).executeTakeFirst()
  const aged = first && sealHash(first).equals(first.hash) && (await hasAged(all, key, first))
  return aged && (await rowsOf(all, first.rowIds)).length === 0 ? first : undefined
}

type Link = { seq: number; hash: Buffer }
const START: Link = { seq: 0, hash: Buffer.alloc(0) }

const brokenSeal = async (all: AllTablesDb, seal: Row<'seal'>, before: Link): Promise<BrokenSeal | undefined> => {
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

type Step = { seal: Row<'seal'>; broken: BrokenSeal | undefined }

/** Every seal after that one, or all, each checked against the one before. */
export async function* iterateSeals(all: AllTablesDb, anchor: Row<'seal'> | undefined): AsyncGenerator<Step> {
  let last: Link = anchor ?? START
  // Also below the first, where no seal belongs.
  let after = anchor?.seq ?? Number.MIN_SAFE_INTEGER
  for (;;) {
    const seals = await all
      .selectFrom('seal')
      .selectAll()
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(BATCH)
      .execute()
    for (const seal of seals) {
      yield { seal, broken: await brokenSeal(all, seal, last) }
      last = seal
      after = seal.seq
    }
    if (seals.length < BATCH) return
  }
}

const checkChain = async (all: AllTablesDb, key: Uint8Array): Promise<VerifiedSeals> => {
  const anchor = await findChainAnchor(all, key)
  const aged = anchor?.at
  const { seq: before } = anchor ?? START
  let last: Link = anchor ?? START
  let rows = 0
  for await (const { seal, broken } of iterateSeals(all, anchor)) {
    if (broken) return { seals: last.seq - before, rows, head: undefined, aged, broken }
    last = seal
    rows += seal.rowIds.length
  }
  return { seals: last.seq - before, rows, head: last.hash.toString('hex'), aged, broken: undefined }
}

/** A row outside of all seals must be in the queue and unchanged. */
const brokenOutside = async (all: AllTablesDb): Promise<BrokenSeal | undefined> => {
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

/** A seal is newer than its rows and the seal before, and not in the future. */
const misdated = async (all: AllTablesDb): Promise<BrokenSeal | undefined> => {
  const { rows } = await sql<{ seq: number }>`
    select s.seq from (select seq, at, row_ids, lag(at) over (order by seq) as before from seal) s
    where s.at > now() + ${TOLERANCE} or s.at < s.before - ${TOLERANCE} or exists (
      select from jsonb_array_elements(s.row_ids) as held (id) join audit_log a on a.id = held.id::bigint
      where a.at > s.at + ${TOLERANCE})
    order by s.seq limit 1`.execute(all)
  return rows[0] && { seal: rows[0].seq, row: null, reason: 'TIME' }
}

/**
 * Recomputes the audit rows and the chain of their seals in one snapshot; stops at the first broken one. A wrong date
 * is reported only when everything else is valid, because a clock may have been wrong.
 * @param key `retentionKey`
 */
export const verifySeals = (db: Db, key: Uint8Array): Promise<VerifiedSeals> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
      const all = unscoped(trx, 'verify-log checks every audit row')
      const chain = await checkChain(all, key)
      return { ...chain, broken: chain.broken ?? (await brokenOutside(all)) ?? (await misdated(all)) }
    })

const linkBefore = (db: Db, seq: number): Promise<Link | undefined> =>
  seq === 1
    ? Promise.resolve(START)
    : db
        .selectFrom('seal')
        .select(['seq', 'hash'])
        .where('seq', '=', seq - 1)
        .executeTakeFirst()

/**
 * The state of one row: valid among the rows of its seal, which follows from the seal before; or not sealed yet, and
 * valid.
 */
export const getSealStatus = async (db: Db, id: number): Promise<Pick<AuditLogDetail, 'seal' | 'sealState'>> => {
  const all = unscoped(db, 'a row is checked together with the others of its seal')
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
