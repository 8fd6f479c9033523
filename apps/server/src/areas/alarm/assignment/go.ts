import type { AssignmentRow } from '@tocsin/contract/alarm/assignment'
import { stateMachine } from '@tocsin/contract/alarm/state-machine'
import { codes } from '@tocsin/contract/codes'
import { scheduleStep } from '#areas/alarm/timer/schedule-timers'
import { convertToLive } from '#areas/alarm/verb/convert-to-live'
import { applyOutcome, authorizeVerb } from '#areas/alarm/verb/execute-verb'
import { lockForUser, rejectWithRecord, type UserVerbContext } from '#areas/alarm/verb/verb-context'
import { loadRecordRows } from '#areas/alarm/record/record-row'
import { writeAudit } from '#areas/audit/audit'
import { runEdit, toAuditState } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { runHooks } from '#db/transaction-hook'
import type { Caller } from '#http/route'
import { cancelTimers } from '#timer/timer'
import { takeStepKey } from './advance.ts'
import { assignmentChanged } from './assignment-hooks.ts'
import { toAssignmentRow } from './assignment-rows.ts'
import { ASSIGNMENT_TIMER, createAssignment, emitAssignment } from './create-assignments.ts'

const all = (trx: Db) => unscoped(trx, 'the record was locked in the sight of the caller')

/** The response to a tap that was applied already. */
const findTaken = (trx: Db, userId: number, stepKey: string) =>
  all(trx)
    .selectFrom('assignmentStep as step')
    .innerJoin('assignment', 'assignment.id', 'step.assignmentId')
    .selectAll('assignment')
    .where('step.byUserId', '=', userId)
    .where('step.stepKey', '=', stepKey)
    .executeTakeFirst()

/** The claiming user departs at once: nobody else must be notified. */
const depart = async (trx: Db, { id }: Row<'assignment'>, now: Date): Promise<Row<'assignment'>> => {
  const after = await all(trx)
    .updateTable('assignment')
    .set({ state: 'EN_ROUTE', receivedAt: now, departedAt: now, version: 2 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await cancelTimers(trx, { kind: ASSIGNMENT_TIMER, subjectId: id })
  await emitAssignment(trx, after)
  return after
}

/** An alarm that the system escalated because nobody came stays with the police; the caller becomes its owner. */
const takeEscalated = async (context: UserVerbContext): Promise<UserVerbContext> => {
  const { record, by } = context
  if (record.state !== 'ESCALATED' || record.ownerId !== null) return context
  await authorizeVerb(context, 'take')
  const taken = await applyOutcome(context, 'take', { set: { ownerId: by.userId }, reached: ['claimedAt'] })
  return { ...context, record: taken }
}

/** Claims an unowned alarm and goes there, with one tap: claimed, sent, confirmed and departed in one transaction. */
export const goToRecord = (
  db: Db,
  caller: Caller,
  { recordId, stepKey }: { recordId: number; stepKey: string },
): Promise<AssignmentRow> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { userId, nickname } = caller.actor
    const locked = await lockForUser(trx, caller.actor, recordId)
    const taken = await findTaken(trx, userId, stepKey)
    if (taken) {
      await audit(trx, caller, taken)
      return toAssignmentRow(trx, taken)
    }
    const { record, now } = locked
    if (record.open && record.ownerId !== null && record.ownerId !== userId) {
      const [row] = await loadRecordRows(trx, [record])
      throw await rejectWithRecord(locked, codes.alreadyClaimed, { owner: row?.ownerName ?? '' })
    }
    const isEscalated = record.state === 'ESCALATED'
    const verb = isEscalated ? 'sendMore' : 'dispatch'
    await authorizeVerb(locked, verb)
    const owned = await takeEscalated(await convertToLive(locked, stateMachine[verb].to))
    // Somebody may have reported the arrival at an escalated alarm that nobody owns.
    const isSomebodyThere = isEscalated && record.onSiteAt !== null
    if (!isSomebodyThere) await scheduleStep(trx, record, 'T4')
    const created = await createAssignment(trx, {
      recordId,
      schoolId: record.schoolId,
      deptId: record.deptId,
      responderUserId: userId,
      responderName: nickname,
      byUserId: userId,
    })
    const after = await depart(trx, created, now)
    await applyOutcome(owned, verb, {
      reached: ['dispatchedAt'],
      payload: { guards: nickname },
      ...(!isSomebodyThere && { stage: 'dispatched' }),
    })
    await takeStepKey(trx, { assignmentId: created.id, stepKey, verb: 'depart' }, userId)
    await runHooks(trx, assignmentChanged, { assignment: after, before: created.state, verb: 'depart', userId })
    await audit(trx, caller, after)
    return toAssignmentRow(trx, after)
  })

const audit = (trx: Db, caller: Caller, after: Row<'assignment'>): Promise<void> =>
  writeAudit(trx, {
    ...caller,
    action: 'warn:task:depart',
    subject: 'assignment',
    subjectId: after.id,
    after: toAuditState(after),
  })
