import { codes } from '@tocsin/contract/codes'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { type Actor, hasPermission } from '#http/route'
import { loadActor } from '#http/session-auth'
import { type JobResult, PermanentJobError, type JobHandler, type JobContext } from '#jobs/run'
import { storeServerFile } from '../store-file.ts'
import { getFileStore } from '../file-store.ts'
import { exportJobName, type ExportJobData } from '#areas/audit/export-routes'
import {
  auditListExport,
  countRows,
  type Exporter,
  type ExportOptions,
  streamRows,
  buildSpreadsheet,
} from '#areas/audit/exporter'

/** A finished spreadsheet contains personal data, so it expires. */
const KEPT_DAYS = 7
const DAY_MS = 86_400_000

/** The permissions and visibility of the user now, not at the time of the request. */
const exporting = async <Q, R, F>(
  { db, job }: JobContext,
  { endpoints }: Exporter<Q, R, F>,
  { sessionId }: ExportJobData,
): Promise<Actor> => {
  const actor = job.userId === null ? undefined : await loadActor(db, job.userId, sessionId)
  if (!actor || !hasPermission(actor)(endpoints.export.permission)) throw new PermanentJobError(codes.exportGone)
  return actor
}

const counted = async function* <R>(run: JobContext, batches: AsyncIterable<R[]>) {
  let done = 0
  for await (const batch of batches) {
    yield batch
    done += batch.length
    await run.progress({ done })
  }
}

/** Writes the spreadsheet to a temporary file first, so that a slow file store holds no database snapshot. */
const write = async <Q extends ExportOptions, R, F>(run: JobContext, spec: Exporter<Q, R, F>, path: string) => {
  const later = run.job.data as ExportJobData
  const actor = await exporting(run, spec, later)
  // The query was validated when it was received; the same schema encoded it.
  const query = z.decode(spec.endpoints.export.query, later.query as never) as Q
  const snapshot = run.db.transaction().setIsolationLevel('repeatable read')
  return snapshot.execute(async (trx) => {
    const rows = await spec.rows(trx, actor, query)
    const total = await countRows(trx, rows)
    await run.db.transaction().execute(async (own) => {
      await run.hold(own, { done: 0, total })
      if (run.job.total === null)
        await auditListExport(own, spec, { query, count: total }, { actor, origin: later.origin })
    })
    const read = streamRows({ db: trx, actor }, spec, rows)
    const batches = counted(run, read.batches)
    const { name, type, stream } = await buildSpreadsheet(spec, query, { db: trx, batches })
    await pipeline(stream, createWriteStream(path, { mode: 0o600 })).finally(read.settled)
    const revealed = spec.reveals?.filter(hasPermission(actor)) ?? []
    const { userId: owner, depts, schools } = actor
    const needs = [spec.endpoints.export.permission, ...revealed]
    return { name, type, total, owner, needs, sight: { depts, schools } }
  })
}

const exportJob =
  <Q extends ExportOptions, R, F>(spec: Exporter<Q, R, F>): JobHandler =>
  async (run): Promise<JobResult> => {
    const folder = await mkdtemp(join(getFileStore().sheets, 'export-'))
    try {
      const path = join(folder, 'sheet')
      const { total, ...file } = await write(run, spec, path)
      const { size } = await stat(path)
      const expiresAt = new Date(Date.now() + KEPT_DAYS * DAY_MS)
      const fileId = await storeServerFile(run.db, { ...file, size, path, purpose: 'EXPORT', expiresAt })
      return { state: 'DONE', done: total, total, fileId }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

/** The job handlers of these lists: one entry in `jobHandlers` each. */
export const exportJobs = <Q extends ExportOptions, R, F>(spec: Exporter<Q, R, F>): Record<string, JobHandler> => ({
  [exportJobName(spec)]: exportJob(spec),
})
