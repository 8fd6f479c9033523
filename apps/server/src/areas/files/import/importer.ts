import { codes } from '@tocsin/contract/codes'
import type { Lang } from '@tocsin/contract/field'
import type { ImportEndpoints, ImportNotes, ImportReason, ImportVerdict } from '@tocsin/contract/files/import'
import type { z } from 'zod'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import type { ExportCell } from '#http/csv'
import { type Actor, hasPermission, type RequestInfo, type Caller } from '#http/route'
import { loadActor } from '#http/session-auth'
import { PermanentJobError, type JobContext } from '#jobs/run'
import type { SheetColumn } from '#spreadsheet/column'
import type { WorksheetData } from '#spreadsheet/xlsx'
import type { Titled } from '../export/job.ts'
import type { WriteErrorFields } from './cell-errors.ts'

/** A line of the spreadsheet: its filled cells by field. `hasErrors`: cells could not be read, so the line is bad. */
export type SheetRow = { line: number; cells: Record<string, string>; hasErrors?: boolean }

/** What would become of a line; `draft` is what would be written, `targetId` the row that it would change. */
export type ResolvedLine = SheetRow & {
  reasons: ImportReason[]
  draft: object | null
  verdict: ImportVerdict
  targetId: number | null
}

/** A line that is to be written. */
export type Pending<D> = { line: number; draft: D }
export type PendingLine<D> = Pending<D> & { verdict: 'CREATE' | 'UPDATE'; targetId: number | null }
export type Outcome = { line: number; targetId: number | null; reason: ImportReason | undefined }

/** A stored line with its outcome, as the result spreadsheet shows it. */
export type ImportedLine = {
  line: number
  cells: Record<string, string>
  verdict: ImportVerdict
  reasons: ImportReason[]
  done: boolean
  targetId: number | null
}

export type Counts = Record<string, number>
export type Tally = { done: number; counts: Counts }

/** What an import job was asked, stored with it. */
export type ImportData = Titled & {
  fileId: number
  updateSupport: boolean
  /** The importer's own options, such as the department of rows without one. */
  options: Record<string, number | string | boolean>
  /** Writes the good lines directly after the check, without waiting for the user. */
  commit: boolean
  /** With `commit`: writes all lines in one transaction, or none. */
  all: boolean
  sessionId: number
  origin: RequestInfo
  /** For the list of jobs: where the import is continued. */
  import: { page: string; permission: string; path: string; title: string; titleEn: string }
  notes?: ImportNotes
}

/** The check of one import: one of these is opened a run, and sees every line once, in order. */
export type LineCheck = {
  /** Resolves a batch of lines. */
  resolve: (rows: readonly SheetRow[]) => Promise<ResolvedLine[]>
  /** Runs in the transaction that stores a batch, such as to audit what the check disclosed. */
  record?: (trx: Db) => Promise<void>
  /** Figures beside those of the verdicts, after the last line. */
  extraCounts?: () => Promise<Counts>
  /** How many rows got a default value. */
  defaults?: () => ImportNotes['defaults']
}

export type CheckContext = JobContext & { data: ImportData; who: Caller }

/** How rows are written. `createRowWriter` makes one of two functions; users have one for whole batches. */
export type ImportWriter<D> = {
  /** Writes the good lines of a batch, and continues after a line that is rejected. */
  writeBatch: (run: JobContext, rows: readonly PendingLine<D>[], tally: Tally) => Promise<Tally>
  /** Writes all lines in the transaction, and throws `RowsRejected` when a line cannot be written. */
  writeAll: (run: JobContext, trx: Db) => Promise<void>
}

export type ImportTemplate = {
  samples: ExportCell[][]
  /** The words that a cell may be chosen from, by field. */
  choices?: Readonly<Record<string, readonly string[]>>
  /** Further worksheets, such as the departments that may be named. */
  pages?: readonly WorksheetData[]
}

/** All that is special about the import of one entity. */
export type Importer<D extends object> = {
  endpoints: ImportEndpoints
  /** Of the job; at most 60 characters. */
  jobName: string
  /** The list page of the console that opens the import by `?import=true`. */
  page: `/${string}`
  /** Instead of `page`, where the options say which page opens the import. */
  pageOf?: (options: ImportData['options']) => `/${string}`
  title: string
  titleEn: string
  /** Columns in the order of the template; the label of each field is its heading. */
  sheet: z.ZodObject
  /** Further headings that people use for a field. */
  otherHeadings?: Readonly<Record<string, readonly string[]>>
  /** Chooses between headings that mean several fields, after the plain match. */
  adjustHeadings?: (found: Map<string, number>, heads: readonly string[]) => void
  /** Fields without whose columns a spreadsheet is rejected. */
  required: readonly string[]
  /** The field that names a row in answers. */
  key: string
  /** Which field an error of a constraint is about, by the name of the constraint. */
  constraints?: WriteErrorFields['constraints']
  template: (db: Db, actor: Actor, lang: Lang) => Promise<ImportTemplate>
  /** Columns of the result beside the outcome, for the lines of one page. */
  resultColumns?: (db: Db, jobId: number) => ResultColumns
  openCheck: (context: CheckContext) => Promise<LineCheck>
  writer: ImportWriter<D>
  /** Fields about which the second check after a failed write says nothing that the first did not. */
  undisclosed?: readonly string[]
  /** Why an import of all lines cannot be promised, though no line is bad. Throws BusinessError. */
  assertWhole?: (counts: Counts) => void
  /** Rejects options that the user may not choose, and fills in defaults. */
  checkOptions?: (db: Db, actor: Actor, query: Record<string, unknown>) => Promise<ImportData['options']>
}

export type ResultColumns = {
  load: (lines: readonly ImportedLine[]) => Promise<void>
  columns: readonly SheetColumn<ImportedLine>[]
}

/** Any importer: `D` is used by its own writer only. */
export type AnyImporter = Importer<never>

/** Lines that the check had passed but that cannot be written: all that was written before them is rolled back. */
export class RowsRejected extends Error {
  readonly outcomes: readonly Outcome[]
  constructor(outcomes: readonly Outcome[]) {
    super(`${outcomes.length} lines are rejected`)
    this.outcomes = outcomes
  }
}

/** Whether all lines were checked: only then are their figures stored. */
export const isChecked = (counts: Counts): boolean => 'bad' in counts

/** The user who queued the import, with their rights of this moment. Throws PermanentJobError when these do not suffice. */
export const loadImporter = async (db: Db, job: Row<'job'>): Promise<Caller> => {
  const { sessionId, origin, import: of } = job.data as ImportData
  const actor = job.userId === null ? undefined : await loadActor(db, job.userId, sessionId)
  if (!actor || !hasPermission(actor)(of.permission)) throw new PermanentJobError(codes.forbidden)
  return { actor, origin }
}
