import { codes } from '@tocsin/contract/codes'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { Db } from '#db/db'
import { type Actor, may, type Origin, type Route } from '#http/route'
import { actorOf } from '#http/session'
import { queueJob } from '#jobs/queue'
import { type Ended, JobFailed, type JobFn, type Run } from '#jobs/run'
import type { Who } from '../edit.ts'
import { keepFile } from '../file/keep.ts'
import { filePlace } from '../file/place.ts'
import { filterOf } from '../reading.ts'
import type { Titled } from '../job/job.ts'
import {
  auditExport,
  countOf,
  exportNow,
  type Exporter,
  type Formatted,
  nameOf,
  readAhead,
  sheetOf,
} from './exporter.ts'

/** A finished sheet holds personal data: it ends by itself. */
const KEPT_DAYS = 7
const DAY_MS = 86_400_000

type Later = Titled & { query: Record<string, unknown>; sessionId: number; origin: Origin }

const jobOf = <Q, R, F>({ endpoints }: Exporter<Q, R, F>) => `export ${endpoints.export.path}`

const queueExport = async <Q extends Formatted, R, F>(
  db: Db,
  spec: Exporter<Q, R, F>,
  query: Q,
  { actor, origin }: Who,
) => {
  // What would be refused is refused to whoever asks, not to the worker.
  await spec.rows(db, actor, query)
  const data: Later = {
    title: nameOf(spec, query),
    query: filterOf(spec.endpoints.export, query),
    sessionId: actor.sessionId,
    origin,
  }
  return db.transaction().execute((trx) => queueJob(trx, jobOf(spec), data, actor.userId))
}

/** What the person may do and see as of now, not as of the moment when he asked. */
const exporting = async <Q, R, F>(
  { db, job }: Run,
  { endpoints }: Exporter<Q, R, F>,
  { sessionId }: Later,
): Promise<Actor> => {
  const actor = job.userId === null ? undefined : await actorOf(db, job.userId, sessionId)
  if (!actor || !may(actor)(endpoints.export.permission)) throw new JobFailed(codes.exportGone)
  return actor
}

const counted = async function* <R>(run: Run, batches: AsyncIterable<R[]>) {
  let done = 0
  for await (const batch of batches) {
    yield batch
    done += batch.length
    await run.progress({ done })
  }
}

/** Writes the sheet to a file of its own first: whoever is slow to keep it holds no snapshot of the database. */
const write = async <Q extends Formatted, R, F>(run: Run, spec: Exporter<Q, R, F>, path: string) => {
  const later = run.job.data as Later
  const actor = await exporting(run, spec, later)
  // The query was checked when it came; its schema is the one that encoded it.
  const query = z.decode(spec.endpoints.export.query, later.query as never) as Q
  const snapshot = run.db.transaction().setIsolationLevel('repeatable read')
  return snapshot.execute(async (trx) => {
    const rows = await spec.rows(trx, actor, query)
    const total = await countOf(trx, rows)
    await run.db.transaction().execute(async (own) => {
      await run.hold(own, { done: 0, total })
      if (run.job.total === null) await auditExport(own, spec, { query, count: total }, { actor, origin: later.origin })
    })
    const read = readAhead({ db: trx, actor }, spec, rows)
    const batches = counted(run, read.batches)
    const { name, type, stream } = await sheetOf(spec, query, { db: trx, batches })
    await pipeline(stream, createWriteStream(path, { mode: 0o600 })).finally(read.settled)
    const revealed = spec.reveals?.filter(may(actor)) ?? []
    const { userId: owner, depts, schools } = actor
    const needs = [spec.endpoints.export.permission, ...revealed]
    return { name, type, total, owner, needs, sight: { depts, schools } }
  })
}

const exportJob =
  <Q extends Formatted, R, F>(spec: Exporter<Q, R, F>): JobFn =>
  async (run): Promise<Ended> => {
    const folder = await mkdtemp(join(filePlace().sheets, 'export-'))
    try {
      const path = join(folder, 'sheet')
      const { total, ...file } = await write(run, spec, path)
      const { size } = await stat(path)
      const expiresAt = new Date(Date.now() + KEPT_DAYS * DAY_MS)
      const fileId = await keepFile(run.db, { ...file, size, path, purpose: 'EXPORT', expiresAt })
      return { state: 'DONE', done: total, total, fileId }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

/** The two calls of a list that leaves as a sheet. */
export const exportRoutes = <Q extends Formatted, R, F>(db: Db, spec: Exporter<Q, R, F>): Route[] => {
  // The endpoints' query is Q, which `exports` of the contract made; TypeScript cannot follow it through the schema.
  type Asked = { query: Q; actor: Actor; origin: Origin }
  const run = <T>(answer: (query: Q, who: Who) => Promise<T>) =>
    (({ query, actor, origin }: Asked) => answer(query, { actor, origin })) as unknown as Route['run']
  return [
    { endpoint: spec.endpoints.export, run: run((query, who) => exportNow(db, spec, query, who)) },
    { endpoint: spec.endpoints.exportLater, run: run((query, who) => queueExport(db, spec, query, who)) },
  ]
}

/** What the worker does for these lists: one entry in `jobHandlers` each. */
export const exportJobs = <Q extends Formatted, R, F>(spec: Exporter<Q, R, F>): Record<string, JobFn> => ({
  [jobOf(spec)]: exportJob(spec),
})
