import { codes } from '@tocsin/contract/codes'
import type { Page, PageQuery } from '@tocsin/contract/page'
import type { ImportAnswer, ImportQuery, ImportRow } from '@tocsin/contract/access/user-import'
import { importFiles } from '@tocsin/contract/access/user-import'
import { sql } from 'kysely'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '#db/db'
import { countCapped } from '#db/page'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import type { UploadedFile } from '#http/upload/uploaded-file'
import { toOffsetLimit } from '#http/time-window'
import { queueJob, requeue } from '#jobs/queue'
import { type JobResult, type JobHandler, notifyJobOwner } from '#jobs/run'
import { writeAudit } from '#areas/audit/audit'
import type { Caller } from '#areas/audit/edit-transaction'
import { storeInspected } from '#areas/files/change'
import { inspectUpload } from '#areas/files/inspect-upload'
import { escapeHtml, ownJob } from '#areas/files/export/job'
import { checkDept } from '../role/dept-choice.ts'
import { checkSheet } from './check.ts'
import { commitSheet } from './commit.ts'
import { commitAll } from './commit-all.ts'
import { IMPORT, IMPORT_JOB, type ImportData, loadImporter, isChecked } from './import-data.ts'
import { getOwnImport } from './sheets.ts'

type Asked = { file: UploadedFile; query: ImportQuery }

/** Keeps the sheet and queues its import. @returns the job's id. */
export const startImport = async (db: Db, { file, query }: Asked, who: Caller): Promise<number> => {
  const { updateSupport = false, dryRun = false, deptId = who.actor.deptId } = query
  if (query.deptId !== undefined) await checkDept(db, who.actor, deptId)
  const examined = await inspectUpload(file, { field: 'file', part: importFiles.file }, 'sheet')
  let id = 0
  await storeInspected(db, { file: examined, purpose: 'IMPORT', who }, async (trx, kept) => {
    const { sessionId, userId } = who.actor
    const asked = { updateSupport, deptId, commit: !dryRun, all: false, sessionId, origin: who.origin }
    const data: ImportData = { title: kept.name, fileId: kept.id, ...asked }
    id = await queueJob(trx, IMPORT_JOB, data, userId)
    if (!dryRun) await auditImport(trx, id, { updateSupport, onlyGood: true }, who)
  })
  return id
}

const auditImport = (trx: Db, jobId: number, after: Record<string, unknown>, who: Caller) =>
  writeAudit(trx, { ...who, action: IMPORT, subject: 'job', subjectId: jobId, after })

/** Refuses to write a sheet whole of which that cannot be promised. */
const checkWhole = ({ bad = 0, untold = 0 }: Record<string, number>): void => {
  if (bad > 0) throw new BusinessError(codes.importHasBad, { bad })
  if (untold > 0) throw new BusinessError(codes.importUntold)
}

/** Writes the lines of a checked import. */
export const commitImport = (db: Db, { id, onlyGood }: { id: number; onlyGood: boolean }, who: Caller): Promise<true> =>
  db.transaction().execute(async (trx): Promise<true> => {
    const job = await getOwnImport(trx, who.actor, id)
    if (!onlyGood) checkWhole(job.counts)
    const { sessionId } = who.actor
    const data: ImportData = { ...(job.data as ImportData), commit: true, all: !onlyGood, sessionId }
    const [done] = await unscoped(trx, 'one’s own job')
      .updateTable('job')
      .set({ state: 'QUEUED', data, done: 0 })
      .where('id', '=', id)
      .where('state', '=', 'READY')
      .execute()
    if (Number(done?.numUpdatedRows ?? 0) === 0) throw new BusinessError(codes.importState)
    await requeue(trx, id)
    await auditImport(trx, id, { ...job.counts, onlyGood, updateSupport: data.updateSupport }, who)
    await notifyJobOwner(trx, job)
    return true
  })

