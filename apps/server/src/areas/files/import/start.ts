import { codes } from '@tocsin/contract/codes'
import { type ImportAnswer, importFiles, type ImportQuery } from '@tocsin/contract/files/import'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import type { UploadedFile } from '#http/upload/uploaded-file'
import { queueJob, requeue } from '#jobs/queue'
import { notifyJobOwner } from '#jobs/run'
import { writeAudit } from '#areas/audit/audit'
import { storeInspected } from '../change.ts'
import { ownJob } from '../export/job.ts'
import { inspectUpload } from '../inspect-upload.ts'
import { type AnyImporter, type Counts, type ImportData, type ImportedLine, isChecked } from './importer.ts'

/** `query`: the decoded query of the import call, with the importer's own options. */
type Asked = { file: UploadedFile; query: Partial<ImportQuery> & Record<string, unknown> }

const auditImport = (
  trx: Db,
  { endpoints }: AnyImporter,
  { id, after }: { id: number; after: object },
  caller: Caller,
) =>
  writeAudit(trx, {
    ...caller,
    action: endpoints.import.permission,
    subject: 'job',
    subjectId: id,
    after: { ...after },
  })

/** Stores the spreadsheet and queues its import. @returns the job's id. */
export const startImport = async (db: Db, importer: AnyImporter, { file, query }: Asked, caller: Caller) => {
  const { updateSupport = false, dryRun = false } = query
  const options = (await importer.checkOptions?.(db, caller.actor, query)) ?? {}
  const inspected = await inspectUpload(file, { field: 'file', part: importFiles.file }, 'sheet')
  const { title, titleEn, endpoints } = importer
  const page = importer.pageOf?.(options) ?? importer.page
  const { permission, path } = endpoints.import
  const { sessionId, userId } = caller.actor
  let id = 0
  await storeInspected(db, { file: inspected, purpose: 'IMPORT', who: caller }, async (trx, stored) => {
    const data: ImportData = {
      title: stored.name,
      fileId: stored.id,
      updateSupport,
      options,
      commit: !dryRun,
      all: false,
      sessionId,
      origin: caller.origin,
      import: { page, permission, path, title, titleEn },
    }
    id = await queueJob(trx, importer.jobName, data, userId)
    if (!dryRun) await auditImport(trx, importer, { id, after: { updateSupport, onlyGood: true } }, caller)
  })
  return id
}

/** A checked import of this importer that the user started. Throws BusinessError. */
export const getOwnImport = async (db: Db, { jobName }: AnyImporter, actor: Actor, id: number): Promise<Row<'job'>> => {
  const job = await ownJob(db, actor, id)
  if (job.name !== jobName) throw new BusinessError(codes.jobMissing)
  if (!isChecked(job.counts)) throw new BusinessError(codes.importState)
  return job
}

/** Rejects an import of all lines where that cannot be promised. */
const assertWhole = ({ assertWhole: more }: AnyImporter, counts: Counts): void => {
  const { bad = 0 } = counts
  if (bad > 0) throw new BusinessError(codes.importHasBad, { bad })
  more?.(counts)
}

type Decision = { id: number; onlyGood: boolean }

/** Queues the writing of a checked import. */
export const commitImport = (
  db: Db,
  importer: AnyImporter,
  { id, onlyGood }: Decision,
  caller: Caller,
): Promise<true> =>
  db.transaction().execute(async (trx): Promise<true> => {
    const job = await getOwnImport(trx, importer, caller.actor, id)
    if (!onlyGood) assertWhole(importer, job.counts)
    const { sessionId } = caller.actor
    const data: ImportData = { ...(job.data as ImportData), commit: true, all: !onlyGood, sessionId }
    const [done] = await unscoped(trx, 'one’s own job')
      .updateTable('job')
      .set({ state: 'QUEUED', data, done: 0 })
      .where('id', '=', id)
      .where('state', '=', 'READY')
      .execute()
    if (Number(done?.numUpdatedRows ?? 0) === 0) throw new BusinessError(codes.importState)
    await requeue(trx, id)
    const after = { ...job.counts, onlyGood, updateSupport: data.updateSupport }
    await auditImport(trx, importer, { id, after }, caller)
    await notifyJobOwner(trx, job)
    return true
  })

const POLL_MS = 200
const MAX_ANSWERED_ROWS = 1000
const finalStates = new Set(['READY', 'DONE', 'FAILED', 'CANCELLED'])

/** Waits until the job ends, or for so long; then it continues by itself. */
const waitForJob = async (db: Db, actor: Actor, id: number, seconds: number) => {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const job = await ownJob(db, actor, id)
    if (finalStates.has(job.state) || performance.now() > end) return job
    await pause(POLL_MS)
  }
}

/** The state of an import after a while, with its first rows. Throws BusinessError when it failed. */
export const waitForImport = async (db: Db, id: number, actor: Actor, seconds: number) => {
  const job = await waitForJob(db, actor, id, seconds)
  if (job.error) {
    const { code, msg, params } = job.error
    throw new BusinessError({ code, zh: msg, en: msg }, params)
  }
  const rows: Pick<ImportedLine, 'line' | 'verdict' | 'reasons' | 'cells'>[] = await db
    .selectFrom('importRow')
    .select(['line', 'verdict', 'reasons', 'cells'])
    .where('jobId', '=', id)
    .orderBy('line')
    .limit(MAX_ANSWERED_ROWS)
    .execute()
  const { notes = null } = job.data as ImportData
  return { job, rows, notes, isOver: finalStates.has(job.state) }
}
export type ImportState = Awaited<ReturnType<typeof waitForImport>>

export const toImportAnswer = ({ job, rows, notes, isOver }: ImportState): ImportAnswer => ({
  id: job.id,
  counts: job.counts,
  rows,
  notes,
  ended: isOver,
})
