import type { AssignmentState } from '@tocsin/contract/alarm/assignment-machine'
import { assignmentChanged } from '#areas/alarm/assignment/assignment-hooks'
import { setFileReferences } from '#areas/files/store-file'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { addHook } from '#db/transaction-hook'
import {
  applySituation,
  type LockedSituation,
  newMilestones,
  type SituationContext,
  type SituationMilestone,
} from './execute-verb.ts'
import { planLimit } from './limits.ts'
import { appendSituationLog, emitSituation } from './situation-log.ts'
import type { StoredSituation } from './situation-rows.ts'

/** Milestones of the incident that a state of a unit implies; the first unit decides. */
const reachedBy: Partial<Record<AssignmentState, readonly SituationMilestone[]>> = {
  RECEIVED: ['signedAt'],
  EN_ROUTE: ['signedAt', 'departedAt'],
  ON_SCENE: ['signedAt', 'departedAt', 'arrivedAt'],
}

const lockSituation = async (trx: Db, id: number): Promise<LockedSituation> => {
  const situation = await unscoped(trx, 'the incident of an assignment that was locked')
    .selectFrom('policeSituation')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { trx, situation, now: new Date() }
}

const nameActor = async (trx: Db, userId: number | null) => {
  if (userId === null) return null
  const { nickname } = await unscoped(trx, 'who did it')
    .selectFrom('users')
    .select('nickname')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { userId, nickname }
}

/** The first departing unit moves the incident to its next state; the version counts only decisions of the desk. */
const derive = async ({ trx, situation, now }: LockedSituation, state: AssignmentState): Promise<StoredSituation> => {
  const isUnderWay = state === 'EN_ROUTE' || state === 'ON_SCENE'
  const to = situation.state === 'DISPATCHED' && isUnderWay ? 'IN_PROGRESS' : situation.state
  const stamps = newMilestones(situation, now, reachedBy[state] ?? [])
  if (to === situation.state && Object.keys(stamps).length === 0) return situation
  return unscoped(trx, 'locked above')
    .updateTable('policeSituation')
    .set({ ...stamps, state: to, updateTime: now })
    .where('id', '=', situation.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Units that came from a merged incident count as sent to this one from now on: it is dispatched, and then follows how
 * far each of them is.
 */
export const takeOverUnits = async (
  into: SituationContext,
  moved: readonly Pick<Row<'assignment'>, 'state' | 'responderName'>[],
): Promise<void> => {
  if (moved.length === 0) return
  const { trx, caller } = into
  let { situation } = into
  if (situation.state === 'RECEIVED')
    situation = await applySituation(into, caller, 'dispatch', {
      set: { ownerId: situation.ownerId ?? caller.actor.userId },
      reached: ['claimedAt', 'dispatchedAt'],
      unitName: moved
        .map(({ responderName }) => responderName)
        .join('、')
        .slice(0, 40),
    })
  for (const { state, responderName } of moved) {
    if (!reachedBy[state]) continue
    situation = await derive({ ...into, situation }, state)
    await appendSituationLog(trx, situation, { verb: state, actor: null, unitName: responderName.slice(0, 40) })
  }
  await planLimit(trx, situation.id)
}

/** Each step of a unit is a line of the timeline, and moves the milestones of the incident. */
export const followUnits = addHook(assignmentChanged, async (trx, { assignment, before, verb, userId, said }) => {
  if (assignment.situationId === null) return
  const locked = await lockSituation(trx, assignment.situationId)
  // A desk action on several units is one line of its own.
  if (verb !== 'assign' && verb !== 'end' && verb !== 'withdraw') {
    const fileIds = said?.fileIds ?? []
    const logId = await appendSituationLog(trx, locked.situation, {
      verb: before === assignment.state ? verb : assignment.state,
      actor: await nameActor(trx, userId),
      unitName: assignment.responderName.slice(0, 40),
      text: said?.note ?? null,
      fileIds,
    })
    if (said && fileIds.length > 0)
      await setFileReferences(trx, said.actor, { subject: 'police_situation_log', subjectId: logId }, fileIds)
    await derive(locked, assignment.state)
  }
  await planLimit(trx, locked.situation.id)
  await emitSituation(trx, locked.situation)
  await emitEvents(trx, { type: 'unit.changed', ref: assignment.unitId, deptId: assignment.deptId })
})
