import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { hashLink } from './record-log.ts'

/** The first entry of a record that differs from what was written. */
export type ChainBreak = {
  record: string
  /** Number of the entry; one past the last when entries are missing at the end. */
  no: number
  reason: 'MISSING' | 'PREVIOUS' | 'CONTENT' | 'HEAD' | 'STATE'
}

export type Link = Row<'warnLog'>
export type Head = Pick<Row<'warnRecord'>, 'id' | 'no' | 'state' | 'logCount' | 'logHash'>

const hashOf = ({ id: _id, prevHash, hash: _hash, at, ...row }: Link): Buffer =>
  hashLink(prevHash, { ...row, at: at.getTime() })

/** Checks one chain from its first link. Entries come in the order of their numbers. */
export const followChain = () => {
  let no = 0
  let hash: Buffer = Buffer.alloc(0)
  let state: string | null = null
  const link = (entry: Link): ChainBreak['reason'] | undefined => {
    if (entry.no !== no + 1) return 'MISSING'
    if (!entry.prevHash.equals(hash)) return 'PREVIOUS'
    if (!hashOf(entry).equals(entry.hash)) return 'CONTENT'
    no = entry.no
    hash = entry.hash
    state = entry.toState ?? state
    return undefined
  }
  const end = (head: Head): ChainBreak['reason'] | undefined => {
    if (head.logCount > no) return 'MISSING'
    if (head.logCount < no || !head.logHash.equals(hash)) return 'HEAD'
    // Invariant 4: every change of state has an entry in the same transaction.
    return state === null || state === head.state ? undefined : 'STATE'
  }
  return { link, end, at: () => no + 1 }
}

const heads = (all: AllTablesDb, after: number, limit: number): Promise<Head[]> =>
  all
    .selectFrom('warnRecord')
    .select(['id', 'no', 'state', 'logCount', 'logHash'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

const LINKS = 1000

/** The log of a record in the order of its numbers. */
export async function* linksOf(all: AllTablesDb, recordId: number): AsyncGenerator<Link> {
  for (let after = 0; ; ) {
    const links = await all
      .selectFrom('warnLog')
      .selectAll()
      .where('recordId', '=', recordId)
      .where('no', '>', after)
      .orderBy('no')
      .limit(LINKS)
      .execute()
    yield* links
    const last = links.at(-1)
    if (!last || links.length < LINKS) return
    after = last.no
  }
}

const verifyRecord = async (all: AllTablesDb, head: Head): Promise<ChainBreak | undefined> => {
  const chain = followChain()
  for await (const entry of linksOf(all, head.id)) {
    const reason = chain.link(entry)
    if (reason) return { record: head.no, no: chain.at(), reason }
  }
  const reason = chain.end(head)
  return reason && { record: head.no, no: reason === 'MISSING' ? chain.at() : head.logCount, reason }
}

export type ChainCheck = { records: number; broken: ChainBreak | undefined }

const RECORDS = 200

const verifyAll = async (all: AllTablesDb): Promise<ChainCheck> => {
  let records = 0
  for (let after = 0; ; ) {
    const batch = await heads(all, after, RECORDS)
    const last = batch.at(-1)
    if (!last) return { records, broken: undefined }
    for (const head of batch) {
      const broken = await verifyRecord(all, head)
      if (broken) return { records, broken }
      records += 1
    }
    after = last.id
  }
}

/**
 * Recomputes every chain of `warn_log` against the heads stored with the records, in one snapshot, so that ingest can
 * continue. Stops at the first broken link, in the order in which records were raised.
 */
export const verifyLog = (db: Db): Promise<ChainCheck> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      // No transaction waits for this snapshot, so the idle timeout is switched off.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
      return verifyAll(unscoped(trx, 'verify-log checks the chains of every record'))
    })
