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

/** The builder over whichever tables: its own types say nothing that an export needs. */
export type RowsQuery<R> = SelectQueryBuilder<AllTables, never, R>

/** What every export is asked. */
export type ExportOptions = { format?: ExportFormat | undefined; lang?: Lang | undefined }

/** A list that leaves as a sheet. `Q` is its decoded query with `format`, `F` a row as it is read, `R` as it is written. */
export type Exporter<Q, R, F = R> = {
  /** Both calls; the permission is the audit's action, the path the name of the background job. */
  endpoints: { export: Endpoint & { query: z.ZodObject }; exportLater: Endpoint }
  /** The table, for the audit. */
  subject: string
  /** Of the file, in either language. */
  name: string
  nameEn: string
  /** The language is that of the words in the cells: of the headings `sheetColumn` knows both. */
  columns: (db: Db, lang: Lang) => Promise<readonly SheetColumn<R>[]>
  /** Permissions by which `shown` shows more: whoever loses one opens no longer what it showed him. */
  reveals?: readonly string[]
  /** Every row of the filter in sight, in order. Throws Refusal for a filter that is never answered. */
  rows: (db: Db, actor: Actor, query: Q) => RowsQuery<F> | Promise<RowsQuery<F>>
  /** Some of them as this person may see them, personal data masked; without it as they are read. */
  shown?: (reader: ExportReader, found: F[]) => R[] | Promise<R[]>
}

/** Who reads, in the snapshot that the rows are of. */
export type ExportReader = { db: Db; actor: Actor }

const BATCH = 1000

export const countRows = async <R>(db: Db, query: RowsQuery<R>, most?: number): Promise<number> => {
  const counted = most === undefined ? query.clearOrderBy() : query.clearOrderBy().limit(most)
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${counted}) as counted`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * Rows by a cursor of the transaction, in batches as the sheet takes them; one more is read while a batch is written.
 * Each fetch is a statement of its own, so that the time limits of statements hold for one batch, and that of idle
 * transactions for whoever takes none. `settled`: before the transaction ends, also for whoever wants no more.
 */
export const streamRows = <Q, R, F>(reader: ExportReader, { shown }: Exporter<Q, R, F>, query: RowsQuery<F>) => {
  const { db: trx } = reader
  let last: Promise<unknown> = Promise.resolve()
  const read = async (): Promise<R[]> => {
    const { rows } = await sql<F>`fetch ${sql.lit(BATCH)} from exported`.execute(trx)
    // Without `shown` a row is written as it is read.
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

/** Of a sheet in the language that was asked for: Chinese where none was, like the wire. */
export const exportFileName = ({ name, nameEn }: { name: string; nameEn: string }, { lang }: ExportOptions): string =>
  lang === 'en' ? nameEn : name

type Content<R> = { db: Db; batches: AsyncIterable<R[]> }

export const buildSpreadsheet = async <Q, R, F>(
  spec: Exporter<Q, R, F>,
  asked: ExportOptions,
  { db, batches }: Content<R>,
): Promise<FileResponse> => {
  const { format = 'xlsx', lang = 'zh-cn' } = asked
  const name = exportFileName(spec, asked)
  const columns = localizeColumns(lang, await spec.columns(db, lang))
  return format === 'csv'
    ? createCsvFile(name, columns, batches)
    : { name: `${name}.xlsx`, type: XLSX, stream: xlsxStream(name, columns, batches) }
}

/** Exports that hold a connection at this moment, on this node: at most so many, and two of one person (trust 6.9). */
const AT_ONCE = 3
const EACH = 2
const underWay: number[] = []

const enter = (userId: number): (() => void) => {
  if (underWay.length >= AT_ONCE || underWay.filter((id) => id === userId).length >= EACH)
    throw new BusinessError(codes.tooMany)
  underWay.push(userId)
  return () => void underWay.splice(underWay.indexOf(userId), 1)
}

/** Once the answer has ended, in whatever way: a browser that cancels leaves the generator where it is. */
const onEnd = (stream: Readable, release: () => Promise<void>) => stream.once('close', () => void release())

/** The file as one snapshot of the database, sent as it is read; audited before the first row leaves. */
export const exportNow = async <Q extends ExportOptions, R, F>(
  db: Db,
  spec: Exporter<Q, R, F>,
  query: Q,
  who: Caller,
): Promise<FileResponse> => {
  const leave = enter(who.actor.userId)
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
    // A connection that was lost meanwhile is gone with its transaction.
    await trx
      .rollback()
      .execute()
      .catch(() => undefined)
  }
  try {
    const { actor } = who
    const rows = await spec.rows(trx, actor, query)
    const count = await countRows(trx, rows, EXPORT_ROWS + 1)
    if (count > EXPORT_ROWS) throw new BusinessError(codes.exportTooMany, { max: EXPORT_ROWS })
    await auditListExport(db, spec, { query, count }, who)
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
  who: Caller,
) => writeExportAudit(trx, who, { of: endpoints.export, subject, query, rows: count })
