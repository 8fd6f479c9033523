import { codes } from '@tocsin/contract/codes'
import { labelOf } from '@tocsin/contract/field'
import { IMPORT_ROWS, type ImportVerdict, userImports, UserSheetRow } from '@tocsin/contract/access/user-import'
import { sql } from 'kysely'
import { buffer } from 'node:stream/consumers'
import type { Db } from '#db/db'
import { bulkInsert } from '#db/bulk-rows'
import type { Actor } from '#http/route'
import { PermanentJobError, type JobContext } from '#jobs/run'
import { type SheetLine, readSpreadsheet, UnreadableSpreadsheetError } from '#spreadsheet/read-spreadsheet'
import type { Caller } from '#areas/audit/edit-transaction'
import { getFileStore } from '#areas/files/file-store'
import { isContactHidden, hasDisclosureQuota, auditDisclosure, consumeDisclosure } from '../user/contact-disclosure.ts'
import { createGrantCheck } from './grant-check.ts'
import { cellsOf, type Headings, headingsOf } from './headings.ts'
import { validateLine } from './validate-line.ts'
import type { ImportData } from './import-data.ts'
import { readLookups } from './lookups.ts'
import {
  type ExistingUser,
  createDuplicateCheck,
  readExistingUsers,
  type ResolvedLine,
  resolveLine,
} from './resolve-line.ts'

const BATCH = 1000

const bytesOf = async (fileId: number): Promise<Uint8Array> => {
  const stream = await getFileStore().store.get(fileId)
  if (!stream) throw new PermanentJobError(codes.fileMissing)
  return buffer(stream)
}

async function* inBatches(lines: AsyncIterable<SheetLine>): AsyncGenerator<SheetLine[]> {
  let batch: SheetLine[] = []
  for await (const line of lines) {
    batch.push(line)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  yield batch
}

const insertLines = bulkInsert('import_row', {
  jobId: 'bigint',
  line: 'integer',
  cells: 'jsonb',
  verdict: 'text',
  reasons: 'jsonb',
  draft: 'jsonb',
  userId: 'bigint',
} satisfies Record<keyof ResolvedLine | 'jobId', string>)

/** In place of what an earlier try has left of these lines. */
const keep = async (trx: Db, jobId: number, rows: readonly ResolvedLine[]): Promise<void> => {
  const lines = rows.map(({ line }) => line)
  await trx.deleteFrom('importRow').where('jobId', '=', jobId).where('line', '=', sql<number>`any(${lines})`).execute()
  await insertLines(rows.map((row) => ({ ...row, jobId }))).execute(trx)
}

const headed = (cells: readonly string[]): Headings => {
  const headings = headingsOf(cells)
  const label = labelOf(UserSheetRow.shape.username)
  if (!headings.has('username'))
    throw new PermanentJobError(codes.importColumns, { columns: `${label?.title} / ${label?.titleEn}` })
  return headings
}

const readable = async function* (bytes: Uint8Array) {
  try {
    // The headings, and one line more than is taken.
    yield* readSpreadsheet(bytes, { lines: IMPORT_ROWS + 2 })
  } catch (error) {
    throw error instanceof UnreadableSpreadsheetError ? new PermanentJobError(codes.importUnreadable) : error
  }
}

type Told = { line: number; cells: Record<string, string> }

/** The lines of the sheet, which may be read anew. */
async function* linesOfSheet(fileId: number): AsyncGenerator<Told[]> {
  let headings: Headings | undefined
  for await (const batch of inBatches(readable(await bytesOf(fileId)))) {
    const first = headings ? undefined : batch.shift()
    headings ??= first && headed(first.cells)
    const found = headings
    if (found) yield batch.map(({ line, cells }) => ({ line, cells: cellsOf(found, cells) }))
  }
}

/** The lines as they were read before, whose file may be gone. */
async function* linesOfJob(db: Db, jobId: number): AsyncGenerator<Told[]> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('importRow')
      .select(['line', 'cells'])
      .where('jobId', '=', jobId)
      .where('line', '>', after)
      .orderBy('line')
      .limit(BATCH)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    after = last.line
    yield rows
  }
}

/** Whom the importer may be told of: each of those hidden from him counts; those told since the last look. */
const tellerFor = (db: Db, actor: Actor) => {
  let told: number[] = []
  const tells = async (user: ExistingUser): Promise<boolean> => {
    if (!isContactHidden(actor, user)) return true
    if (!(await consumeDisclosure(db, actor))) return false
    told.push(user.id)
    return true
  }
  const taken = () => {
    const ids = told
    told = []
    return ids
  }
  return { tells, taken }
}

const noCounts = { create: 0, update: 0, same: 0, bad: 0 }
const countIn: Record<ImportVerdict, keyof typeof noCounts> = {
  CREATE: 'create',
  UPDATE: 'update',
  SAME: 'same',
  BAD: 'bad',
}

const openCheck = async ({ db, job }: JobContext, data: ImportData, { actor, origin }: Caller) => {
  const { updateSupport, deptId } = data
  const [lookups, rights, twins] = [await readLookups(db, actor), createGrantCheck(db, actor), createDuplicateCheck()]
  const { tells, taken } = tellerFor(db, actor)
  const settled = async (lines: readonly Told[]): Promise<ResolvedLine[]> => {
    const judged = lines.map((line) => validateLine(line, lookups))
    const known = await readExistingUsers(
      db,
      judged.map(({ draft }) => draft),
    )
    const given = { actor, rights, known, tells, updateSupport, deptId }
    const rows: ResolvedLine[] = []
    for (const one of judged) rows.push(await resolveLine({ ...one, reasons: [...one.reasons, ...twins(one)] }, given))
    return rows
  }
  const record = (trx: Db) =>
    auditDisclosure(
      trx,
      { actor, origin },
      { call: userImports.import.path, filter: { importJobId: job.id }, ids: taken() },
    )
  return { settled, record }
}

/** Keeps what would become of each line. @returns how many of each; `untold` when contacts were not all compared. */
const checkLines = async (run: JobContext, batches: AsyncIterable<Told[]>, { data, who }: Checking) => {
  const { db, job } = run
  const { settled, record } = await openCheck(run, data, who)
  const counts = { ...noCounts }
  let contacts = false
  let done = 0
  for await (const batch of batches) {
    if (batch.length === 0) continue
    done += batch.length
    if (done > IMPORT_ROWS) throw new PermanentJobError(codes.importTooMany, { max: IMPORT_ROWS })
    const rows = await settled(batch)
    for (const { verdict, draft } of rows) {
      counts[countIn[verdict]] += 1
      contacts ||= draft.mobile !== undefined || draft.email !== undefined
    }
    await db.transaction().execute(async (trx) => {
      await run.hold(trx, { done })
      await keep(trx, job.id, rows)
      await record(trx)
    })
  }
  if (done === 0) throw new PermanentJobError(codes.importEmpty)
  const untold = contacts && !(await hasDisclosureQuota(db, who.actor))
  return { ...counts, ...(untold && { untold: 1 }) }
}

type Checking = { data: ImportData; who: Caller }
export type Counts = Record<string, number>

/** Reads the sheet anew, whatever an earlier try has left. */
export const checkSheet = (run: JobContext, data: ImportData, who: Caller): Promise<Counts> =>
  checkLines(run, linesOfSheet(data.fileId), { data, who })

/** Judges the lines of a sheet that was read, as of now. */
export const checkAgain = (run: JobContext, data: ImportData, who: Caller): Promise<Counts> =>
  checkLines(run, linesOfJob(run.db, run.job.id), { data, who })
