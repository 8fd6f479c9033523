import { wallClock } from '@tocsin/contract/time-zone'
import { PassThrough, pipeline, Readable } from 'node:stream'
import type { ExportCell } from '#http/csv'
import type { SheetColumn } from '#spreadsheet/column'
import { type Value, workbookFiles } from '#spreadsheet/workbook'
import { zipStream } from '#spreadsheet/zip'

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const STAMP = 'yyyy-mm-dd hh:mm:ss'
/** A cell holds no more (Excel's limit). */
const LONGEST = 32_767
/** Ends a text that was longer, in both languages: who reads on must not take it for whole. */
const CUT = ' … [已截断 / cut]'

const fitted = (text: string): string => {
  if (text.length <= LONGEST) return text
  const kept = text.slice(0, LONGEST - CUT.length)
  // Not in the middle of a character.
  return `${kept.isWellFormed() || !text.isWellFormed() ? kept : kept.slice(0, -1)}${CUT}`
}

/** What would be read back as another character (ECMA-376, ST_Xstring). */
const escaped = /_(?=x[0-9A-Fa-f]{4}_)/g

/** Without the part of a second: spreadsheet programs would round it up to a second that the console does not show. */
const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000)

/** Text stays text: a cell of type string is never calculated, whatever it begins with. */
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

/** Excel calls a workbook with a longer name of a sheet damaged. */
const LONGEST_NAME = 31

/** A workbook written as fast as it is read: memory does not grow with the rows. */
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
  // It closes only when the rows under way have come; what stands between closes at once. Errors pass through.
  const passing = new PassThrough()
  pipeline(stream, passing, () => undefined)
  return passing.once('close', () => closed.abort())
}

/** `choices` by the column's place: the words a cell may be chosen from. */
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

/** A small workbook of several pages, at most 26 columns each. */
export const createWorkbook = async (pages: readonly WorksheetData[]): Promise<Readable> => {
  const { writeXlsx } = await import('hucre/xlsx')
  return Readable.from([Buffer.from(await writeXlsx({ sheets: pages.map(pageOf) }))])
}
