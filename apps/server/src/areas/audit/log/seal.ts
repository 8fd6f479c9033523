import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { setTimeout as pause } from 'node:timers/promises'
import { canonicalJson } from '#db/canonical-json'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'

type Sealed = Pick<Row<'auditLog'>, 'id' | 'hash'>

/** One hash over the rows of a seal, by their ids. */
export const sealRoot = (rows: readonly Sealed[]): Buffer =>
  createHash('sha256')
    .update(canonicalJson(rows.map(({ id, hash }) => [id, hash.toString('hex')])))
    .digest()

/** Chains a seal to the one before. */
export const sealHash = ({ seq, kind, at, rowIds, root, prevHash }: Omit<Row<'seal'>, 'hash'>): Buffer =>
  createHash('sha256')
    .update(prevHash)
    .update(canonicalJson({ seq, kind, at: at.getTime(), rowIds, root: root.toString('hex') }))
    .digest()

// "seal" in ASCII: one node at a time.
const LOCK = 0x7365616c
/** Maximum rows of one seal. */
export const MAX_ROWS_PER_SEAL = 2000

/**
 * Seals the committed unsealed audit rows in one transaction.
 * @returns the new seal; undefined when there are none or another node is sealing
 */
export const sealPendingRows = (db: Db): Promise<Row<'seal'> | undefined> =>
  db.transaction().execute(async (trx) => {
    const all = unscoped(trx, 'every audit row is sealed')
    const { rows: taken } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as mine`.execute(all)
    if (!taken[0]?.mine) return undefined
    const rows = await all
      .selectFrom('auditUnsealed')
      .innerJoin('auditLog', 'auditLog.id', 'auditUnsealed.id')
      .select(['auditLog.id', 'auditLog.hash'])
      .orderBy('auditLog.id')
      .limit(MAX_ROWS_PER_SEAL)
      .execute()
    if (rows.length === 0) return undefined
    const rowIds = rows.map(({ id }) => id)
    const last = await trx.selectFrom('seal').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst()
    const { rows: clock } = await sql<{ at: Date }>`select date_trunc('milliseconds', now()) as at`.execute(trx)
    const seal = {
      seq: (last?.seq ?? 0) + 1,
      kind: 'AUDIT',
      at: clock[0]?.at ?? new Date(),
      rowIds,
      root: sealRoot(rows),
      prevHash: last?.hash ?? Buffer.alloc(0),
    }
    const hash = sealHash(seal)
    await trx
      .insertInto('seal')
      .values({ ...seal, rowIds: JSON.stringify(rowIds) as unknown as number[], hash })
      .execute()
    await trx.deleteFrom('auditUnsealed').where('id', 'in', rowIds).execute()
    return { ...seal, hash }
  })

const EVERY_MS = 10_000

type Log = { info: (text: string) => void; warn: (text: string) => void }
type Sealer = { db: Db; log: Log }

/**
 * Seals all unsealed rows, one seal after the other: an import leaves a hundred thousand at once. Between two seals it
 * pauses for as long as the last one took, so that it uses at most half of a connection, and less when others need
 * more. The head of the chain is written to the log, where access to the database alone cannot change it.
 */
export const sealAllPending = async ({ db, log }: Sealer, stopped: AbortSignal): Promise<void> => {
  try {
    for (let more = true; more && !stopped.aborted; ) {
      const began = performance.now()
      const seal = await sealPendingRows(db)
      if (!seal) return
      log.info(`audit sealed: ${seal.rowIds.length} rows, seal ${seal.seq}, ${seal.hash.toString('hex')}`)
      more = seal.rowIds.length === MAX_ROWS_PER_SEAL
      if (more) await rest(performance.now() - began, stopped)
    }
  } catch (error) {
    log.warn(`audit rows wait for their seal: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const rest = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }).catch(() => undefined)

/** Seals each 10 s. */
export const startSealer = (sealer: Sealer): { stop: () => Promise<void> } => {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    for (;;) {
      await rest(EVERY_MS, signal)
      if (signal.aborted) return
      await sealAllPending(sealer, signal)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
