import { activeAssignmentStates, isOwnTask } from '@tocsin/contract/alarm/assignment-machine'
import type { TrackDraft } from '@tocsin/contract/alarm/track'
import { codes } from '@tocsin/contract/codes'
import { listOwnUnits } from '#areas/alarm/assignment/advance'
import { writeAudit } from '#areas/audit/audit'
import type { Db } from '#db/db'
import { retryTransaction } from '#db/retry'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'

/** After such a pause the sharing counts as started again, which is audited. */
const PAUSE_MS = 300_000
/** A phone that sends a batch again sends points that are known. */
const MIN_APART_MS = 1_000

/** The caller's own task, or one of his units, locked against ending meanwhile. */
const lockOwnTask = async (trx: Db, id: number, userId: number) => {
  const task = await unscoped(trx, 'a task of the caller, which is compared before anything is said about it')
    .selectFrom('assignment')
    .select(['id', 'state', 'responderUserId', 'unitId'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  if (!task || !isOwnTask(task, { userId, unitIds: await listOwnUnits(trx, userId) }))
    throw new BusinessError(codes.notFound, { what: '任务' })
  return task
}

const findLast = (trx: Db, assignmentId: number, byUserId: number) =>
  trx
    .selectFrom('assignmentPosition')
    .select('at')
    .where('assignmentId', '=', assignmentId)
    .where('byUserId', '=', byUserId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Points with the time of the server, without those that are known. */
const toRows = (points: TrackDraft['points'], now: number, last: number) => {
  let known = last
  return points
    .toSorted((a, b) => b.ageMs - a.ageMs)
    .flatMap(({ ageMs, ...point }) => {
      const at = now - ageMs
      if (at - known < MIN_APART_MS) return []
      known = at
      return [{ ...point, at: new Date(at) }]
    })
}

const storePositions = async (trx: Db, caller: Caller, { id, points }: TrackDraft): Promise<true> => {
  const { userId } = caller.actor
  const task = await lockOwnTask(trx, id, userId)
  if (!activeAssignmentStates.some((state) => state === task.state))
    throw new BusinessError(codes.assignmentState, { state: task.state })
  const last = await findLast(trx, id, userId)
  const now = Date.now()
  const lastAt = last?.at.getTime() ?? 0
  const rows = toRows(points, now, lastAt).map((row) => ({ ...row, assignmentId: id, byUserId: userId }))
  if (rows.length > 0) await trx.insertInto('assignmentPosition').values(rows).execute()
  if (now - lastAt > PAUSE_MS)
    await writeAudit(trx, { ...caller, action: 'warn:task:track', subject: 'assignment', subjectId: id })
  return true
}

/** Stores where the caller's phone was during an active task; points that are known already are left out. */
export const reportPositions = (db: Db, caller: Caller, draft: TrackDraft): Promise<true> =>
  retryTransaction(() => db.transaction().execute((trx) => storePositions(trx, caller, draft)))
