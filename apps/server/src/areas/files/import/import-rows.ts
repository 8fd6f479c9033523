import type { Page, PageQuery } from '@tocsin/contract/page'
import type { ImportRow } from '@tocsin/contract/files/import'
import { sql } from 'kysely'
import { bulkInsert, rowsFromJson } from '#db/bulk-rows'
import type { Db } from '#db/db'
import { countCapped } from '#db/page'
import type { Row } from '#db/tables'
import { toOffsetLimit } from '#http/time-window'
import type { ImportedLine, Outcome, PendingLine, ResolvedLine, Tally } from './importer.ts'

export const ROWS_PER_BATCH = 1000

const insertLines = bulkInsert('import_row', {
  jobId: 'bigint',
  line: 'integer',
  cells: 'jsonb',
  verdict: 'text',
  reasons: 'jsonb',
  draft: 'jsonb',
  targetId: 'bigint',
} satisfies Record<Exclude<keyof ResolvedLine, 'hasErrors'> | 'jobId', string>)

/** Stores lines in place of what an earlier attempt stored. */
export const storeLines = async (trx: Db, jobId: number, rows: readonly ResolvedLine[]): Promise<void> => {
  const lines = rows.map(({ line }) => line)
  await trx.deleteFrom('importRow').where('jobId', '=', jobId).where('line', '=', sql<number>`any(${lines})`).execute()
  await insertLines(rows.map((row) => ({ ...row, jobId }))).execute(trx)
}

type Wanted = { jobId: number; verdicts: readonly PendingLine<unknown>['verdict'][] }

/** Reads batches of lines that are still to be written, in order; a written line is marked with its row's id. */
export async function* readPendingLines<D>(db: Db, { jobId, verdicts }: Wanted): AsyncGenerator<PendingLine<D>[]> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('importRow')
      .select(['line', 'draft', 'verdict', 'targetId'])
      .where('jobId', '=', jobId)
      .where('verdict', 'in', verdicts)
      .where('done', '=', false)
      .where('line', '>', after)
      .orderBy('line')
      .limit(ROWS_PER_BATCH)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    after = last.line
    // The check of the same importer stored these drafts.
    yield rows as unknown as PendingLine<D>[]
  }
}

const outcomesFrom = rowsFromJson({ line: 'integer', targetId: 'bigint', reason: 'jsonb' })

/** Marks lines as written, or as bad with the reason. */
export const saveLineOutcomes = (trx: Db, jobId: number, outcomes: readonly Outcome[]) =>
  sql`
    update import_row i set done = true, target_id = coalesce(row."targetId", i.target_id),
      verdict = case when row.reason is null then i.verdict else 'BAD' end,
      reasons = case when row.reason is null then i.reasons else jsonb_build_array(row.reason) end
    from ${outcomesFrom(outcomes)}
    where i.job_id = ${jobId} and i.line = row.line`.execute(trx)

/** Marks a line as bad that the check had passed. */
export const rejectLine = (db: Db, jobId: number, { line, reason }: Outcome) =>
  db
    .updateTable('importRow')
    .set({ verdict: 'BAD', reasons: JSON.stringify([reason]) as unknown as ImportedLine['reasons'] })
    .where('jobId', '=', jobId)
    .where('line', '=', line)
    .where('verdict', 'in', ['CREATE', 'UPDATE'])
    .execute()

export const countVerdicts = async (db: Db, jobId: number) => {
  const { rows } = await sql<Record<'create' | 'update' | 'same' | 'bad', number>>`
    select count(*) filter (where verdict = 'CREATE') as create, count(*) filter (where verdict = 'UPDATE') as update,
      count(*) filter (where verdict = 'SAME') as same, count(*) filter (where verdict = 'BAD') as bad
    from import_row where job_id = ${jobId}`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('a count has a row')
  return counts
}

/** What an earlier attempt has written, counted from the lines themselves. */
export const countWritten = async (db: Db, job: Row<'job'>): Promise<Tally> => {
  const { rows } = await sql<{ created: number; updated: number; done: number }>`
    select count(*) filter (where done and verdict = 'CREATE') as created,
      count(*) filter (where done and verdict = 'UPDATE') as updated, count(*) filter (where done) as done
    from import_row where job_id = ${job.id}`.execute(db)
  const { created = 0, updated = 0, done = 0 } = rows[0] ?? {}
  const checked = (job.counts['create'] ?? 0) + (job.counts['update'] ?? 0)
  const { bad } = await countVerdicts(db, job.id)
  return { done: Math.min(done, checked), counts: { ...job.counts, created, updated, bad } }
}

type RowsQuery = PageQuery & { id: number; onlyBad?: boolean | undefined }

export const pageLines = async (db: Db, query: RowsQuery): Promise<Page<ImportRow>> => {
  const { limit, offset } = toOffsetLimit(query)
  const found = db
    .selectFrom('importRow')
    .select(['line', 'cells', 'verdict', 'reasons'])
    .where('jobId', '=', query.id)
    .$if(query.onlyBad === true, (q) => q.where('verdict', '=', 'BAD'))
  const list = await found.orderBy('line').limit(limit).offset(offset).execute()
  return { list, ...(await countCapped(db, found.clearSelect().select(sql`1`.as('one')))) }
}

/** Reads all lines, or the bad ones, in batches of one query each, so that a slow download holds no connection. */
export async function* readLines(db: Db, jobId: number, onlyBad = false): AsyncGenerator<ImportedLine[]> {
  for (let after = 0; ; ) {
    const rows: ImportedLine[] = await db
      .selectFrom('importRow')
      .select(['line', 'cells', 'verdict', 'reasons', 'done', 'targetId'])
      .where('jobId', '=', jobId)
      .where('line', '>', after)
      .$if(onlyBad, (q) => q.where('verdict', '=', 'BAD'))
      .orderBy('line')
      .limit(ROWS_PER_BATCH)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    after = last.line
    yield rows
  }
}
