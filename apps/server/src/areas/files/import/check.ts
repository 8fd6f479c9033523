import { codes } from '@tocsin/contract/codes'
import { IMPORT_ROWS, type ImportNotes, type ImportVerdict } from '@tocsin/contract/files/import'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { type JobContext, PermanentJobError } from '#jobs/run'
import type { Caller } from '#http/route'
import { storeLines } from './import-rows.ts'
import type { AnyImporter, Counts, ImportData, LineCheck, ResolvedLine } from './importer.ts'
import { readSheetRows, readStoredRows, type RowSource, type SourceRow } from './read-rows.ts'

const countNames: Record<ImportVerdict, 'create' | 'update' | 'same' | 'bad'> = {
  CREATE: 'create',
  UPDATE: 'update',
  SAME: 'same',
  BAD: 'bad',
}

/** Adds what could not be read. Of such a cell nothing else is reported. */
const addCellErrors = (resolved: ResolvedLine, { errors }: SourceRow): ResolvedLine => {
  if (errors.length === 0) return resolved
  const fields = new Set(errors.map(({ field }) => field))
  const reasons = [...errors, ...resolved.reasons.filter(({ field }) => !fields.has(field))]
  return { ...resolved, reasons, verdict: 'BAD', targetId: null }
}

const resolveRows = async (check: LineCheck, rows: readonly SourceRow[]): Promise<ResolvedLine[]> => {
  const resolved = await check.resolve(
    rows.map(({ line, cells, errors }) => ({ line, cells, hasErrors: errors.length > 0 })),
  )
  return resolved.map((line, at) => {
    const row = rows[at]
    return row ? addCellErrors(line, row) : line
  })
}

const storeNotes = async (db: Db, jobId: number, data: ImportData, notes: ImportNotes) => {
  await unscoped(db, 'the job that this worker runs')
    .updateTable('job')
    .set({ data: { ...data, notes } })
    .where('id', '=', jobId)
    .where('state', '=', 'RUNNING')
    .execute()
}

type Checking = { importer: AnyImporter; data: ImportData; who: Caller }

/** Stores what would become of each line. @returns how many of each verdict, with the importer's own figures. */
const checkRows = async (run: JobContext, source: RowSource, { importer, data, who }: Checking): Promise<Counts> => {
  const { db, job } = run
  const check = await importer.openCheck({ ...run, data, who })
  const counts = { create: 0, update: 0, same: 0, bad: 0 }
  let done = 0
  for await (const batch of source.batches) {
    if (batch.length === 0) continue
    done += batch.length
    if (done > IMPORT_ROWS) throw new PermanentJobError(codes.importTooMany, { max: IMPORT_ROWS })
    const rows = await resolveRows(check, batch)
    for (const { verdict } of rows) counts[countNames[verdict]] += 1
    await db.transaction().execute(async (trx) => {
      await run.hold(trx, { done })
      await storeLines(trx, job.id, rows)
      await check.record?.(trx)
    })
  }
  if (done === 0) throw new PermanentJobError(codes.importEmpty)
  const notes = source.notes()
  if (notes) await storeNotes(db, job.id, data, { ...notes, defaults: check.defaults?.() ?? [] })
  return { ...counts, ...(await check.extraCounts?.()) }
}

/** Reads the spreadsheet from its start, in place of what an earlier attempt stored. */
export const checkSheet = async (run: JobContext, checking: Checking): Promise<Counts> =>
  checkRows(run, await readSheetRows(checking.importer, checking.data), checking)

/** Checks the stored lines as of now. */
export const checkStoredLines = (run: JobContext, checking: Checking): Promise<Counts> =>
  checkRows(run, readStoredRows(run.db, run.job.id), checking)
