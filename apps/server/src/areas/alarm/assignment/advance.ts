import type { AssignmentRow } from '@tocsin/contract/alarm/assignment'
import {
  assignmentMachine,
  type AssignmentState,
  type AssignmentVerb,
  type DeclineReason,
  isOwnTask,
  whyNotStep,
} from '@tocsin/contract/alarm/assignment-machine'
import { Assignment } from '@tocsin/contract/alarm/assignment'
import { codes } from '@tocsin/contract/codes'
import { z } from 'zod'
import { appendLog } from '#areas/alarm/record-log'
import { cancelSteps } from '#areas/alarm/timer/schedule-timers'
import { attachEvidence, type Evidence } from '#areas/alarm/record/evidence'
import { applyOutcome } from '#areas/alarm/verb/execute-verb'
import { lockForSystem, type VerbContext } from '#areas/alarm/verb/verb-context'
import { writeAudit } from '#areas/audit/audit'
import { runEdit, toAuditState } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { runHooks } from '#db/transaction-hook'
import { BusinessError } from '#http/business-error'
import { type Caller, hasPermission } from '#http/route'
import { cancelTimers } from '#timer/timer'
import { assignmentChanged } from './assignment-hooks.ts'
import { toAssignmentRow } from './assignment-rows.ts'
import { ASSIGNMENT_TIMER, emitAssignment } from './create-assignments.ts'

export type StepInput = {
  id: number
  stepKey: string
  doneAt?: Date | null | undefined
  reason?: DeclineReason
  note?: string | null | undefined
  attachments?: Evidence
}
type Step = { verb: Exclude<AssignmentVerb, 'timeOut'>; input: StepInput }
/** The acting user, and the user's units. */
type Stepper = { who: Caller; unitIds: readonly number[] }

const all = (trx: Db) => unscoped(trx, 'an assignment that was read in the sight of the caller')

/** The record first, then its assignments, then timers (decision 016). */
export const lockAssignment = async (trx: Db, id: number, recordId: number | null) => {
  const [context] = recordId === null ? [] : await lockForSystem(trx, [recordId])
  const assignment = await all(trx)
    .selectFrom('assignment')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { assignment, context }
}

/** Columns that follow from the state; a stamp that is set stays, which the table enforces. */
const stampsOf = (to: AssignmentState, now: Date): Partial<Row<'assignment'>> => {
  switch (to) {
    case 'RECEIVED':
      return { receivedAt: now }
    case 'EN_ROUTE':
      return { receivedAt: now, departedAt: now }
    case 'ON_SCENE':
      return { receivedAt: now, departedAt: now, arrivedAt: now }
    case 'CLEARED':
    case 'DECLINED':
    case 'RECALLED':
      return { endedAt: now }
    default:
      return {}
  }
}

/** The record's log entry; arriving is a verb of the record, with milestone and device light. */
const writeRecord = async (
  trx: Db,
  context: VerbContext,
  { verb, payload, onScene }: { verb: string; payload: Record<string, unknown>; onScene: boolean },
): Promise<void> => {
  const { record, by } = context
  const { id: ref, state, schoolId, deptId } = record
  if (onScene && (state === 'HANDLING' || state === 'ESCALATED')) {
    await cancelSteps(trx, ref, 'T4')
    await applyOutcome(context, 'arrive', { reached: ['onSiteAt'], payload, stage: 'onsite' })
    return
  }
  const actor = by === 'system' ? by : { id: by.userId, name: by.nickname }
  const kind = verb === 'report' ? 'NOTE' : 'TRANSITION'
  await appendLog(context.all, ref, { kind, verb, actor, from: state, to: state, payload })
  const type = verb === 'support' ? 'alarm.again' : 'alarm.changed'
  await emitEvents(trx, { type, ref, schoolId, deptId })
}

