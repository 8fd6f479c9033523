import type { logKinds } from '@tocsin/contract/alarm/log'
import type { RecordState } from '@tocsin/contract/alarm/state-machine'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { canonicalJson } from '#db/canonical-json'
import type { AllTablesDb } from '#db/db'

export type LogEntry = {
  kind: (typeof logKinds)[number]
  verb: string
  actor: { id: number; name: string } | 'system'
  from?: RecordState | null
  to?: RecordState | null
  payload?: Record<string, unknown>
}

/** One link of the chain: SHA-256 over the previous hash and the canonical row (DESIGN 7). */
export const hashLink = (prev: Uint8Array, row: Record<string, unknown>): Buffer =>
  createHash('sha256').update(prev).update(canonicalJson(row)).digest()

/** The chain head of a record, and the columns that decide who sees its entries. */
export type ChainHead = {
  id: number
  logCount: number
  logHash: Uint8Array
  schoolId: number | null
  deptId: number
}

/** Builds the next links of a record's chain and the new head. The caller holds the record's row lock. */
export const chainEntries = (head: ChainHead, at: Date, entries: readonly LogEntry[]) => {
  let no = head.logCount
  let prevHash: Buffer = Buffer.from(head.logHash)
  const rows = entries.map(({ kind, verb, actor, from = null, to = null, payload = {} }) => {
    no += 1
    const row = {
      recordId: head.id,
      no,
      at,
      kind,
      verb,
      actorId: actor === 'system' ? null : actor.id,
      actorName: actor === 'system' ? 'system' : actor.name,
      fromState: from,
      toState: to,
      payload,
      schoolId: head.schoolId,
      deptId: head.deptId,
    }
    const hash = hashLink(prevHash, { ...row, at: at.getTime() })
    const link = { ...row, prevHash, hash }
    prevHash = hash
    return link
  })
  return { rows, head: { logCount: no, logHash: prevHash } }
}

/**
 * Appends to a record's chain. The caller holds the record's row lock. Number and previous hash are columns of the
 * record, so that entries can neither be reordered nor removed unnoticed.
 */
export const appendLog = async (trx: AllTablesDb, recordId: number, ...entries: LogEntry[]): Promise<void> => {
  const { at, ...before } = await trx
    .selectFrom('warnRecord')
    .select(['id', 'logCount', 'logHash', 'schoolId', 'deptId'])
    .select(sql<Date>`date_trunc('milliseconds', clock_timestamp())`.as('at'))
    .where('id', '=', recordId)
    .executeTakeFirstOrThrow()
  const { rows, head } = chainEntries(before, at, entries)
  await trx
    .with('headed', (db) => db.updateTable('warnRecord').set(head).where('id', '=', recordId))
    .insertInto('warnLog')
    .values(rows)
    .execute()
}
