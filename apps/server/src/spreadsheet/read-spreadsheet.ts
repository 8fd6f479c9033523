import type { CellValue } from 'hucre/xlsx'
import { isFormulaLike } from '#http/csv'
import { decodeText } from '#spreadsheet/decode-text'
import { type CellText, type SheetLine, UnreadableSpreadsheetError, type WorksheetRow } from '#spreadsheet/sheet-line'
import { openWorkbook, type VisibleSheet } from '#spreadsheet/workbook-reader'
import { uncompressedSize } from '#spreadsheet/zip-entries'

/** Columns that are read; wider rows report their width. */
const MAX_COLUMNS = 100
/** Headings are within so many filled rows from the top, below titles. */
const HEADING_ROWS = 20
/** Twice the size of the largest importable spreadsheet; the worker's thread has memory for it. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024
/** A shared text is stored once in the file and repeated in each of its rows. */
const MAX_CHARS = 128 * 1024 * 1024

/**
 * `lines`: maximum lines to read; `unpacked`: maximum unpacked bytes of a workbook; `kept`: maximum characters of all
 * rows.
 */
type Bounds = { lines?: number; unpacked?: number; kept?: number }

const startsWith = (bytes: Uint8Array, ...signature: number[]) => signature.every((byte, at) => bytes[at] === byte)

/** The apostrophe that csv.ts puts before a formula is not part of the text. */
const unquoted = (text: string): string => (text.startsWith("'") && isFormulaLike(text) ? text.slice(1) : text)

/** Error values as programs write them into text files. */
const errorValue = /^#(N\/A|REF!|NAME\?|VALUE!|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|UNKNOWN!|ERR!)$/

const toCellText = (value: CellValue | undefined): CellText => {
  if (value === null || value === undefined) return { text: '' }
  if (typeof value === 'boolean') return { text: value ? '是' : '否' }
  // Spreadsheet dates have no zone; the library returns them in the UTC fields.
  if (value instanceof Date) return { text: value.toISOString().slice(0, 19).replace('T', ' ') }
  const text = String(value)
  return errorValue.test(text.trim()) ? { text, problem: { kind: 'importCellError', text: text.trim() } } : { text }
}

async function* toRows(rows: Iterable<readonly CellValue[]>): AsyncGenerator<WorksheetRow> {
  let line = 0
  for (const row of rows) {
    line += 1
    yield { line, cells: row.map(toCellText) }
  }
}

const openOldWorkbook = async (bytes: Uint8Array): Promise<VisibleSheet[]> => {
  const { readXls } = await import('hucre/xlsx')
  const { sheets } = await readXls(bytes)
  return sheets.filter(({ hidden }) => !hidden).map(({ name, rows }) => ({ name, rows: () => toRows(rows) }))
}

const openText = async (bytes: Uint8Array): Promise<VisibleSheet[]> => {
  const { streamCsvRows } = await import('hucre/csv')
  const text = decodeText(bytes)
  const unquote = (cell: CellValue) => (typeof cell === 'string' ? unquoted(cell) : cell)
  function* rows() {
    for (const row of streamCsvRows(text)) yield row.map(unquote)
  }
  return [{ name: null, rows: () => toRows(rows()) }]
}

/** The visible worksheets. */
const openSheets = async (bytes: Uint8Array, unpacked: number): Promise<VisibleSheet[]> => {
  if (startsWith(bytes, 0x50, 0x4b)) {
    if ((uncompressedSize(bytes) ?? Infinity) > unpacked)
      throw new UnreadableSpreadsheetError('the archive unpacks to too much')
    return openWorkbook(bytes)
  }
  return startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0) ? openOldWorkbook(bytes) : openText(bytes)
}

/** A row with its texts trimmed; undefined for an empty one. */
const toLine = ({ line, cells: found }: WorksheetRow): SheetLine | undefined => {
  const cells = Array.from(found.slice(0, MAX_COLUMNS), (cell) => cell?.text.trim() ?? '')
  const beyond = found.length > MAX_COLUMNS && found.slice(MAX_COLUMNS).some((cell) => cell?.text.trim())
  if (!beyond && cells.every((text) => text === '')) return undefined
  const problems = Object.entries(found).flatMap(([at, { problem }]) => (problem ? [[at, problem] as const] : []))
  return {
    line,
    cells,
    ...(problems.length > 0 && { errors: Object.fromEntries(problems) }),
    ...(beyond && { width: found.length }),
  }
}

/** The filled rows of a worksheet, up to the limit. */
async function* filledLines({ rows }: VisibleSheet, { lines = Infinity, kept = MAX_CHARS }: Bounds) {
  let [count, left] = [0, kept]
  for await (const row of rows()) {
    const line = toLine(row)
    if (!line) continue
    for (const text of line.cells) left -= text.length
    if (left < 0) throw new UnreadableSpreadsheetError('the rows are too long')
    yield line
    count += 1
    if (count >= lines) return
  }
}

/** Errors of the parser or a library mean that the file is damaged. */
const toUnreadable = async (error: unknown): Promise<unknown> => {
  const { HucreError } = await import('hucre')
  const code = (error as { code?: unknown } | undefined)?.code
  const isPacking = typeof code === 'string' && (code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE')
  return error instanceof HucreError || error instanceof RangeError || isPacking
    ? new UnreadableSpreadsheetError((error as Error).message)
    : error
}

async function* readable<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    throw await toUnreadable(error)
  }
}

const openReadable = async (bytes: Uint8Array, { unpacked = MAX_UNPACKED_BYTES }: Bounds) => {
  try {
    return await openSheets(bytes, unpacked)
  } catch (error) {
    throw await toUnreadable(error)
  }
}

/**
 * Reads the first visible worksheet of a workbook (xlsx, xls) or a text file row by row; omits empty rows and rows
 * beyond the limit. Throws UnreadableSpreadsheetError.
 */
export async function* readSpreadsheet(bytes: Uint8Array, bounds: Bounds = {}): AsyncGenerator<SheetLine> {
  const [first] = await openReadable(bytes, bounds)
  if (first) yield* readable(filledLines(first, bounds))
}

export type Table = { sheet: string | null; heading: SheetLine | undefined; lines: AsyncIterable<SheetLine> }

type IsHeading = (cells: readonly string[]) => boolean

/** Reads a worksheet up to its headings. @returns the first filled row as heading when none is found */
const findHeading = async (sheet: VisibleSheet, bounds: Bounds, isHeading: IsHeading) => {
  const lines = readable(filledLines(sheet, bounds))
  let first: SheetLine | undefined
  for (let count = 0; count < HEADING_ROWS; count += 1) {
    const { done, value } = await lines.next()
    if (done) break
    first ??= value
    if (isHeading(value.cells)) return { table: { sheet: sheet.name, heading: value, lines }, isFound: true }
  }
  await lines.return(undefined)
  return { table: { sheet: sheet.name, heading: first, lines }, isFound: false }
}

/**
 * Opens the rows below the headings of the first visible worksheet that has them; otherwise `heading` is the first
 * filled row. Throws UnreadableSpreadsheetError, also while the rows are read.
 */
export const openTable = async (bytes: Uint8Array, bounds: Bounds, isHeading: IsHeading): Promise<Table> => {
  let other: Table | undefined
  for (const sheet of await openReadable(bytes, bounds)) {
    const { table, isFound } = await findHeading(sheet, bounds, isHeading)
    if (isFound) return table
    if (!other?.heading) other = table
  }
  return other ?? { sheet: null, heading: undefined, lines: (async function* () {})() }
}
