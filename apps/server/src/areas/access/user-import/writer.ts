import type { ImportReason } from '@tocsin/contract/files/import'
import { userImports } from '@tocsin/contract/access/user-import'
import type { JobContext } from '#jobs/run'
import type { Caller } from '#http/route'
import { saveLineOutcomes } from '#areas/files/import/import-rows'
import { type ImportWriter, loadImporter, type PendingLine, type Tally } from '#areas/files/import/importer'
import { addOutcomes, type BatchWriter, writeBatch } from '#areas/files/import/write-batch'
import { seesAllContacts, withDisclosureQuota } from '../people/contact-disclosure.ts'
import { createUsers } from './create.ts'
import { writeError } from './line-errors.ts'
import { endDisabled, linesCheckedAlone, updateUsers } from './update.ts'
import { updateImported } from './update-imported.ts'
import type { Draft } from './validate-line.ts'
import { writeAllUsers } from './write-all.ts'

type PendingUser = PendingLine<Draft>

const creating = (jobId: number): BatchWriter<Draft> => ({
  as: 'created',
  write: (trx, pending, caller) => createUsers(trx, { jobId, pending, who: caller, hold: 'forNoKeyUpdate' }),
  reasonOf: writeError,
})

const updateOne = async (run: JobContext, row: PendingUser, caller: Caller): Promise<ImportReason | undefined> => {
  const { targetId, draft, line } = row
  try {
    const disclosed = {
      who: caller,
      call: userImports.commit.path,
      contacts: draft,
      filter: { importJobId: run.job.id },
    }
    await withDisclosureQuota(run.db, disclosed, () =>
      run.db.transaction().execute(async (trx) => {
        await run.hold(trx, {})
        await updateImported(trx, targetId, draft, caller)
        await saveLineOutcomes(trx, run.job.id, [{ line, targetId, reason: undefined }])
      }),
    )
    return undefined
  } catch (error) {
    const reason = writeError(error)
    if (!reason) throw error
    await saveLineOutcomes(run.db, run.job.id, [{ line, targetId, reason }])
    return reason
  }
}

/** In a transaction of its own: one that is rejected must not roll back the others. */
const updateAlone = async (run: JobContext, row: PendingUser, tally: Tally): Promise<Tally> => {
  const reason = await updateOne(run, row, await loadImporter(run.db, run.job))
  const next = addOutcomes(tally, 'updated', [{ line: row.line, targetId: row.targetId, reason }])
  await run.progress(next)
  return next
}

const updating: BatchWriter<Draft> = {
  as: 'updated',
  write: async (trx, rows, caller) => {
    const { outcomes, disabled } = await updateUsers(trx, { rows, who: caller, hold: 'forNoKeyUpdate' })
    await endDisabled(trx, disabled)
    return outcomes
  },
  reasonOf: writeError,
  writeAlone: updateAlone,
}

const givesContact = ({ draft }: PendingUser): boolean => draft.mobile !== undefined || draft.email !== undefined

const updateBatch = async (run: JobContext, rows: readonly PendingUser[], tally: Tally): Promise<Tally> => {
  const { actor } = await loadImporter(run.db, run.job)
  const lines = await linesCheckedAlone(run.db, actor, rows)
  // A line that may disclose whose a contact is counts against the quota by itself.
  const alone = (row: PendingUser) => lines.has(row.line) || (givesContact(row) && !seesAllContacts(actor))
  let next = await writeBatch(
    run,
    rows.filter((row) => !alone(row)),
    { tally, how: updating },
  )
  for (const row of rows) if (alone(row)) next = await updateAlone(run, row, next)
  await run.hold(run.db, next)
  return next
}

export const userWriter: ImportWriter<Draft> = {
  writeBatch: async (run, rows, tally) => {
    const created = await writeBatch(
      run,
      rows.filter(({ verdict }) => verdict === 'CREATE'),
      { tally, how: creating(run.job.id) },
    )
    const known = rows.filter(({ verdict }) => verdict === 'UPDATE')
    return known.length > 0 ? updateBatch(run, known, created) : created
  },
  writeAll: writeAllUsers,
}
