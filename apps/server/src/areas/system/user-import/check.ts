import { codes } from '@tocsin/contract/codes'
import { labelOf } from '@tocsin/contract/field'
import { IMPORT_ROWS, type ImportVerdict, UserSheetRow } from '@tocsin/contract/system/user-import'
import { buffer } from 'node:stream/consumers'
import type { Db } from '#db/db'
import { insertRows } from '#db/rows'
import type { Actor } from '#http/route'
import { JobFailed, type Run } from '#jobs/run'
import { type Line, readSheet, Unreadable } from '#sheet/read'
import { filePlace } from '../file/place.ts'
import { type Entitled, entitled } from './entitled.ts'
import { cellsOf, type Headings, headingsOf } from './headings.ts'
import { judge } from './judge.ts'
import type { ImportData } from './import-data.ts'
import { type Lookups, readLookups } from './lookups.ts'
import { makeTwins, readKnown, type Settled, settle } from './settle.ts'

const BATCH = 1000

const bytesOf = async (fileId: number): Promise<Uint8Array> => {
  const stream = await filePlace().store.get(fileId)
  if (!stream) throw new JobFailed(codes.fileMissing)
  return buffer(stream)
}

async function* inBatches(lines: AsyncIterable<Line>): AsyncGenerator<Line[]> {
  let batch: Line[] = []
  for await (const line of lines) {
    batch.push(line)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  yield batch
}

const insertLines = insertRows('import_row', {
  jobId: 'bigint',
  line: 'integer',
  cells: 'jsonb',
  verdict: 'text',
  reasons: 'jsonb',
  draft: 'jsonb',
  userId: 'bigint',
} satisfies Record<keyof Settled | 'jobId', string>)

const keep = (trx: Db, jobId: number, rows: readonly Settled[]) =>
  insertLines(rows.map((row) => ({ ...row, jobId }))).execute(trx)

const headed = (cells: readonly string[]): Headings => {
  const headings = headingsOf(cells)
  const label = labelOf(UserSheetRow.shape.username)
  if (!headings.has('username'))
    throw new JobFailed(codes.importColumns, { columns: `${label?.title} / ${label?.titleEn}` })
  return headings
}

const settled = async (db: Db, lines: readonly Line[], sheet: Sheet): Promise<Settled[]> => {
  const { actor, rights, twins, lookups, headings, data } = sheet
  const judged = lines.map(({ line, cells }) => judge({ line, cells: cellsOf(headings, cells) }, lookups))
  const known = await readKnown(
    db,
    judged.map(({ draft }) => draft),
  )
  const given = { actor, rights, known, updateSupport: data.updateSupport, deptId: data.deptId }
  const rows: Settled[] = []
  for (const one of judged) rows.push(await settle({ ...one, reasons: [...one.reasons, ...twins(one)] }, given))
  return rows
}

type Sheet = {
  actor: Actor
  data: ImportData
  lookups: Lookups
  headings: Headings
  rights: Entitled
  twins: ReturnType<typeof makeTwins>
}

const noCounts = { create: 0, update: 0, same: 0, bad: 0 }
const countIn: Record<ImportVerdict, keyof typeof noCounts> = {
  CREATE: 'create',
  UPDATE: 'update',
  SAME: 'same',
  BAD: 'bad',
}

const readable = async function* (bytes: Uint8Array) {
  try {
    yield* readSheet(bytes)
  } catch (error) {
    throw error instanceof Unreadable ? new JobFailed(codes.importUnreadable) : error
  }
}

/** Reads the sheet anew, whatever an earlier try has left, and keeps what would become of each line. */
export const checkSheet = async (run: Run, data: ImportData, actor: Actor): Promise<Record<string, number>> => {
  const { db, job } = run
  await db.deleteFrom('importRow').where('jobId', '=', job.id).execute()
  const counts = { ...noCounts }
  const rest = { actor, data, lookups: await readLookups(db, actor), rights: entitled(db, actor), twins: makeTwins() }
  let headings: Headings | undefined
  let done = 0
  for await (const batch of inBatches(readable(await bytesOf(data.fileId)))) {
    const first = headings ? undefined : batch.shift()
    headings ??= first && headed(first.cells)
    if (!headings || batch.length === 0) continue
    done += batch.length
    if (done > IMPORT_ROWS) throw new JobFailed(codes.importTooMany, { max: IMPORT_ROWS })
    const rows = await settled(db, batch, { ...rest, headings })
    for (const { verdict } of rows) counts[countIn[verdict]] += 1
    await db.transaction().execute(async (trx) => {
      await run.hold(trx, { done })
      await keep(trx, job.id, rows)
    })
  }
  if (done === 0) throw new JobFailed(codes.importEmpty)
  return counts
}
