import { sql } from 'kysely'
import { conflictOf } from '#db/conflict'
import type { Db } from '#db/db'
import { type Ended, JobFailed, type Run } from '#jobs/run'
import type { Who } from '../edit.ts'
import { checkAgain } from './check.ts'
import { leftOver, settleLines, updateImported } from './commit.ts'
import { createUsers, type Outcome, type Pending, refusals, withDept } from './create.ts'
import { type ImportData, importer } from './import-data.ts'
import { refusedWriting } from './reason.ts'

/** Lines that the check had let pass: everything that was written before them is taken back. */
class LinesRefused extends Error {
  readonly outcomes: readonly Outcome[]
  constructor(outcomes: readonly Outcome[]) {
    super(`${outcomes.length} lines are refused`)
    this.outcomes = outcomes
  }
}

const settle = async (trx: Db, jobId: number, outcomes: readonly Outcome[]): Promise<void> => {
  const refused = outcomes.filter(({ reason }) => reason)
  if (refused.length > 0) throw new LinesRefused(refused)
  await settleLines(trx, jobId, outcomes)
}

/** Roles are only kept from going until the end, where they are held for a moment and asked again. */
const createAll = async (run: Run, trx: Db): Promise<number> => {
  const { job } = run
  const kinds = new Map<string, Pending>()
  let created = 0
  for await (const rows of leftOver(trx, { jobId: job.id, verdicts: ['CREATE'] })) {
    const who = await importer(trx, job)
    await settle(trx, job.id, await createUsers(trx, { jobId: job.id, pending: rows, who, hold: 'forKeyShare' }))
    for (const row of rows) kinds.set(`${row.draft.deptId} ${row.draft.roleIds}`, row)
    created += rows.length
    await run.progress({ done: created })
  }
  const refused = await refusals(trx, withDept([...kinds.values()]), await importer(trx, job), 'forNoKeyUpdate')
  if (refused.size > 0) throw new LinesRefused([...refused].map(([line, reason]) => ({ line, userId: null, reason })))
  return created
}

/** Users stay locked until the commit, so they come last. */
const updateAll = async (run: Run, trx: Db, before: number): Promise<number> => {
  const { job } = run
  let updated = 0
  for await (const rows of leftOver(trx, { jobId: job.id, verdicts: ['UPDATE'] })) {
    const who = await importer(trx, job)
    for (const { line, userId, draft } of rows) {
      try {
        await updateImported(trx, userId, draft, who)
      } catch (error) {
        const reason = refusedWriting(error)
        throw reason ? new LinesRefused([{ line, userId, reason }]) : error
      }
      updated += 1
      await run.progress({ done: before + updated })
    }
    await settle(
      trx,
      job.id,
      rows.map(({ line, userId }) => ({ line, userId, reason: undefined })),
    )
  }
  return updated
}

const figures = async (db: Db, jobId: number) => {
  const { rows } = await sql<Record<'create' | 'update' | 'same' | 'bad', number>>`
    select count(*) filter (where verdict = 'CREATE') as create, count(*) filter (where verdict = 'UPDATE') as update,
      count(*) filter (where verdict = 'SAME') as same, count(*) filter (where verdict = 'BAD') as bad
    from import_row where job_id = ${jobId}`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('a count has a row')
  return counts
}

/**
 * In one transaction. The job itself is held at its end only: until then it can be watched and cancelled, and of two
 * workers the one whose try no longer counts takes back what it wrote.
 */
const writeAll = (run: Run): Promise<void> =>
  run.db.transaction().execute(async (trx) => {
    const { create, update, bad } = await figures(trx, run.job.id)
    // A worker that died while it judged the lines anew.
    if (bad > 0) throw new LinesRefused([])
    const created = await createAll(run, trx)
    await updateAll(run, trx, created)
    await run.hold(trx, { done: create + update })
  })

const contacts: readonly string[] = ['mobile', 'email']

/** All lines are judged again, as of now; what only writing can tell is added, but nothing about hidden contacts. */
const judgeAgain = async (run: Run, data: ImportData, who: Who, { outcomes }: LinesRefused): Promise<Ended> => {
  const { db, job } = run
  const { untold = 0 } = await checkAgain(run, data, who)
  for (const { line, reason } of outcomes)
    if (reason && !contacts.includes(reason.field))
      await db
        .updateTable('importRow')
        .set({ verdict: 'BAD', reasons: JSON.stringify([reason]) as unknown as (typeof reason)[] })
        .where('jobId', '=', job.id)
        .where('line', '=', line)
        .where('verdict', 'in', ['CREATE', 'UPDATE'])
        .execute()
  const counts = await figures(db, job.id)
  const lines = counts.create + counts.update + counts.same + counts.bad
  const said = { ...counts, takenBack: 1, ...(untold > 0 && { untold }) }
  return { state: 'READY', counts: said, done: lines, total: lines }
}

/**
 * Writes every line of a sheet, or nothing: then it waits for another decision, with the lines that are refused.
 * Throws JobFailed for what a rule over all of them refuses.
 */
export const commitAll = async (run: Run, data: ImportData, who: Who): Promise<Ended> => {
  const { create, update, same } = await figures(run.db, run.job.id)
  await run.hold(run.db, { done: 0, total: create + update })
  try {
    await writeAll(run)
  } catch (error) {
    if (error instanceof LinesRefused) return judgeAgain(run, data, who, error)
    const conflict = conflictOf(error)
    throw conflict ? new JobFailed(conflict.code, conflict.params) : error
  }
  return { state: 'DONE', counts: { create, update, same, created: create, updated: update, bad: 0 } }
}