/** What the worker does: check, and write when that was asked. */
export const importJob: JobHandler = async (run): Promise<JobResult> => {
  const data = run.job.data as ImportData
  const who = await loadImporter(run.db, run.job)
  if (!isChecked(run.job.counts)) {
    const counts = await checkSheet(run, data, who)
    await run.hold(run.db, { counts })
    run.job.counts = counts
  }
  const { counts } = run.job
  const { create = 0, update = 0, same = 0, bad = 0 } = counts
  const lines = create + update + same + bad
  if (!data.commit) return { state: 'READY', counts, done: lines, total: lines }
  return data.all ? commitAll(run, data, who) : { state: 'DONE', counts: await commitSheet(run) }
}

type RowsQuery = PageQuery & { id: number; onlyBad?: boolean | undefined }

export const importRows = async (db: Db, query: RowsQuery, actor: Actor): Promise<Page<ImportRow>> => {
  await getOwnImport(db, actor, query.id)
  const { limit, offset } = toOffsetLimit(query)
  const found = db
    .selectFrom('importRow')
    .select(['line', 'cells', 'verdict', 'reasons'])
    .where('jobId', '=', query.id)
    .$if(query.onlyBad === true, (q) => q.where('verdict', '=', 'BAD'))
  const list = await found.orderBy('line').limit(limit).offset(offset).execute()
  return { list, ...(await countCapped(db, found.clearSelect().select(sql`1`.as('one')))) }
}

const POLL_MS = 200
const NAMED = 1000
const over = new Set(['READY', 'DONE', 'FAILED', 'CANCELLED'])

/** Waits until the job ends, or for so long; then it goes on by itself. */
const ended = async (db: Db, actor: Actor, id: number, seconds: number) => {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const job = await ownJob(db, actor, id)
    if (over.has(job.state) || performance.now() > end) return job
    await pause(POLL_MS)
  }
}

/** How an import stands after a while, in the words of both families (wire 1.2). Throws Refusal where it failed. */
export const importAnswer = async (db: Db, id: number, actor: Actor, seconds: number) => {
  const job = await ended(db, actor, id, seconds)
  if (job.error) {
    const { code, msg, params } = job.error
    throw new BusinessError({ code, zh: msg, en: msg }, params)
  }
  const rows = await db
    .selectFrom('importRow')
    .select(['line', 'verdict', 'reasons', 'cells'])
    .where('jobId', '=', id)
    .orderBy('line')
    .limit(NAMED)
    .execute()
  return { job, rows, isOver: over.has(job.state) }
}

type Found = Awaited<ReturnType<typeof importAnswer>>

export const answerOf = (found: Found, dryRun = false): ImportAnswer => {
  const { job, rows, isOver } = found
  const names = (verdict: string) =>
    rows.filter((row) => row.verdict === verdict).map(({ cells }) => cells['username'] ?? '')
  const failed = rows.filter(({ verdict }) => verdict === 'BAD')
  const said = failed.map(({ cells, line, reasons }): [string, string] => [
    cells['username'] ?? `第${line}行`,
    reasons.map(({ message }) => message).join('；'),
  ])
  return {
    id: job.id,
    createUsernames: names('CREATE'),
    updateUsernames: names('UPDATE'),
    failureUsernames: Object.fromEntries(said),
    rows: rows.map(({ line, cells, verdict, reasons }) => ({
      row: line - 1,
      username: cells['username'] ?? null,
      status: verdict,
      reasons: reasons.map(({ message }) => message),
    })),
    message: dryRun ? '正在校验，完成后请查看各行结果再提交' : messageOf(found),
    ended: isOver,
  }
}

/** The sentence of the `/api/v1` family, which is markup: lines count from the first below the headings. */
export const messageOf = ({ job, rows, isOver }: Found): string => {
  if (!isOver) return '数据较多，已转入后台导入，请在任务列表中查看结果'
  const { counts } = job
  const good = (counts['created'] ?? counts['create'] ?? 0) + (counts['updated'] ?? counts['update'] ?? 0)
  const bad = rows.filter(({ verdict }) => verdict === 'BAD')
  const why = (reasons: ImportRow['reasons']) => escapeHtml(reasons.map(({ message }) => message).join('，'))
  const lines = bad.map(({ line, reasons }) => `第${line - 1}行${why(reasons)}`)
  return [`成功${good}条，失败${counts['bad'] ?? 0}条`, ...lines].join('；<br/>')
}
