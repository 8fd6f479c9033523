import { codes } from '@tocsin/contract/codes'
import { type ImportReason, userImports } from '@tocsin/contract/access/user-import'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { rowsFromJson } from '#db/bulk-rows'
import { BusinessError } from '#http/business-error'
import { hasPermission } from '#http/route'
import type { JobContext } from '#jobs/run'
import type { Caller } from '#areas/audit/edit-transaction'
import { changeUser } from '../user/change.ts'
import { changeRoles } from '../user/roles.ts'
import { seesAllContacts, withDisclosureQuota } from '../user/contact-disclosure.ts'
import { createUsers, type Outcome, type Pending } from './create.ts'
import { UPDATE_USER } from './grant-check.ts'
import { loadImporter } from './import-data.ts'
import type { Draft } from './validate-line.ts'
import { writeError } from './line-errors.ts'
import { linesCheckedAlone, endDisabled, updateUsers } from './update.ts'

const BATCH = 1000

type Written = 'CREATE' | 'UPDATE'
export type RemainingLine = Pending & { verdict: string; userId: number | null }
type Asked = { jobId: number; verdicts: readonly Written[] }

/** Batches of what is still to be written, in order of the lines: one that was written is marked with its user. */
export async function* readRemainingLines(db: Db, { jobId, verdicts }: Asked): AsyncGenerator<RemainingLine[]> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('importRow')
      .select(['line', 'draft', 'verdict', 'userId'])
      .where('jobId', '=', jobId)
      .where('verdict', 'in', verdicts)
      .where('done', '=', false)
      .where('line', '>', after)
      .orderBy('line')
      .limit(BATCH)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    after = last.line
    // The check wrote the drafts of these.
    yield rows.map((row) => ({ ...row, draft: row.draft as Draft }))
  }
}

const outcomesFrom = rowsFromJson({ line: 'integer', userId: 'bigint', reason: 'jsonb' })

/** Says of each line that it was written, or why not. */
export const saveLineOutcomes = (trx: Db, jobId: number, outcomes: readonly Outcome[]) =>
  sql`
    update import_row i set done = true, user_id = coalesce(row."userId", i.user_id),
      verdict = case when row.reason is null then i.verdict else 'BAD' end,
      reasons = case when row.reason is null then i.reasons else jsonb_build_array(row.reason) end
    from ${outcomesFrom(outcomes)}
    where i.job_id = ${jobId} and i.line = row.line`.execute(trx)

/** Changes a user as the forms would, with every rule that they have; the version is counted once. `id`: null when he went. */
export const updateImported = async (trx: Db, id: number | null, draft: Draft, who: Caller): Promise<void> => {
  if (id === null) throw new BusinessError(codes.userMissing)
  const { username: _name, enabled: status, roleIds, ...columns } = draft
  const own = { ...columns, ...(status !== undefined && { status }) }
  const edited = Object.keys(own).length > 0
  // The check may be a day old.
  if (!hasPermission(who.actor)(UPDATE_USER)) throw new BusinessError(codes.forbidden)
  if (edited) await changeUser(trx, { id, ...own, roleIds }, who)
  else if (roleIds !== undefined) await changeRoles(trx, { userId: id, roleIds }, who)
}

type Tally = { done: number; counts: Record<string, number> }

