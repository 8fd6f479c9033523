import { codes } from '@tocsin/contract/codes'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { Db } from '#db/db'
import { type Actor, hasPermission, type RequestInfo, type Route } from '#http/route'
import { loadActor } from '#http/session-auth'
import { queueJob } from '#jobs/queue'
import { type JobResult, PermanentJobError, type JobHandler, type JobContext } from '#jobs/run'
import type { Caller } from '../edit-transaction.ts'
import { storeServerFile } from '../file/store-file.ts'
import { getFileStore } from '../file/file-store.ts'
import { encodeFilter } from '../access-audit.ts'
import type { Titled } from '../job/job.ts'
import {
  auditListExport,
  countRows,
  exportNow,
  type Exporter,
  type ExportOptions,
  exportFileName,
  streamRows,
  buildSpreadsheet,
} from './exporter.ts'

/** A finished sheet holds personal data: it ends by itself. */
const KEPT_DAYS = 7
const DAY_MS = 86_400_000

type Later = Titled & { query: Record<string, unknown>; sessionId: number; origin: RequestInfo }

const jobOf = <Q, R, F>({ endpoints }: Exporter<Q, R, F>) => `export ${endpoints.export.path}`

const queueExport = async <Q extends ExportOptions, R, F>(
  db: Db,
  spec: Exporter<Q, R, F>,
  query: Q,
  { actor, origin }: Caller,
) => {
  // What would be refused is refused to whoever asks, not to the worker.
  await spec.rows(db, actor, query)
  const data: Later = {
    title: exportFileName(spec, query),
    query: encodeFilter(spec.endpoints.export, query),
    sessionId: actor.sessionId,
    origin,
  }
  return db.transaction().execute((trx) => queueJob(trx, jobOf(spec), data, actor.userId))
}

/** What the person may do and see as of now, not as of the moment when he asked. */
const exporting = async <Q, R, F>(
  { db, job }: JobContext,
  { endpoints }: Exporter<Q, R, F>,
  { sessionId }: Later,
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

/** Writes the sheet to a file of its own first: whoever is slow to keep it holds no snapshot of the database. */
const write = async <Q extends ExportOptions, R, F>(run: JobContext, spec: Exporter<Q, R, F>, path: string) => {
  const later = run.job.data as Later
  const actor = await exporting(run, spec, later)
  // The query was checked when it came; its schema is the one that encoded it.
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

/** The two calls of a list that leaves as a sheet. */
export const exportRoutes = <Q extends ExportOptions, R, F>(db: Db, spec: Exporter<Q, R, F>): Route[] => {
  // The endpoints' query is Q, which `exports` of the contract made; TypeScript cannot follow it through the schema.
  type Asked = { query: Q; actor: Actor; origin: RequestInfo }
  const run = <T>(answer: (query: Q, who: Caller) => Promise<T>) =>
    (({ query, actor, origin }: Asked) => answer(query, { actor, origin })) as unknown as Route['handle']
  return [
    { endpoint: spec.endpoints.export, handle: run((query, who) => exportNow(db, spec, query, who)) },
    { endpoint: spec.endpoints.exportLater, handle: run((query, who) => queueExport(db, spec, query, who)) },
  ]
}

/** What the worker does for these lists: one entry in `jobHandlers` each. */
export const exportJobs = <Q extends ExportOptions, R, F>(spec: Exporter<Q, R, F>): Record<string, JobHandler> => ({
  [jobOf(spec)]: exportJob(spec),
})
