import { localStamp } from '@tocsin/contract/time-zone'
import { Readable } from 'node:stream'
import type { FileResponse } from '#http/route'

export type ExportCell = string | number | boolean | Date | null | undefined
export type CsvColumn<R> = { title: string; cell: (row: R) => ExportCell }

/** Characters that spreadsheet programs treat as the start of a formula, in full width too (ASVS 1.2.10). */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/**
 * Tells whether a cell must be marked as text. A cell that already looks marked must be too, or the mark could not be
 * removed again.
 */
export const isFormulaLike = (value: string): boolean => formula.test(value.replace(/^'+/, ''))

const text = (value: string): string => `"${(isFormulaLike(value) ? `'${value}` : value).replaceAll('"', '""')}"`

const cell = (value: ExportCell): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? '是' : '否'
  return value instanceof Date ? localStamp(value) : text(value)
}

/** RFC 4180 lines: text always quoted, CRLF. */
export const formatCsvRows = <R>(columns: readonly CsvColumn<R>[], rows: readonly R[]): string =>
  rows.map((row) => `${columns.map((column) => cell(column.cell(row))).join(',')}\r\n`).join('')

async function* pieces<R>(columns: readonly CsvColumn<R>[], first: R[], rest: AsyncIterator<R[]>) {
  // The byte order mark tells Excel that this is UTF-8.
  yield `\uFEFF${columns.map(({ title }) => text(title)).join(',')}\r\n`
  yield formatCsvRows(columns, first)
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield formatCsvRows(columns, next.value)
}

/**
 * Creates a CSV download whose batches are read as fast as the client receives them. The first batch is read before the
 * response begins, so that an error is still an envelope.
 */
export const createCsvFile = async <R>(
  name: string,
  columns: readonly CsvColumn<R>[],
  batches: AsyncIterable<R[]>,
): Promise<FileResponse> => {
  const rows = batches[Symbol.asyncIterator]()
  const first = await rows.next()
  const stream = Readable.from(pieces(columns, first.done ? [] : first.value, rows))
  return { name: `${name}.csv`, type: 'text/csv; charset=utf-8', stream }
}