const counted = ({ done, counts }: Tally, as: 'created' | 'updated', outcomes: readonly Outcome[]): Tally => {
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

type Writing<R extends Pending> = {
  as: 'created' | 'updated'
  write: (trx: Db, rows: readonly R[], who: Caller) => Promise<Outcome[]>
  /** Of a line that a rule over all of them would refuse. */
  alone: (run: JobContext, row: R, tally: Tally) => Promise<Tally>
}

const together = <R extends Pending>(
  run: JobContext,
  rows: readonly R[],
  { tally, how }: { tally: Tally; how: Writing<R> },
): Promise<Tally> =>
  run.db.transaction().execute(async (trx) => {
    // Before anything else: of two workers only one may write these lines.
    await run.hold(trx, {})
    const outcomes = await how.write(trx, rows, await loadImporter(trx, run.job))
    await saveLineOutcomes(trx, run.job.id, outcomes)
    const next = counted(tally, how.as, outcomes)
    await run.hold(trx, next)
    return next
  })

/** All at once; where a rule over all of them refuses that, one by one. */
const writeBatch = async <R extends Pending>(
  run: JobContext,
  rows: readonly R[],
  { tally, how }: { tally: Tally; how: Writing<R> },
): Promise<Tally> => {
  if (rows.length === 0) return tally
  try {
    return await together(run, rows, { tally, how })
  } catch (error) {
    if (!writeError(error)) throw error
    let next = tally
    for (const row of rows) next = await how.alone(run, row, next)
    return next
  }
}

const creating = (jobId: number): Writing<RemainingLine> => ({
  as: 'created',
  write: (trx, pending, who) => createUsers(trx, { jobId, pending, who, hold: 'forNoKeyUpdate' }),
  alone: async (run, row, tally) => {
    try {
      return await together(run, [row], { tally, how: creating(jobId) })
    } catch (error) {
      const reason = writeError(error)
      if (!reason) throw error
      const outcome = { line: row.line, userId: null, reason }
      await saveLineOutcomes(run.db, jobId, [outcome])
      return counted(tally, 'created', [outcome])
    }
  },
})

const updateOne = async (run: JobContext, row: RemainingLine, who: Caller): Promise<ImportReason | undefined> => {
  const { userId, draft, line } = row
  try {
    const told = { who, call: userImports.commit.path, contacts: draft, filter: { importJobId: run.job.id } }
    await withDisclosureQuota(run.db, told, () =>
      run.db.transaction().execute(async (trx) => {
        await run.hold(trx, {})
        await updateImported(trx, userId, draft, who)
        await saveLineOutcomes(trx, run.job.id, [{ line, userId, reason: undefined }])
      }),
    )
    return undefined
  } catch (error) {
    const reason = writeError(error)
    if (!reason) throw error
    await saveLineOutcomes(run.db, run.job.id, [{ line, userId, reason }])
    return reason
  }
}

/** In a transaction of its own: one that is refused must not take the others with it. */
const updateAlone = async (run: JobContext, row: RemainingLine, tally: Tally): Promise<Tally> => {
  const reason = await updateOne(run, row, await loadImporter(run.db, run.job))
  const next = counted(tally, 'updated', [{ line: row.line, userId: row.userId, reason }])
  await run.progress(next)
  return next
}

const updating: Writing<RemainingLine> = {
  as: 'updated',
  write: async (trx, rows, who) => {
    const { outcomes, disabled } = await updateUsers(trx, { rows, who, hold: 'forNoKeyUpdate' })
    await endDisabled(trx, disabled)
    return outcomes
  },
  alone: updateAlone,
}

const givesContact = ({ draft }: RemainingLine): boolean => draft.mobile !== undefined || draft.email !== undefined

const updateBatch = async (run: JobContext, rows: readonly RemainingLine[], tally: Tally): Promise<Tally> => {
  const { actor } = await loadImporter(run.db, run.job)
  const lines = await linesCheckedAlone(run.db, actor, rows)
  // Of each that may tell whose a contact is, it is counted what it told.
  const alone = (row: RemainingLine) => lines.has(row.line) || (givesContact(row) && !seesAllContacts(actor))
  let next = await writeBatch(
    run,
    rows.filter((row) => !alone(row)),
    { tally, how: updating },
  )
  for (const row of rows) if (alone(row)) next = await updateAlone(run, row, next)
  await run.hold(run.db, next)
  return next
}

/** Figures of what an earlier try has written, from the lines themselves. */
const tallyOf = async (db: Db, job: JobContext['job']): Promise<Tally> => {
  const { rows } = await sql<{ created: number; updated: number; done: number }>`
    select count(*) filter (where done and verdict = 'CREATE') as created,
      count(*) filter (where done and verdict = 'UPDATE') as updated, count(*) filter (where done) as done
    from import_row where job_id = ${job.id}`.execute(db)
  const { created = 0, updated = 0, done = 0 } = rows[0] ?? {}
  const checked = (job.counts['create'] ?? 0) + (job.counts['update'] ?? 0)
  const bad = await db
    .selectFrom('importRow')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('jobId', '=', job.id)
    .where('verdict', '=', 'BAD')
    .executeTakeFirstOrThrow()
  return { done: Math.min(done, checked), counts: { ...job.counts, created, updated, bad: bad.n } }
}

/** Writes the good lines, batch after batch, from where an earlier try ended. */
export const commitSheet = async (run: JobContext): Promise<Record<string, number>> => {
  const { db, job } = run
  let tally = await tallyOf(db, job)
  const total = (job.counts['create'] ?? 0) + (job.counts['update'] ?? 0)
  await run.hold(db, { ...tally, total })
  for await (const rows of readRemainingLines(db, { jobId: job.id, verdicts: ['CREATE', 'UPDATE'] })) {
    const fresh = rows.filter(({ verdict }) => verdict === 'CREATE')
    tally = await writeBatch(run, fresh, { tally, how: creating(job.id) })
    const known = rows.filter(({ verdict }) => verdict === 'UPDATE')
    if (known.length > 0) tally = await updateBatch(run, known, tally)
  }
  return tally.counts
}
