import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#db/db'
import { hasPermission, type Caller } from '#http/route'
import type { JobContext } from '#jobs/run'
import { cellError, type WriteErrorFields, writeErrorReason } from './cell-errors.ts'
import { saveOrReject } from './commit.ts'
import { readPendingLines } from './import-rows.ts'
import { type ImportWriter, loadImporter, type Outcome, type PendingLine, RowsRejected } from './importer.ts'
import { type BatchWriter, writeBatch } from './write-batch.ts'

/** The functions of the forms, which check, write, audit and emit events for one row. */
export type RowWriter<D> = WriteErrorFields & {
  /** The draft of the form, as the check stored it. */
  draft: z.ZodObject
  /** @returns the id of the new row. */
  create: (trx: Db, draft: D, caller: Caller) => Promise<number>
  /** Creates the rows of a batch together, and returns their ids in order. Without it each row is created by itself. */
  createAll?: (trx: Db, drafts: readonly D[], caller: Caller) => Promise<number[]>
  update: (trx: Db, id: number, draft: Partial<D>, caller: Caller) => Promise<void>
  /** Asked again while the rows are written, because the check may be a day old. */
  permissions: { create: string; update: string }
}

/** A stored draft, of which a change has some fields only. */
const decodeDraft = <D>(schema: z.ZodObject, stored: object): D =>
  // The check encoded it by the same schema.
  Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [name, z.decode(schema.shape[name] as z.ZodType, value as never)]),
  ) as D

type Written = PendingLine<unknown>['verdict']

const writeRow = async <D>(
  trx: Db,
  { line, draft: stored, verdict, targetId }: PendingLine<D>,
  { how, who }: { how: RowWriter<D>; who: Caller },
): Promise<Outcome> => {
  const permission = how.permissions[verdict === 'CREATE' ? 'create' : 'update']
  if (!hasPermission(who.actor)(permission)) return { line, targetId, reason: cellError(how.key, codes.forbidden) }
  const draft = decodeDraft<D>(how.draft, stored as object)
  if (verdict === 'CREATE') return { line, targetId: await how.create(trx, draft, who), reason: undefined }
  if (targetId === null) return { line, targetId, reason: cellError(how.key, codes.importGone) }
  await how.update(trx, targetId, draft, who)
  return { line, targetId, reason: undefined }
}

type Given<D> = { how: RowWriter<D>; who: Caller }
type CreateAll<D> = NonNullable<RowWriter<D>['createAll']>

const createTogether = async <D>(
  trx: Db,
  rows: readonly PendingLine<D>[],
  { how, who, createAll }: Given<D> & { createAll: CreateAll<D> },
): Promise<Outcome[]> => {
  if (!hasPermission(who.actor)(how.permissions.create))
    return rows.map(({ line, targetId }) => ({ line, targetId, reason: cellError(how.key, codes.forbidden) }))
  const drafts = rows.map(({ draft }) => decodeDraft<D>(how.draft, draft as object))
  const ids = await createAll(trx, drafts, who)
  if (ids.length !== rows.length) throw new Error(`${ids.length} of ${rows.length} rows were created`)
  return rows.map(({ line }, at) => ({ line, targetId: ids[at] ?? null, reason: undefined }))
}

const toBatchWriter = <D>(how: RowWriter<D>, verdict: Written): BatchWriter<D> => ({
  as: verdict === 'CREATE' ? 'created' : 'updated',
  write: async (trx, rows, caller) => {
    if (verdict === 'CREATE' && how.createAll)
      return createTogether(trx, rows, { how, who: caller, createAll: how.createAll })
    const outcomes: Outcome[] = []
    for (const row of rows) outcomes.push(await writeRow(trx, row, { how, who: caller }))
    return outcomes
  },
  reasonOf: (error) => writeErrorReason(error, how),
})

/** Writes a row of the transaction that holds all lines: an error ends that transaction, so it names its line. */
const writeOrReject = async <D>(trx: Db, row: PendingLine<D>, given: { how: RowWriter<D>; who: Caller }) => {
  try {
    return await writeRow(trx, row, given)
  } catch (error) {
    const reason = writeErrorReason(error, given.how)
    throw reason ? new RowsRejected([{ line: row.line, targetId: row.targetId, reason }]) : error
  }
}

const writeEachOrReject = async <D>(trx: Db, rows: readonly PendingLine<D>[], given: Given<D>): Promise<Outcome[]> => {
  const outcomes: Outcome[] = []
  for (const row of rows) outcomes.push(await writeOrReject(trx, row, given))
  return outcomes
}

/** Behind a savepoint: after an error the rows are created one by one, so that it names its line. */
const createOrReject = async <D>(
  trx: Db,
  rows: readonly PendingLine<D>[],
  given: Given<D> & { createAll: CreateAll<D> },
): Promise<Outcome[]> => {
  await sql`savepoint import_batch`.execute(trx)
  try {
    const outcomes = await createTogether(trx, rows, given)
    await sql`release savepoint import_batch`.execute(trx)
    return outcomes
  } catch (error) {
    if (!writeErrorReason(error, given.how)) throw error
    await sql`rollback to savepoint import_batch`.execute(trx)
    return writeEachOrReject(trx, rows, given)
  }
}

const writeRows = async <D>(trx: Db, rows: readonly PendingLine<D>[], given: Given<D>): Promise<Outcome[]> => {
  const { createAll } = given.how
  const created = createAll ? rows.filter(({ verdict }) => verdict === 'CREATE') : []
  const others = createAll ? rows.filter(({ verdict }) => verdict !== 'CREATE') : rows
  return [
    ...(createAll && created.length > 0 ? await createOrReject(trx, created, { ...given, createAll }) : []),
    ...(await writeEachOrReject(trx, others, given)),
  ]
}

const writeAllRows = async <D>(run: JobContext, trx: Db, how: RowWriter<D>): Promise<void> => {
  let done = 0
  for await (const rows of readPendingLines<D>(trx, { jobId: run.job.id, verdicts: ['CREATE', 'UPDATE'] })) {
    const outcomes = await writeRows(trx, rows, { how, who: await loadImporter(trx, run.job) })
    await saveOrReject(trx, run.job.id, outcomes)
    done += rows.length
    await run.progress({ done })
  }
}

/** Writes an import with the functions that the forms use. */
export const createRowWriter = <D>(how: RowWriter<D>): ImportWriter<D> => ({
  writeBatch: async (run, rows, tally) => {
    let next = tally
    for (const verdict of ['CREATE', 'UPDATE'] as const)
      next = await writeBatch(
        run,
        rows.filter((row) => row.verdict === verdict),
        { tally: next, how: toBatchWriter(how, verdict) },
      )
    return next
  },
  writeAll: (run, trx) => writeAllRows(run, trx, how),
})
