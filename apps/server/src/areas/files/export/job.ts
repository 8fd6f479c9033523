import { codes } from '@tocsin/contract/codes'
import type { ImportNotes } from '@tocsin/contract/files/import'
import { jobs, type JobView } from '@tocsin/contract/files/job'
import { sql } from 'kysely'
import { notifyJobOwner } from '#jobs/run'
import type { AllTablesDb, Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Actor, type Route, route, type Caller } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import { optionalFileLink } from '../file-store.ts'
import { canReadFile } from '../read.ts'

const LIST = 30

/** The data that every job of a user stores. */
export type Titled = { title: string }

/** The additional data of an import. */
type ImportOfJob = Omit<NonNullable<JobView['import']>, 'notes'>
type JobData = Titled & { import?: ImportOfJob; notes?: ImportNotes }

const own = (db: Db) => unscoped(db, 'one’s own jobs: each query names the owner')

/**
 * Includes the file while it exists: finished files expire, and open only with the permissions that they were written
 * with.
 */
const mine = (all: AllTablesDb, { userId }: Actor) =>
  all
    .selectFrom('job')
    .leftJoin('file', 'file.id', 'job.fileId')
    .selectAll('job')
    .select(['file.id as presentFileId', 'file.needs', 'file.sight'])
    .where('job.userId', '=', userId)

type Found = Row<'job'> & { presentFileId: number | null; needs: string[] | null; sight: Row<'file'>['sight'] }

const viewOf =
  (actor: Actor) =>
  ({ presentFileId, needs, sight, data, ...row }: Found): JobView => {
    const { id, name, state, done, total, counts, error, createdAt, endedAt } = row
    // Names the user who queues a job.
    const { title, import: imported, notes = null } = data as JobData
    return {
      id,
      name,
      title,
      state,
      done,
      total,
      counts,
      error,
      import: imported ? { ...imported, notes } : null,
      createdAt,
      endedAt,
      url: needs && canReadFile(actor, { needs, sight }) ? optionalFileLink(presentFileId, actor.userId) : null,
    }
  }

/** Throws the same BusinessError for a job of another user as for a missing job. */
export const ownJob = async (db: Db, actor: Actor, id: number): Promise<Row<'job'>> => {
  const row = await own(db)
    .selectFrom('job')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', actor.userId)
    .executeTakeFirst()
  if (!row) throw new BusinessError(codes.jobMissing)
  return row
}

const getJob = async (db: Db, actor: Actor, id: number): Promise<JobView> => {
  const row = await mine(own(db), actor).where('job.id', '=', id).executeTakeFirst()
  if (!row) throw new BusinessError(codes.jobMissing)
  return viewOf(actor)(row)
}

const listJobs = async (db: Db, actor: Actor): Promise<JobView[]> => {
  const rows = await mine(own(db), actor).orderBy('job.id', 'desc').limit(LIST).execute()
  return rows.map(viewOf(actor))
}

const cancelJob = (db: Db, id: number, { actor, origin }: Caller): Promise<true> =>
  db.transaction().execute(async (trx): Promise<true> => {
    const job = await ownJob(trx, actor, id)
    const [done] = await own(trx)
      .updateTable('job')
      .set({ state: 'CANCELLED', endedAt: sql<Date>`now()` })
      .where('id', '=', id)
      .where('state', 'in', ['QUEUED', 'RUNNING', 'READY'])
      .execute()
    if (Number(done?.numUpdatedRows ?? 0) === 0) throw new BusinessError(codes.jobOver)
    await notifyJobOwner(trx, job)
    const [before, after] = [{ state: job.state }, { state: 'CANCELLED' }]
    await writeAudit(trx, { actor, origin, action: 'system:job:cancel', subject: 'job', subjectId: id, before, after })
    return true
  })

export const jobRoutes = ({ db }: { db: Db }): Route[] => [
  route(jobs.get, ({ query, actor }) => getJob(db, actor, query.id)),
  route(jobs.myList, ({ actor }) => listJobs(db, actor)),
  route(jobs.cancel, ({ body, caller }) => cancelJob(db, body.id, caller)),
]

/** Rows of imports contain personal data: they are deleted shortly after their activation codes expire. */
export const forgetJobs = async (db: Db): Promise<void> => {
  await unscoped(db, 'housekeeping forgets jobs of everybody')
    .deleteFrom('job')
    .where('state', '<>', 'RUNNING')
    .where(sql<boolean>`coalesce(ended_at, created_at) < now() - interval '15 days'`)
    .execute()
}

/** User input, such as a file name, is text and not markup. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
