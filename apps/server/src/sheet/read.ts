import { streamCsvRows } from 'hucre/csv'
import { HucreError } from 'hucre'
import { readXls, streamXlsxRows } from 'hucre/xlsx'
import type { CellValue } from 'hucre/xlsx'
import { looksCalculated } from '#http/csv'
import { unpackedSize } from '#sheet/unpacked'
import { textOf } from '#sheet/xlsx'

/** No spreadsheet that this can read, or one that is protected by a password. */
export class Unreadable extends Error {}

/** A line as the spreadsheet counts it, from 1. */
export type Line = { line: number; cells: string[] }

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
const unquoted = (text: string): string => (text.startsWith("'") && looksCalculated(text) ? text.slice(1) : text)

/** Twice what the largest sheet that may be imported takes; the worker's thread has room for it. */
const UNPACKED_MOST = 256 * 1024 * 1024

async function* values(bytes: Uint8Array, most: number): AsyncGenerator<{ index: number; values: CellValue[] }> {
  if (startsWith(bytes, 0x50, 0x4b)) {
    if ((unpackedSize(bytes) ?? Infinity) > most) throw new Unreadable('the archive unpacks to too much')
    return yield* streamXlsxRows(bytes, { sheet: 0 })
  }
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    const [first] = (await readXls(bytes)).sheets
    for (const [index, row] of (first?.rows ?? []).entries()) yield { index, values: row }
    return
  }
  let index = 0
  for (const row of streamCsvRows(decode(bytes)))
    yield { index: index++, values: row.map((cell) => (typeof cell === 'string' ? unquoted(cell) : cell)) }
}

/**
 * The first page of a workbook (xlsx, xls) or a CSV file, line by line; empty lines are left out. Throws Unreadable.
 * @param most bytes that a workbook may unpack to.
 */
export async function* readSheet(bytes: Uint8Array, most = UNPACKED_MOST): AsyncGenerator<Line> {
  try {
    for await (const { index, values: row } of values(bytes, most)) {
      const cells = row.slice(0, MOST_COLUMNS).map(textOf)
      if (cells.some((cell) => cell !== '')) yield { line: index + 1, cells }
    }
  } catch (error) {
    if (error instanceof HucreError || error instanceof RangeError) throw new Unreadable(error.message)
    throw error
  }
}
