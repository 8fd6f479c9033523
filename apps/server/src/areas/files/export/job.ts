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

/** What every job of a person says in its data. */
export type Titled = { title: string }

/** What the data of an import says beside that. */
type ImportOfJob = Omit<NonNullable<JobView['import']>, 'notes'>
type JobData = Titled & { import?: ImportOfJob; notes?: ImportNotes }

const own = (db: Db) => unscoped(db, 'one’s own jobs: each query names the owner')

/** With the file as long as it is there: finished files end by themselves, and open only by the rights that made them. */
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
    // Whoever queues a person's job names it.
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

/** Throws Refusal for a job of somebody else exactly as for none. */
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

/** The rows of imports hold personal data: they go a little after the activation codes that came of them. */
export const forgetJobs = async (db: Db): Promise<void> => {
  await unscoped(db, 'housekeeping forgets jobs of everybody')
    .deleteFrom('job')
    .where('state', '<>', 'RUNNING')
    .where(sql<boolean>`coalesce(ended_at, created_at) < now() - interval '15 days'`)
    .execute()
}

/** What a person wrote, such as the name of his file, is text and not markup. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
