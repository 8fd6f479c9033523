import type { Db } from '#db/db'
import type { Actor, RequestInfo, Route, Caller } from '#http/route'
import { queueJob } from '#jobs/queue'
import { encodeFilter } from './access-audit.ts'
import { type Exporter, exportFileName, exportNow, type ExportOptions } from './exporter.ts'

export type ExportJobData = { title: string; query: Record<string, unknown>; sessionId: number; origin: RequestInfo }

export const exportJobName = <Q, R, F>({ endpoints }: Exporter<Q, R, F>): string => `export ${endpoints.export.path}`

const queueExport = async <Q extends ExportOptions, R, F>(
  db: Db,
  spec: Exporter<Q, R, F>,
  query: Q,
  { actor, origin }: Caller,
) => {
  // Rejects before the job starts, so that the user gets the error and not the worker.
  await spec.rows(db, actor, query)
  const data: ExportJobData = {
    title: exportFileName(spec, query),
    query: encodeFilter(spec.endpoints.export, query),
    sessionId: actor.sessionId,
    origin,
  }
  return db.transaction().execute((trx) => queueJob(trx, exportJobName(spec), data, actor.userId))
}

/** The two calls of an exported list. */
export const exportRoutes = <Q extends ExportOptions, R, F>(db: Db, spec: Exporter<Q, R, F>): Route[] => {
  // The query of the endpoints is Q, made by `exportEndpoints` of the contract; TypeScript cannot follow it through the
  // schema.
  type Asked = { query: Q; actor: Actor; origin: RequestInfo }
  const run = <T>(answer: (query: Q, caller: Caller) => Promise<T>) =>
    (({ query, actor, origin }: Asked) => answer(query, { actor, origin })) as unknown as Route['handle']
  return [
    { endpoint: spec.endpoints.export, handle: run((query, caller) => exportNow(db, spec, query, caller)) },
    { endpoint: spec.endpoints.exportLater, handle: run((query, caller) => queueExport(db, spec, query, caller)) },
  ]
}
