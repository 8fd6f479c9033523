import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { canonical } from '#db/canonical'
import type { Db } from '#db/db'
import { everything } from '#db/scope'
import type { Row } from '#db/tables'

type Sealed = Pick<Row<'auditLog'>, 'id' | 'hash'>

/** One hash over the rows of a seal, by their ids. */
export const sealRoot = (rows: readonly Sealed[]): Buffer =>
  createHash('sha256')
    .update(canonical(rows.map(({ id, hash }) => [id, hash.toString('hex')])))
    .digest()

/** Chains a seal to the one before. */
export const sealHash = ({ seq, kind, at, rowIds, root, prevHash }: Omit<Row<'seal'>, 'hash'>): Buffer =>
  createHash('sha256')
    .update(prevHash)
    .update(canonical({ seq, kind, at: at.getTime(), rowIds, root: root.toString('hex') }))
    .digest()

// "seal" in ASCII: one node at a time.
const LOCK = 0x7365616c
/** Rows of one seal at most. */
const ROWS = 2000

/**
 * Seals the committed audit rows that wait, in one transaction.
 * @returns the new seal; undefined when nothing waits or another node is at it.
 */
export const sealWaiting = (db: Db): Promise<Row<'seal'> | undefined> =>
  db.transaction().execute(async (trx) => {
    const all = everything(trx, 'every audit row is sealed')
    const { rows: taken } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as mine`.execute(all)
    if (!taken[0]?.mine) return undefined
    const rows = await all
      .selectFrom('auditUnsealed')
      .innerJoin('auditLog', 'auditLog.id', 'auditUnsealed.id')
      .select(['auditLog.id', 'auditLog.hash'])
      .orderBy('auditLog.id')
      .limit(ROWS)
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

/** Seals each 10 s. The head of the chain goes to the log, where nobody with the database alone can take it back. */
export const startSealer = ({ db, log }: { db: Db; log: Log }): { stop: () => Promise<void> } => {
  let running: Promise<void> = Promise.resolve()
  const turn = async () => {
    try {
      const seal = await sealWaiting(db)
      if (seal) log.info(`audit sealed: ${seal.rowIds.length} rows, seal ${seal.seq}, ${seal.hash.toString('hex')}`)
    } catch (error) {
      log.warn(`audit rows wait for their seal: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const timer = setInterval(() => {
    running = running.then(turn)
  }, EVERY_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
