import { codes } from '@tocsin/contract/codes'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { EXPORT_ROWS, type ExportFormat } from '@tocsin/contract/export'
import type { Lang } from '@tocsin/contract/field'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Db } from '#db/db'
import type { AllTables } from '#db/tables'
import { createCsvFile } from '#http/csv'
import { BusinessError } from '#http/business-error'
import type { Actor, FileResponse, Caller } from '#http/route'
import { localizeColumns, type SheetColumn } from '#spreadsheet/column'
import { XLSX, xlsxStream } from '#spreadsheet/xlsx'
import { writeExportAudit } from './access-audit.ts'

/** The query builder of any table: its precise types matter to no export. */
export type RowsQuery<R> = SelectQueryBuilder<AllTables, never, R>

/** The query fields of every export. */
export type ExportOptions = { format?: ExportFormat | undefined; lang?: Lang | undefined }

/** An exportable list. `Q` is its decoded query with `format`, `F` a row as read, `R` a row as written. */
export type Exporter<Q, R, F = R> = {
  /** Both calls; the permission is the action of the audit, the path the name of the background job. */
  endpoints: { export: Endpoint & { query: z.ZodObject }; exportLater: Endpoint }
  /** Table name for the audit. */
  subject: string
  /** Of the file, in both languages. */
  name: string
  nameEn: string
  /** The language of the labels in the cells; `sheetColumn` has the headings in both. */
  columns: (db: Db, lang: Lang) => Promise<readonly SheetColumn<R>[]>
  /** Permissions by which `shown` discloses more: a user without one of them cannot open the file any more. */
  reveals?: readonly string[]
  /** All visible rows of the filter, in order. Throws BusinessError for a filter that is always rejected. */
  rows: (db: Db, actor: Actor, query: Q) => RowsQuery<F> | Promise<RowsQuery<F>>
  /** Converts rows to what the user may see, personal data masked; without it rows are written as read. */
  shown?: (reader: ExportReader, found: F[]) => R[] | Promise<R[]>
}

/** The reader, in the snapshot of the rows. */
export type ExportReader = { db: Db; actor: Actor }

const BATCH = 1000

export const countRows = async <R>(db: Db, query: RowsQuery<R>, most?: number): Promise<number> => {
  const counted = most === undefined ? query.clearOrderBy() : query.clearOrderBy().limit(most)
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${counted}) as counted`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * Reads rows by a cursor of the transaction, in batches; the next batch is fetched while one is written. Each fetch is
 * a statement of its own, so that statement time limits apply to one batch, and the limit of idle transactions to a
 * client that stops reading. `settled` runs before the transaction ends, also after an early stop.
 */
export const streamRows = <Q, R, F>(reader: ExportReader, { shown }: Exporter<Q, R, F>, query: RowsQuery<F>) => {
  const { db: trx } = reader
  let last: Promise<unknown> = Promise.resolve()
  const read = async (): Promise<R[]> => {
    const { rows } = await sql<F>`fetch ${sql.lit(BATCH)} from exported`.execute(trx)
    // Without `shown` the exported row equals the row of the query.
    return shown ? shown(reader, rows) : (rows as unknown as R[])
  }
  const fetched = () => {
    const batch = read()
    last = batch.catch(() => undefined)
    return batch
  }
  async function* batches(): AsyncGenerator<R[]> {
    await sql`declare exported no scroll cursor for ${query}`.execute(trx)
    for (let next = fetched(); ; ) {
      const rows = await next
      if (rows.length === 0) return
      next = fetched()
      yield rows
    }
  }
  return { batches: batches(), settled: () => last }
}

/** The requested language of a spreadsheet: Chinese without one, like the wire. */
export const exportFileName = ({ name, nameEn }: { name: string; nameEn: string }, { lang }: ExportOptions): string =>
  lang === 'en' ? nameEn : name

type Content<R> = { db: Db; batches: AsyncIterable<R[]> }

export const buildSpreadsheet = async <Q, R, F>(
  spec: Exporter<Q, R, F>,
  options: ExportOptions,
  { db, batches }: Content<R>,
): Promise<FileResponse> => {
  const { format = 'xlsx', lang = 'zh-cn' } = options
  const name = exportFileName(spec, options)
  const columns = localizeColumns(lang, await spec.columns(db, lang))
  return format === 'csv'
    ? createCsvFile(name, columns, batches)
    : { name: `${name}.xlsx`, type: XLSX, stream: xlsxStream(name, columns, batches) }
}

/** Running exports with a connection, on this node: a fixed maximum, and two of one user (trust 6.9). */
const AT_ONCE = 3
const EACH = 2
const underWay: number[] = []

const enter = (userId: number): (() => void) => {
  if (underWay.length >= AT_ONCE || underWay.filter((id) => id === userId).length >= EACH)
    throw new BusinessError(codes.tooMany)
  underWay.push(userId)
  return () => void underWay.splice(underWay.indexOf(userId), 1)
}

/** After the response ended in any way: a browser that cancels leaves the generator unfinished. */
const onEnd = (stream: Readable, release: () => Promise<void>) => stream.once('close', () => void release())

/** Sends the file as one snapshot of the database while it is read; audited before the first row is sent. */
export const exportNow = async <Q extends ExportOptions, R, F>(
  db: Db,
  spec: Exporter<Q, R, F>,
  query: Q,
  caller: Caller,
): Promise<FileResponse> => {
  const leave = enter(caller.actor.userId)
  const trx = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .execute()
    .catch((error: unknown) => {
      leave()
      throw error
    })
  let settled: (() => Promise<unknown>) | undefined
  const release = async () => {
    leave()
    await settled?.()
    // A lost connection is gone with its transaction.
    await trx
      .rollback()
      .execute()
      .catch(() => undefined)
  }
  try {
    const { actor } = caller
    const rows = await spec.rows(trx, actor, query)
    const count = await countRows(trx, rows, EXPORT_ROWS + 1)
    if (count > EXPORT_ROWS) throw new BusinessError(codes.exportTooMany, { max: EXPORT_ROWS })
    await auditListExport(db, spec, { query, count }, caller)
    const read = streamRows({ db: trx, actor }, spec, rows)
    settled = read.settled
    const file = await buildSpreadsheet(spec, query, { db: trx, batches: read.batches })
    onEnd(file.stream, release)
    return file
  } catch (error) {
    await release()
    throw error
  }
}

export const auditListExport = <Q extends ExportOptions, R, F>(
  trx: Db,
  { endpoints, subject }: Exporter<Q, R, F>,
  { query, count }: { query: Q; count: number },
  caller: Caller,
) => writeExportAudit(trx, caller, { of: endpoints.export, subject, query, rows: count })
