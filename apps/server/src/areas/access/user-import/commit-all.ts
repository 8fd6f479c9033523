import { sql } from 'kysely'
import { constraintError } from '#db/constraint-error'
import type { Db } from '#db/db'
import { type JobResult, PermanentJobError, type JobContext } from '#jobs/run'
import type { Caller } from '#areas/audit/edit-transaction'
import { checkAgain } from './check.ts'
import { type RemainingLine, readRemainingLines, saveLineOutcomes, updateImported } from './commit.ts'
import { createUsers, toGrantRequest, type Outcome, asPendingInDept } from './create.ts'
import { type GrantRequest, findGrantErrors } from './grant-check.ts'
import { type ImportData, loadImporter } from './import-data.ts'
import { writeError } from './line-errors.ts'
import { linesCheckedAlone, endDisabled, lockChangedUsers, updateUsers } from './update.ts'

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
  await saveLineOutcomes(trx, jobId, outcomes)
}

/** Departments and roles that were given, each once, to be asked again in the last moment. */
const openGiven = () => {
  const kinds = new Map<string, GrantRequest>()
  return {
    add: (all: readonly GrantRequest[]) => {
      for (const one of all) kinds.set(`${one.deptId} ${one.chosen} ${one.roleIds}`, one)
    },
    all: () => [...kinds.values()],
  }
}
type Given = ReturnType<typeof openGiven>

const createAll = async (run: JobContext, trx: Db, given: Given): Promise<number> => {
  const { job } = run
  let created = 0
  for await (const rows of readRemainingLines(trx, { jobId: job.id, verdicts: ['CREATE'] })) {
    const who = await loadImporter(trx, job)
    await settle(trx, job.id, await createUsers(trx, { jobId: job.id, pending: rows, who, hold: 'forKeyShare' }))
    given.add(asPendingInDept(rows).map(toGrantRequest))
    created += rows.length
    await run.progress({ done: created })
  }
  return created
}

/** What a constraint refuses is found where all lines are judged again. */
const updateTogether = async (trx: Db, rows: readonly RemainingLine[], who: Caller) => {
  try {
    return await updateUsers(trx, { rows, who, hold: 'forKeyShare' })
  } catch (error) {
    throw writeError(error) ? new LinesRefused([]) : error
  }
}

const updateAlone = async (trx: Db, { line, userId, draft }: RemainingLine, who: Caller): Promise<Outcome> => {
  try {
    await updateImported(trx, userId, draft, who)
    return { line, userId, reason: undefined }
  } catch (error) {
    const reason = writeError(error)
    throw reason ? new LinesRefused([{ line, userId, reason }]) : error
  }
}

/** @returns who is disabled by it. */
const updateAll = async (run: JobContext, trx: Db, { given, created }: { given: Given; created: number }) => {
  const { job } = run
  await lockChangedUsers(trx, job.id)
  const alone: RemainingLine[] = []
  const disabled: number[] = []
  let done = created
  for await (const rows of readRemainingLines(trx, { jobId: job.id, verdicts: ['UPDATE'] })) {
    const who = await loadImporter(trx, job)
    const lines = await linesCheckedAlone(trx, who.actor, rows)
    const plain = rows.filter(({ line }) => !lines.has(line))
    const updated = await updateTogether(trx, plain, who)
    await settle(trx, job.id, updated.outcomes)
    given.add(updated.given)
    disabled.push(...updated.disabled)
    alone.push(...rows.filter(({ line }) => lines.has(line)))
    done += plain.length
    await run.progress({ done })
  }
  for (const row of alone) await settle(trx, job.id, [await updateAlone(trx, row, await loadImporter(trx, job))])
  return disabled
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
const writeAll = (run: JobContext): Promise<void> =>
  run.db.transaction().execute(async (trx) => {
    const { create, update, bad } = await figures(trx, run.job.id)
    // A worker that died while it judged the lines anew.
    if (bad > 0) throw new LinesRefused([])
    const given = openGiven()
    const created = await createAll(run, trx, given)
    const disabled = await updateAll(run, trx, { given, created })
    // Roles were only kept from going.
    const refused = await findGrantErrors(trx, given.all(), await loadImporter(trx, run.job), 'forNoKeyUpdate')
    if (refused.size > 0) throw new LinesRefused([...refused].map(([line, reason]) => ({ line, userId: null, reason })))
    await endDisabled(trx, disabled)
    await run.hold(trx, { done: create + update })
  })

const contacts: readonly string[] = ['mobile', 'email']

/** All lines are judged again, as of now; what only writing can tell is added, but nothing about hidden contacts. */
const judgeAgain = async (
  run: JobContext,
  data: ImportData,
  who: Caller,
  { outcomes }: LinesRefused,
): Promise<JobResult> => {
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
 * Throws PermanentJobError for what a rule over all of them refuses.
 */
export const commitAll = async (run: JobContext, data: ImportData, who: Caller): Promise<JobResult> => {
  const { create, update, same } = await figures(run.db, run.job.id)
  await run.hold(run.db, { done: 0, total: create + update })
  try {
    await writeAll(run)
  } catch (error) {
    if (error instanceof LinesRefused) return judgeAgain(run, data, who, error)
    const conflict = constraintError(error)
    throw conflict ? new PermanentJobError(conflict.code, conflict.params) : error
  }
  return { state: 'DONE', counts: { create, update, same, created: create, updated: update, bad: 0 } }
}
