import { constraintError } from '#db/constraint-error'
import type { Db } from '#db/db'
import { type JobContext, type JobResult, PermanentJobError } from '#jobs/run'
import type { Caller } from '#http/route'
import { checkStoredLines } from './check.ts'
import { countVerdicts, countWritten, readPendingLines, rejectLine, saveLineOutcomes } from './import-rows.ts'
import {
  type AnyImporter,
  type Counts,
  type ImportData,
  type Outcome,
  type PendingLine,
  RowsRejected,
} from './importer.ts'

/** Stores outcomes in the transaction of all lines. Throws RowsRejected when one of them is an error. */
export const saveOrReject = async (trx: Db, jobId: number, outcomes: readonly Outcome[]): Promise<void> => {
  const rejected = outcomes.filter(({ reason }) => reason)
  if (rejected.length > 0) throw new RowsRejected(rejected)
  await saveLineOutcomes(trx, jobId, outcomes)
}

/** Checks all lines again as of now, and adds what only writing can tell, except about undisclosed fields. */
const recheck = async (run: JobContext, item: Asked, { outcomes }: RowsRejected): Promise<JobResult> => {
  const { db, job } = run
  const { create: _c, update: _u, same: _s, bad: _b, ...extra } = await checkStoredLines(run, item)
  for (const outcome of outcomes)
    if (outcome.reason && !item.importer.undisclosed?.includes(outcome.reason.field))
      await rejectLine(db, job.id, outcome)
  const counts = await countVerdicts(db, job.id)
  const lines = counts.create + counts.update + counts.same + counts.bad
  return { state: 'READY', counts: { ...counts, takenBack: 1, ...extra }, done: lines, total: lines }
}

type Asked = { importer: AnyImporter; data: ImportData; who: Caller }

/**
 * One transaction. The job itself is locked only at its end: until then users can watch and cancel it, and of two
 * workers the one with an outdated attempt rolls back.
 */
const writeAll = (run: JobContext, { importer }: Asked): Promise<void> =>
  run.db.transaction().execute(async (trx) => {
    const { create, update, bad } = await countVerdicts(trx, run.job.id)
    // An earlier worker died while it checked the lines again.
    if (bad > 0) throw new RowsRejected([])
    await importer.writer.writeAll(run, trx)
    await run.hold(trx, { done: create + update })
  })

/**
 * Writes every line, or nothing: then the import waits for another decision, with the lines that are rejected.
 * Throws PermanentJobError for what a rule over all lines rejects.
 */
export const commitAll = async (run: JobContext, item: Asked): Promise<JobResult> => {
  const { create, update, same } = await countVerdicts(run.db, run.job.id)
  await run.hold(run.db, { done: 0, total: create + update })
  try {
    await writeAll(run, item)
  } catch (error) {
    if (error instanceof RowsRejected) return recheck(run, item, error)
    const conflict = constraintError(error)
    throw conflict ? new PermanentJobError(conflict.code, conflict.params) : error
  }
  return { state: 'DONE', counts: { create, update, same, created: create, updated: update, bad: 0 } }
}

/** Writes the good lines, batch after batch, from where an earlier attempt ended. */
export const commitGood = async (run: JobContext, importer: AnyImporter): Promise<Counts> => {
  const { db, job } = run
  let tally = await countWritten(db, job)
  const total = (job.counts['create'] ?? 0) + (job.counts['update'] ?? 0)
  await run.hold(db, { ...tally, total })
  const pending: AsyncGenerator<PendingLine<never>[]> = readPendingLines(db, {
    jobId: job.id,
    verdicts: ['CREATE', 'UPDATE'],
  })
  for await (const rows of pending) tally = await importer.writer.writeBatch(run, rows, tally)
  return tally.counts
}
