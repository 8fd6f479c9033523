import { codes } from '@tocsin/contract/codes'
import { labelOf } from '@tocsin/contract/field'
import { IMPORT_ROWS, type ImportNotes, type ImportReason } from '@tocsin/contract/files/import'
import { buffer } from 'node:stream/consumers'
import type { z } from 'zod'
import type { Db } from '#db/db'
import { PermanentJobError } from '#jobs/run'
import { openTable } from '#spreadsheet/read-spreadsheet'
import { type SheetLine, UnreadableSpreadsheetError } from '#spreadsheet/sheet-line'
import { getFileStore } from '../file-store.ts'
import { cellError } from './cell-errors.ts'
import { cellsByField, type Headings, nameColumns, readHeadings } from './headings.ts'
import { ROWS_PER_BATCH, readLines } from './import-rows.ts'
import type { AnyImporter, ImportData, SheetRow } from './importer.ts'

/** A row, and why cells of it could not be read. */
export type SourceRow = SheetRow & { errors: ImportReason[] }

/** The rows of an import in batches, and what was noted about the spreadsheet once all were read. */
export type RowSource = { batches: AsyncIterable<SourceRow[]>; notes: () => Omit<ImportNotes, 'defaults'> | undefined }

const readBytes = async (fileId: number): Promise<Uint8Array> => {
  const stream = await getFileStore().store.get(fileId)
  if (!stream) throw new PermanentJobError(codes.fileMissing)
  return buffer(stream)
}

const toPermanent = (error: unknown) =>
  error instanceof UnreadableSpreadsheetError
    ? new PermanentJobError(error.code ?? codes.importUnreadable, error.params)
    : error

async function* inBatches(lines: AsyncIterable<SheetLine>): AsyncGenerator<SheetLine[]> {
  let batch: SheetLine[] = []
  try {
    for await (const line of lines) {
      batch.push(line)
      if (batch.length < ROWS_PER_BATCH) continue
      yield batch
      batch = []
    }
  } catch (error) {
    throw toPermanent(error)
  }
  yield batch
}

const hasRequired = ({ required }: AnyImporter, headings: Headings) => required.every((field) => headings.has(field))

const missingColumns = (importer: AnyImporter, headings: Headings): string =>
  importer.required
    .filter((field) => !headings.has(field))
    .map((field) => {
      const label = labelOf(importer.sheet.shape[field] as z.ZodType)
      return `${label?.title} / ${label?.titleEn}`
    })
    .join('、')

/** Finds the headings. Throws PermanentJobError that names the worksheet and the row which was taken for them. */
const openSheet = async (importer: AnyImporter, { fileId, title }: ImportData) => {
  const bytes = await readBytes(fileId)
  const isHeading = (cells: readonly string[]) => hasRequired(importer, readHeadings(importer, cells))
  try {
    // The headings, and one line more than is allowed.
    const { sheet, heading, lines } = await openTable(bytes, { lines: IMPORT_ROWS + 2 }, isHeading)
    if (!heading) throw new PermanentJobError(codes.importEmpty)
    const headings = readHeadings(importer, heading.cells)
    const columns = missingColumns(importer, headings)
    const { line } = heading
    if (columns) throw new PermanentJobError(codes.importColumns, { columns, line, sheet: sheet ?? title })
    return { sheet, heading, headings, lines }
  } catch (error) {
    throw toPermanent(error)
  }
}

/** A line by field, with a reason for each cell of a field that holds an error instead of a value. */
const toRow = (headings: Headings, { line, cells, errors = {} }: SheetLine): SourceRow => ({
  line,
  cells: cellsByField(headings, cells),
  errors: [...headings].flatMap(([field, at]) => {
    const error = errors[at]
    return error ? [cellError(field, codes[error.kind], { value: error.text })] : []
  }),
})

/** The rows of the stored spreadsheet, read from its start. */
export const readSheetRows = async (importer: AnyImporter, data: ImportData): Promise<RowSource> => {
  const { sheet, heading, headings, lines } = await openSheet(importer, data)
  const read = new Set(headings.values())
  const unread = new Set(heading.cells.flatMap((text, at) => (text && !read.has(at) ? [at] : [])))
  const note = ({ cells, width }: SheetLine) => {
    for (let at = 0; at < cells.length; at += 1) if (cells[at] && !read.has(at)) unread.add(at)
    if (width !== undefined && width > cells.length) unread.add(cells.length)
  }
  note(heading)
  async function* batches() {
    for await (const batch of inBatches(lines)) {
      for (const line of batch) note(line)
      yield batch.map((line) => toRow(headings, line))
    }
  }
  const notes = () => ({ sheet, headingLine: heading.line, unreadColumns: nameColumns(unread, heading.cells) })
  return { batches: batches(), notes }
}

/** The rows as they were read before, because the file may be gone. Only rows without errors are checked again. */
export const readStoredRows = (db: Db, jobId: number): RowSource => {
  async function* batches() {
    for await (const rows of readLines(db, jobId)) yield rows.map(({ line, cells }) => ({ line, cells, errors: [] }))
  }
  return { batches: batches(), notes: () => undefined }
}
