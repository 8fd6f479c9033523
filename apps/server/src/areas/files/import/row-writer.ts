import { codes } from '@tocsin/contract/codes'
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
  create: (trx: Db, draft: D, who: Caller) => Promise<number>
  update: (trx: Db, id: number, draft: Partial<D>, who: Caller) => Promise<void>
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

const toBatchWriter = <D>(how: RowWriter<D>, verdict: Written): BatchWriter<D> => ({
  as: verdict === 'CREATE' ? 'created' : 'updated',
  write: async (trx, rows, who) => {
    const outcomes: Outcome[] = []
    for (const row of rows) outcomes.push(await writeRow(trx, row, { how, who }))
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

const writeAllRows = async <D>(run: JobContext, trx: Db, how: RowWriter<D>): Promise<void> => {
  let done = 0
  for await (const rows of readPendingLines<D>(trx, { jobId: run.job.id, verdicts: ['CREATE', 'UPDATE'] })) {
    const who = await loadImporter(trx, run.job)
    const outcomes: Outcome[] = []
    for (const row of rows) outcomes.push(await writeOrReject(trx, row, { how, who }))
    await saveOrReject(trx, run.job.id, outcomes)
    done += rows.length
    await run.progress({ done })
  }
}

/** Writes an import row by row with the functions that the forms use. */
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
