import type { Db } from '#db/db'
import type { ImportReason } from '@tocsin/contract/files/import'
import type { JobContext } from '#jobs/run'
import type { Caller } from '#http/route'
import { saveLineOutcomes } from './import-rows.ts'
import { loadImporter, type Outcome, type PendingLine, type Tally } from './importer.ts'

/** Adds outcomes to the figures of an import. */
export const addOutcomes = (
  { done, counts }: Tally,
  as: 'created' | 'updated',
  outcomes: readonly Outcome[],
): Tally => {
  const failed = outcomes.filter(({ reason }) => reason).length
  return {
    done: done + outcomes.length,
    counts: {
      ...counts,
      [as]: (counts[as] ?? 0) + outcomes.length - failed,
      bad: (counts['bad'] ?? 0) + failed,
    },
  }
}

/** How lines of one kind are written in one transaction. */
export type BatchWriter<D> = {
  as: 'created' | 'updated'
  write: (trx: Db, rows: readonly PendingLine<D>[], caller: Caller) => Promise<Outcome[]>
  /** Why an error rejects a line; undefined for a failure of the system. */
  reasonOf: (error: unknown) => ImportReason | undefined
  /** Writes one line by itself where that differs. */
  writeAlone?: (run: JobContext, row: PendingLine<D>, tally: Tally) => Promise<Tally>
}

const writeTogether = <D>(
  run: JobContext,
  rows: readonly PendingLine<D>[],
  { tally, how }: { tally: Tally; how: BatchWriter<D> },
): Promise<Tally> =>
  run.db.transaction().execute(async (trx) => {
    // First of all: of two workers only one may write these lines.
    await run.hold(trx, {})
    const outcomes = await how.write(trx, rows, await loadImporter(trx, run.job))
    await saveLineOutcomes(trx, run.job.id, outcomes)
    const next = addOutcomes(tally, how.as, outcomes)
    await run.hold(trx, next)
    return next
  })

const writeOne = async <D>(
  run: JobContext,
  row: PendingLine<D>,
  { tally, how }: { tally: Tally; how: BatchWriter<D> },
): Promise<Tally> => {
  try {
    return await writeTogether(run, [row], { tally, how })
  } catch (error) {
    const reason = how.reasonOf(error)
    if (!reason) throw error
    const outcome = { line: row.line, targetId: row.targetId, reason }
    await saveLineOutcomes(run.db, run.job.id, [outcome])
    return addOutcomes(tally, how.as, [outcome])
  }
}

/** Writes lines in one transaction; where an error rejects that, each in a transaction of its own. */
export const writeBatch = async <D>(
  run: JobContext,
  rows: readonly PendingLine<D>[],
  { tally, how }: { tally: Tally; how: BatchWriter<D> },
): Promise<Tally> => {
  if (rows.length === 0) return tally
  try {
    return await writeTogether(run, rows, { tally, how })
  } catch (error) {
    if (!how.reasonOf(error)) throw error
    let next = tally
    for (const row of rows)
      next = how.writeAlone ? await how.writeAlone(run, row, next) : await writeOne(run, row, { tally: next, how })
    return next
  }
}
