import type { Code, Params } from '@tocsin/contract/codes'
import type { CellValue } from 'hucre/xlsx'
import { isFormulaLike } from '#http/csv'
import { uncompressedSize } from '#spreadsheet/zip-size'
import { cellText } from '#spreadsheet/xlsx'

/** Not a spreadsheet that can be read, or one protected by a password; `code` where more is known. */
export class UnreadableSpreadsheetError extends Error {
  readonly code: Code | undefined
  readonly params: Params | undefined
  constructor(message: string, code?: Code, params?: Params) {
    super(message)
    this.code = code
    this.params = params
  }
}

/** Why a cell has no value that may be used. */
export type CellProblem = { kind: 'importCellError' | 'importNoResult' | 'importDigits'; text: string }

/**
 * A line as the spreadsheet counts it, from 1. `errors`: by column, the cells that have no usable value. `width`: the
 * columns of the file, where more are filled than are read.
 */
export type SheetLine = { line: number; cells: string[]; errors?: Record<number, CellProblem>; width?: number }

/** Wider rows are cut: a sheet of people has a dozen columns. */
const MOST_COLUMNS = 100

const startsWith = (bytes: Uint8Array, ...signature: number[]) => signature.every((byte, at) => bytes[at] === byte)

/** Spreadsheets in China save text in GB 18030 unless told otherwise. */
const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

/** The apostrophe that csv.ts sets before what a spreadsheet would calculate is no part of the text. */
const unquoted = (text: string): string => (text.startsWith("'") && isFormulaLike(text) ? text.slice(1) : text)

/** Twice what the largest sheet that may be imported takes; the worker's thread has room for it. */
const UNPACKED_MOST = 256 * 1024 * 1024

async function* values(bytes: Uint8Array, most: number): AsyncGenerator<{ index: number; values: CellValue[] }> {
  // Read with the first sheet: no start waits for it.
  const { readXls, streamXlsxRows } = await import('hucre/xlsx')
  if (startsWith(bytes, 0x50, 0x4b)) {
    if ((uncompressedSize(bytes) ?? Infinity) > most)
      throw new UnreadableSpreadsheetError('the archive unpacks to too much')
    return yield* streamXlsxRows(bytes, { sheet: 0 })
  }
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    const [first] = (await readXls(bytes)).sheets
    for (const [index, row] of (first?.rows ?? []).entries()) yield { index, values: row }
    return
  }
  const { streamCsvRows } = await import('hucre/csv')
  let index = 0
  for (const row of streamCsvRows(decode(bytes)))
    yield { index: index++, values: row.map((cell) => (typeof cell === 'string' ? unquoted(cell) : cell)) }
}

/** Of two bytes each they leave the worker's thread half of its room. */
const KEPT_MOST = 128 * 1024 * 1024

/** `lines`: no more are wanted; `unpacked`: bytes that a workbook may unpack to; `kept`: characters of all lines. */
type Bounds = { lines?: number; unpacked?: number; kept?: number }
const most: Required<Bounds> = { lines: Infinity, unpacked: UNPACKED_MOST, kept: KEPT_MOST }

/**
 * Lines as text, each in one piece. The library reads on while somebody waits, puts what comes into a list and takes
 * each line from its head: a reader that writes to a database meanwhile spent most of its time, and all lines as cells
 * most of its memory, on that list. Cells may share a text, which is small in the archive and long in each of their lines.
 */
const collect = async (bytes: Uint8Array, { lines, unpacked, kept }: Required<Bounds>): Promise<string[]> => {
  const found: string[] = []
  let left = kept
  for await (const { index, values: row } of values(bytes, unpacked)) {
    const cells = row.slice(0, MOST_COLUMNS).map(cellText)
    if (cells.every((cell) => cell === '')) continue
    const text = JSON.stringify({ line: index + 1, cells } satisfies SheetLine)
    left -= text.length
    if (left < 0) throw new UnreadableSpreadsheetError('the lines are too long')
    found.push(text)
    if (found.length === lines) break
  }
  return found
}

/**
 * The first page of a workbook (xlsx, xls) or a CSV file, line by line; empty lines are left out, and so is what is
 * beyond the lines that are wanted. Throws Unreadable.
 */
export async function* readSpreadsheet(bytes: Uint8Array, bounds: Bounds = {}): AsyncGenerator<SheetLine> {
  try {
    // Written by `collect`.
    for (const line of await collect(bytes, { ...most, ...bounds })) yield JSON.parse(line) as SheetLine
  } catch (error) {
    const { HucreError } = await import('hucre')
    if (error instanceof HucreError || error instanceof RangeError) throw new UnreadableSpreadsheetError(error.message)
    throw error
  }
}

/** Headings stand within so many filled lines from the top, below titles. */
const HEADING_LINES = 20

export type Table = { sheet: string | null; heading: SheetLine | undefined; lines: AsyncIterable<SheetLine> }

/** Opens the lines below the headings; where no line is one of headings, the first filled line is taken. */
export const openTable = async (
  bytes: Uint8Array,
  bounds: Bounds,
  isHeading: (cells: readonly string[]) => boolean,
): Promise<Table> => {
  const source = readSpreadsheet(bytes, bounds)
  const first: SheetLine[] = []
  for (let next = await source.next(); !next.done; next = await source.next()) {
    first.push(next.value)
    if (isHeading(next.value.cells)) return { sheet: null, heading: next.value, lines: source }
    if (first.length === HEADING_LINES) break
  }
  return { sheet: null, heading: first[0], lines: source }
}
