import { codes, type Code, fillTemplate, type Params } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { defineHook, runHooks } from '#db/transaction-hook'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'

/** The rest is not wanted: the job was cancelled, another worker has it, or this worker stops. */
export class JobAborted extends Error {}

/** The job can never succeed; the message tells its owner why. */
export class PermanentJobError extends Error {
  readonly code: Code
  readonly params: Params | undefined
  constructor(code: Code, params?: Params) {
    super(fillTemplate(code.zh, params))
    this.code = code
    this.params = params
  }
}

type Progress = Partial<Pick<Row<'job'>, 'done' | 'total' | 'counts'>>
export type JobResult = Progress & { state: 'DONE' | 'READY'; fileId?: number }

/** One attempt at a job. */
export type JobContext = {
  db: Db
  job: Row<'job'>
  /**
   * Call it first in each transaction that writes. It locks the job until the commit, so that only one worker writes,
   * and none after a cancellation. Throws JobAborted.
   */
  hold: (trx: Db, progress: Progress) => Promise<void>
  /** Reports progress, written at most twice a second. Throws JobAborted. */
  progress: (progress: Progress) => Promise<void>
}
export type JobHandler = (run: JobContext) => Promise<JobResult>

const PROGRESS_MS = 500

const jobsOf = (db: Db) => unscoped(db, 'a worker acts for whoever queued the job')

const claim = (db: Db, id: number) =>
  jobsOf(db)
    .updateTable('job')
    .set({ state: 'RUNNING', run: sql<number>`run + 1`, startedAt: sql<Date>`coalesce(started_at, now())` })
    .where('id', '=', id)
    .where('state', 'in', ['QUEUED', 'RUNNING'])
    .returningAll()
    .executeTakeFirst()

type Change = Progress & Partial<Pick<Row<'job'>, 'state' | 'error' | 'fileId'>>

const isOver = (state: Row<'job'>['state'] | undefined): boolean => state === 'DONE' || state === 'FAILED'

/** Updates the job if this attempt is still the current one. */
const change = async (db: Db, job: Row<'job'>, columns: Change): Promise<boolean> => {
  const [done] = await jobsOf(db)
    .updateTable('job')
    .set({ run: job.run, ...columns, ...(isOver(columns.state) && { endedAt: sql<Date>`now()` }) })
    .where('id', '=', job.id)
    .where('run', '=', job.run)
    .where('state', '=', 'RUNNING')
    .execute()
  return Number(done?.numUpdatedRows ?? 0) > 0
}

/** Notifies the screens of the owner. */
export const notifyJobOwner = async (trx: Db, { id, userId }: Pick<Row<'job'>, 'id' | 'userId'>): Promise<void> => {
  if (userId !== null) await emitEvents(trx, { type: 'job.changed', ref: id, userId })
}

/** Runs in the transaction that ends a job, once, even when workers crash. */
export const jobFinished = defineHook<Row<'job'>>('job.ended')

const endIn = async (trx: Db, job: Row<'job'>, columns: Change): Promise<void> => {
  if (!(await change(trx, job, columns))) return
  await notifyJobOwner(trx, job)
  if (isOver(columns.state)) await runHooks(trx, jobFinished, { ...job, ...columns })
}

const end = (db: Db, job: Row<'job'>, columns: Change) => db.transaction().execute((trx) => endIn(trx, job, columns))

const runOf = (db: Db, job: Row<'job'>, stopping: AbortSignal): JobContext => {
  let value = 0
  const hold: JobContext['hold'] = async (trx, progress) => {
    if (stopping.aborted || !(await change(trx, job, progress))) throw new JobAborted()
  }
  return {
    db,
    job,
    hold,
    progress: async (progress) => {
      if (performance.now() - value < PROGRESS_MS) {
        if (stopping.aborted) throw new JobAborted()
        return
      }
      value = performance.now()
      await hold(db, progress)
    },
  }
}

/**
 * Makes one attempt at a job. Throws only errors that are worth a retry.
 * @returns false when the job stopped because this worker stops.
 */
export const runJob = async (
  db: Db,
  handlers: Readonly<Record<string, JobHandler>>,
  { id, stopping }: { id: number; stopping: AbortSignal },
): Promise<boolean> => {
  const job = await claim(db, id)
  if (!job) return true
  const handler = handlers[job.name]
  try {
    if (!handler) throw new Error(`no function for the job ${job.name}`)
    await end(db, job, await handler(runOf(db, job, stopping)))
  } catch (error) {
    if (error instanceof JobAborted) return !stopping.aborted
    if (!(error instanceof PermanentJobError)) throw error
    const { code, message: msg, params } = error
    await end(db, job, { state: 'FAILED', error: { code: code.code, msg, ...(params && { params }) } })
  }
  return true
}

/** Ends a job that failed too often. */
export const failExhaustedJob = (db: Db, id: number): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const job = await claim(trx, id)
    if (!job) return
    const { code, zh } = codes.broken
    await endIn(trx, job, { state: 'FAILED', error: { code, msg: zh } })
  })
