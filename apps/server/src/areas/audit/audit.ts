import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { canonicalJson } from '#db/canonical-json'
import type { Db } from '#db/db'
import { toByteaHex, bulkInsert } from '#db/bulk-rows'
import { unscoped } from '#db/scope'
import type { Actor, RequestInfo } from '#http/route'

export type AuditEntry = {
  /** Absent without a session: the user was verified to get one. */
  actor: (Pick<Actor, 'userId' | 'username' | 'deptId'> & { sessionId: number | null }) | null
  origin: RequestInfo | null
  /** The permission or the name of the action, like `system:user:update`. */
  action: string
  /** Table and row that the action changed. */
  subject?: string
  subjectId?: number
  /** The business code of the response; 200 for success. */
  result?: number
  before?: Record<string, unknown> | null
  after?: Record<string, unknown> | null
}

/** Fields added later: left out of the hash when unknown, so that older rows keep their hash. */
const LATER = new Set(['durationMs', 'requestMethod', 'requestUrl'])

/** SHA-256 over the canonical row without id and hash, `at` in epoch ms (DESIGN 7). */
export const auditHash = ({ at, ...row }: Record<string, unknown> & { at: Date }): Buffer => {
  const known = Object.entries(row).filter(([name, value]) => value !== null || !LATER.has(name))
  return hash('sha256', canonicalJson({ ...Object.fromEntries(known), at: at.getTime() }), 'buffer')
}

/** Until this row is written; the commit follows later. */
const durationOf = (since: number | undefined): number | null =>
  since === undefined ? null : Math.round(performance.now() - since)

const rowOf = ({ actor, origin, before = null, after = null, ...entry }: AuditEntry, at: Date) => {
  const row = {
    at,
    userId: actor?.userId ?? null,
    username: actor?.username ?? null,
    deptId: actor?.deptId ?? null,
    sessionId: actor?.sessionId ?? null,
    ip: origin?.ip ?? null,
    userAgent: origin?.userAgent ?? null,
    traceId: origin?.traceId ?? null,
    action: entry.action,
    subject: entry.subject ?? null,
    subjectId: entry.subjectId ?? null,
    result: entry.result ?? 200,
    before,
    after,
    durationMs: durationOf(origin?.since),
    requestMethod: origin?.request?.method ?? null,
    requestUrl: origin?.request?.url ?? null,
  }
  return { ...row, hash: toByteaHex(auditHash(row)) }
}

const insertAudit = bulkInsert('audit_log', {
  at: 'timestamptz',
  userId: 'bigint',
  username: 'text',
  deptId: 'bigint',
  sessionId: 'bigint',
  ip: 'text',
  userAgent: 'text',
  traceId: 'text',
  action: 'text',
  subject: 'text',
  subjectId: 'bigint',
  result: 'integer',
  before: 'jsonb',
  after: 'jsonb',
  durationMs: 'integer',
  requestMethod: 'text',
  requestUrl: 'text',
  hash: 'bytea',
} satisfies Record<keyof ReturnType<typeof rowOf>, string>)

/** The time of the recorded action, by the clock of the database. */
export const auditTime = async (trx: Db): Promise<Date> => {
  const { rows } = await sql<{ at: Date }>`select date_trunc('milliseconds', clock_timestamp()) as at`.execute(trx)
  return rows[0]?.at ?? new Date()
}

/** Entries as rows with their hashes, for `insertAuditRows`: for thousands this takes a while. */
export const auditRows = (entries: readonly AuditEntry[], at: Date) => entries.map((entry) => rowOf(entry, at))

export const insertAuditRows = async (trx: Db, rows: ReturnType<typeof auditRows>): Promise<void> => {
  await insertAudit(rows).execute(unscoped(trx, 'the audit records whoever acts'))
}

/** Writes audit rows in the transaction of the recorded change. Never pass a password or a token. */
export const writeAudits = async (trx: Db, entries: readonly AuditEntry[]): Promise<void> =>
  insertAuditRows(trx, auditRows(entries, await auditTime(trx)))

/** The same for one entry. */
export const writeAudit = (trx: Db, entry: AuditEntry): Promise<void> => writeAudits(trx, [entry])
