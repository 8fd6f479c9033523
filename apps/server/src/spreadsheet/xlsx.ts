import type { ExportFormat } from '@tocsin/contract/export'
import { wallClock } from '@tocsin/contract/time-zone'
import { PassThrough, pipeline, Readable } from 'node:stream'
import { createCsvFile, type ExportCell } from '#http/csv'
import type { FileResponse } from '#http/route'
import type { SheetColumn } from '#spreadsheet/column'
import { type Value, workbookFiles } from '#spreadsheet/workbook'
import { zipStream } from '#spreadsheet/zip'

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const STAMP = 'yyyy-mm-dd hh:mm:ss'
/** Maximum characters of a cell (Excel's limit). */
const LONGEST = 32_767
/** Ends a shortened text, in both languages, so that no reader takes it for complete. */
const CUT = ' … [已截断 / cut]'

const fitted = (text: string): string => {
  if (text.length <= LONGEST) return text
  const kept = text.slice(0, LONGEST - CUT.length)
  // Does not cut a surrogate pair.
  return `${kept.isWellFormed() || !text.isWellFormed() ? kept : kept.slice(0, -1)}${CUT}`
}

/** Text that would be read back as another character (ECMA-376, ST_Xstring). */
const escaped = /_(?=x[0-9A-Fa-f]{4}_)/g

/**
 * Without fractions of a second: spreadsheet programs would round them up to a second that the console does not show.
 */
const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000)

/** Text stays text: a cell of type string is never calculated, whatever its first character. */
const valueOf = (cell: ExportCell): Value => {
  if (cell === null || cell === undefined) return null
  if (typeof cell === 'string') return fitted(cell).replace(escaped, '_x005F_')
  if (typeof cell === 'boolean') return cell ? '是' : '否'
  return cell instanceof Date ? wallClock(wholeSecond(cell)) : cell
}

type Rows<R> = { columns: readonly SheetColumn<R>[]; batches: AsyncIterable<readonly R[]>; unwanted: AbortSignal }

async function* valuesOf<R>({ columns, batches, unwanted }: Rows<R>): AsyncGenerator<Value[][]> {
  for await (const batch of batches) {
    if (unwanted.aborted) return
    yield batch.map((row) => columns.map((column) => valueOf(column.cell(row))))
  }
}

/** Excel reports a workbook with a longer worksheet name as damaged. */
const LONGEST_NAME = 31

/** A workbook written while it is read: memory does not grow with the rows. */
export const xlsxStream = <R>(
  name: string,
  columns: readonly SheetColumn<R>[],
  batches: AsyncIterable<readonly R[]>,
): Readable => {
  const closed = new AbortController()
  const workbook = {
    name: name.slice(0, LONGEST_NAME),
    columns: columns.map(({ title, width = 16, date = false }) => ({ title, width, date })),
    batches: valuesOf({ columns, batches, unwanted: closed.signal }),
  }
  const stream = Readable.from(zipStream(workbookFiles(workbook, STAMP)), { objectMode: false })
  // It closes after the pending rows arrived; the streams between close at once. Errors pass through.
  const passing = new PassThrough()
  pipeline(stream, passing, () => undefined)
  return passing.once('close', () => closed.abort())
}

/**
 * An export as CSV, or as a workbook. The first batch is read before the response begins, so that an error is still an
 * envelope.
 */
export const createExportFile = async <R>(
  { name, format }: { name: string; format: ExportFormat },
  columns: readonly SheetColumn<R>[],
  batches: AsyncIterable<R[]>,
): Promise<FileResponse> => {
  if (format === 'csv') return createCsvFile(name, columns, batches)
  const rows = batches[Symbol.asyncIterator]()
  const first = await rows.next()
  async function* all(): AsyncGenerator<R[]> {
    for (let next = first; !next.done; next = await rows.next()) yield next.value
  }
  return { name: `${name}.xlsx`, type: XLSX, stream: xlsxStream(name, columns, all()) }
}

/** `choices` by the column's index: the allowed labels of a cell. */
export type WorksheetData = {
  name: string
  heads: readonly string[]
  rows: readonly ExportCell[][]
  choices?: Map<number, string[]>
}

const LAST_CHOICE = 10_000
const letter = (at: number): string => String.fromCodePoint(65 + at)

const pageOf = ({ name, heads, rows, choices = new Map() }: WorksheetData) => ({
  name,
  rows: [[...heads], ...rows.map((row) => row.map(valueOf))],
  columns: heads.map(() => ({ width: 18 })),
  freezePane: { rows: 1 },
  dataValidations: [...choices].map(([at, values]) => ({
    type: 'list' as const,
    values,
    allowBlank: true,
    showErrorMessage: true,
    range: `${letter(at)}2:${letter(at)}${LAST_CHOICE}`,
  })),
})

/** A small workbook of several worksheets, at most 26 columns each. */
export const createWorkbook = async (pages: readonly WorksheetData[]): Promise<Readable> => {
  const { writeXlsx } = await import('hucre/xlsx')
  return Readable.from([Buffer.from(await writeXlsx({ sheets: pages.map(pageOf) }))])
}
