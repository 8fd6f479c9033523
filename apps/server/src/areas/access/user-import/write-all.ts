import type { Db } from '#db/db'
import type { JobContext } from '#jobs/run'
import type { Caller } from '#http/route'
import { saveOrReject } from '#areas/files/import/commit'
import { readPendingLines } from '#areas/files/import/import-rows'
import { loadImporter, type Outcome, type PendingLine, RowsRejected } from '#areas/files/import/importer'
import { asPendingInDept, createUsers, toGrantRequest } from './create.ts'
import { findGrantErrors, type GrantRequest } from './grant-check.ts'
import { writeError } from './line-errors.ts'
import { endDisabled, linesCheckedAlone, lockChangedUsers, updateUsers } from './update.ts'
import { updateImported } from './update-imported.ts'
import type { Draft } from './validate-line.ts'

type PendingUser = PendingLine<Draft>

/** Departments and roles that were granted, each once, to be checked again at the last moment. */
const createGrantSet = () => {
  const grants = new Map<string, GrantRequest>()
  return {
    add: (all: readonly GrantRequest[]) => {
      for (const item of all) grants.set(`${item.deptId} ${item.chosen} ${item.roleIds}`, item)
    },
    all: () => [...grants.values()],
  }
}
type GrantSet = ReturnType<typeof createGrantSet>

const createAll = async (run: JobContext, trx: Db, grants: GrantSet): Promise<number> => {
  const { job } = run
  let created = 0
  for await (const rows of readPendingLines<Draft>(trx, { jobId: job.id, verdicts: ['CREATE'] })) {
    const importer = await loadImporter(trx, job)
    await saveOrReject(
      trx,
      job.id,
      await createUsers(trx, { jobId: job.id, pending: rows, who: importer, hold: 'forKeyShare' }),
    )
    grants.add(asPendingInDept(rows).map(toGrantRequest))
    created += rows.length
    await run.progress({ done: created })
  }
  return created
}

/** The second check of all lines finds which one a constraint rejects. */
const updateTogether = async (trx: Db, rows: readonly PendingUser[], caller: Caller) => {
  try {
    return await updateUsers(trx, { rows, who: caller, hold: 'forKeyShare' })
  } catch (error) {
    throw writeError(error) ? new RowsRejected([]) : error
  }
}

const updateAlone = async (trx: Db, { line, targetId, draft }: PendingUser, caller: Caller): Promise<Outcome> => {
  try {
    await updateImported(trx, targetId, draft, caller)
    return { line, targetId, reason: undefined }
  } catch (error) {
    const reason = writeError(error)
    throw reason ? new RowsRejected([{ line, targetId, reason }]) : error
  }
}

/** @returns the ids of the users that it disables. */
const updateAll = async (run: JobContext, trx: Db, { grants, created }: { grants: GrantSet; created: number }) => {
  const { job } = run
  await lockChangedUsers(trx, job.id)
  const alone: PendingUser[] = []
  const disabled: number[] = []
  let done = created
  for await (const rows of readPendingLines<Draft>(trx, { jobId: job.id, verdicts: ['UPDATE'] })) {
    const importer = await loadImporter(trx, job)
    const lines = await linesCheckedAlone(trx, importer.actor, rows)
    const plain = rows.filter(({ line }) => !lines.has(line))
    const updated = await updateTogether(trx, plain, importer)
    await saveOrReject(trx, job.id, updated.outcomes)
    grants.add(updated.given)
    disabled.push(...updated.disabled)
    alone.push(...rows.filter(({ line }) => lines.has(line)))
    done += plain.length
    await run.progress({ done })
  }
  for (const row of alone) await saveOrReject(trx, job.id, [await updateAlone(trx, row, await loadImporter(trx, job))])
  return disabled
}

/** Writes all lines in the transaction of the import. */
export const writeAllUsers = async (run: JobContext, trx: Db): Promise<void> => {
  const grants = createGrantSet()
  const created = await createAll(run, trx, grants)
  const disabled = await updateAll(run, trx, { grants, created })
  // Until now roles were only locked against deletion.
  const rejected = await findGrantErrors(trx, grants.all(), await loadImporter(trx, run.job), 'forNoKeyUpdate')
  if (rejected.size > 0)
    throw new RowsRejected([...rejected].map(([line, reason]) => ({ line, targetId: null, reason })))
  await endDisabled(trx, disabled)
}