const applyStep = async (
  trx: Db,
  { assignment: before, context }: { assignment: Row<'assignment'>; context: VerbContext | undefined },
  { verb, input, who, unitIds }: Step & Stepper,
): Promise<Row<'assignment'>> => {
  const rule = assignmentMachine[verb]
  const to = rule.to === 'same' ? before.state : rule.to
  const onBehalf = rule.who === 'responder' && !isOwnTask(before, { userId: who.actor.userId, unitIds })
  const now = context?.now ?? new Date()
  const after = await all(trx)
    .updateTable('assignment')
    .set({
      ...(to !== before.state && { state: to, ...stampsOf(to, now) }),
      ...(verb === 'support' && { supportAt: now }),
      ...(input.reason && { declineReason: input.reason }),
      onBehalf,
      version: before.version + 1,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (to !== before.state) await cancelTimers(trx, { kind: ASSIGNMENT_TIMER, subjectId: before.id })
  const payload = {
    responder: before.responderName,
    declineReason: input.reason ?? null,
    note: input.note ?? null,
    doneAt: input.doneAt?.getTime() ?? null,
    ...(onBehalf && { onBehalf }),
    ...(context &&
      (await attachEvidence(trx, { recordId: context.record.id, actor: who.actor, files: input.attachments }))),
  }
  if (context) await writeRecord(trx, { ...context, by: who.actor }, { verb, payload, onScene: verb === 'arrive' })
  await emitAssignment(trx, after)
  const { actor } = who
  const fileIds = input.attachments?.map(({ fileId }) => fileId) ?? []
  const said = { actor, note: input.note ?? null, fileIds }
  await runHooks(trx, assignmentChanged, { assignment: after, before: before.state, verb, userId: actor.userId, said })
  return after
}

type Audited = { verb: string; before: Row<'assignment'>; after: Row<'assignment'> }

const audit = (trx: Db, caller: Caller, { verb, before, after }: Audited) =>
  writeAudit(trx, {
    ...caller,
    action: `warn:task:${verb}`,
    subject: 'assignment',
    subjectId: after.id,
    before: toAuditState(before),
    after: toAuditState(after),
  })

/** @returns whether the key is new; it is stored in the transaction of its step */
export const takeStepKey = async (
  trx: Db,
  step: { assignmentId: number; stepKey: string; verb: string },
  by: number,
) => {
  const taken = await trx
    .insertInto('assignmentStep')
    .values({ ...step, byUserId: by })
    .onConflict((conflict) => conflict.constraint('assignment_step_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

const rejectStep = (assignment: Row<'assignment'>, step: Step['verb'], { who: { actor }, unitIds }: Stepper): void => {
  const code = whyNotStep(step, assignment, { userId: actor.userId, may: hasPermission(actor), unitIds })
  if (!code) return
  const params = code === codes.assignmentState ? { state: assignment.state } : undefined
  // Only visible data: the row was read within the caller's visibility.
  throw new BusinessError(code, params, { current: z.encode(Assignment, assignment) })
}

export const listOwnUnits = async (trx: Db, userId: number): Promise<number[]> =>
  (await trx.selectFrom('policeUnitMember').select('unitId').where('userId', '=', userId).execute()).map(
    ({ unitId }) => unitId,
  )

/** A visible assignment, or one of a unit of the caller. */
const findInSight = async (trx: Db, { who, unitIds }: Stepper, id: number) => {
  const seen = await scoped(trx, who.actor)
    .selectFrom('assignment')
    .select('recordId')
    .where('id', '=', id)
    .executeTakeFirst()
  if (seen || unitIds.length === 0) return seen
  return all(trx)
    .selectFrom('assignment')
    .select('recordId')
    .where('id', '=', id)
    .where('unitId', 'in', unitIds)
    .executeTakeFirst()
}

/**
 * Advances an assignment by one step. A repeated step, by its key, changes nothing and returns the current assignment:
 * a phone with a poor connection repeats it until it is answered.
 */
export const advanceAssignment = (db: Db, caller: Caller, { verb, input }: Step): Promise<AssignmentRow> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const stepper = { who: caller, unitIds: await listOwnUnits(trx, caller.actor.userId) }
    const seen = await findInSight(trx, stepper, input.id)
    if (!seen) throw new BusinessError(codes.notFound, { what: '任务' })
    const locked = await lockAssignment(trx, input.id, seen.recordId)
    const step = { assignmentId: input.id, stepKey: input.stepKey, verb }
    if (!(await takeStepKey(trx, step, caller.actor.userId))) {
      await audit(trx, caller, { verb, before: locked.assignment, after: locked.assignment })
      return toAssignmentRow(trx, locked.assignment)
    }
    rejectStep(locked.assignment, verb, stepper)
    const after = await applyStep(trx, locked, { verb, input, ...stepper })
    await audit(trx, caller, { verb, before: locked.assignment, after })
    return toAssignmentRow(trx, after)
  })
