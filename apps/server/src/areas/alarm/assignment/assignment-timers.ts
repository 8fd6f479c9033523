import { RECEIPT_SEC, TIME_OUT_SEC, UNANSWERED_SEC } from '@tocsin/contract/alarm/assignment-machine'
import { appendLog } from '#areas/alarm/record-log'
import { lockRecords } from '#areas/alarm/verb/verb-context'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { runHooks } from '#db/transaction-hook'
import type { TimerHandler } from '#timer/scheduler'
import { scheduleTimer, type TimerKey } from '#timer/timer'
import { lockAssignment } from './advance.ts'
import { assignmentChanged } from './assignment-hooks.ts'
import { ASSIGNMENT_TIMER, emitAssignment } from './create-assignments.ts'

const all = (trx: Db) => unscoped(trx, 'a timer acts for nobody in particular')

const timeOut = async (trx: Db, before: Row<'assignment'>): Promise<void> => {
  const assignment = await all(trx)
    .updateTable('assignment')
    .set({ state: 'TIMED_OUT', version: before.version + 1 })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emitAssignment(trx, assignment)
  await runHooks(trx, assignmentChanged, { assignment, before: before.state, verb: 'timeOut', userId: null })
}

const steps = {
  RECEIPT: { from: 'ASSIGNED', verb: 'noReceipt' },
  TIMEOUT: { from: 'ASSIGNED', verb: 'timeOut' },
  UNANSWERED: { from: 'TIMED_OUT', verb: 'unanswered' },
} as const
type Step = keyof typeof steps
const isStep = (step: string): step is Step => step in steps

/** Another assignee of the same alarm or incident has answered. */
const isAnswered = async (trx: Db, { recordId, situationId }: Row<'assignment'>): Promise<boolean> => {
  const other = await all(trx)
    .selectFrom('assignment')
    .select('id')
    .where((eb) => (recordId === null ? eb('situationId', '=', situationId) : eb('recordId', '=', recordId)))
    .where('state', 'in', ['RECEIVED', 'EN_ROUTE', 'ON_SCENE'])
    .executeTakeFirst()
  return other !== undefined
}

const act = async (trx: Db, assignment: Row<'assignment'>, step: Step): Promise<boolean> => {
  const next = (name: Step, seconds: number) =>
    scheduleTimer(trx, { kind: ASSIGNMENT_TIMER, subjectId: assignment.id, step: name, epoch: 1 }, seconds)
  if (step === 'TIMEOUT') {
    await timeOut(trx, assignment)
    await next('UNANSWERED', UNANSWERED_SEC - TIME_OUT_SEC)
    return true
  }
  if (step === 'UNANSWERED' && (await isAnswered(trx, assignment))) return false
  if (step === 'RECEIPT') await next('TIMEOUT', TIME_OUT_SEC - RECEIPT_SEC)
  await emitAssignment(trx, assignment)
  const { verb } = steps[step]
  await runHooks(trx, assignmentChanged, { assignment, before: assignment.state, verb, userId: null })
  return true
}

/**
 * Without a receipt after 30 s the leads are notified. After 60 s another person is suggested. After 120 s, when no
 * other assignee of the subject answered either, the last resort of the policy is notified.
 */
const execute = async (trx: Db, { subjectId, step }: TimerKey): Promise<void> => {
  const found = await all(trx)
    .selectFrom('assignment')
    .select('recordId')
    .where('id', '=', subjectId)
    .executeTakeFirst()
  if (!found || !isStep(step)) return
  const { assignment, context } = await lockAssignment(trx, subjectId, found.recordId)
  if (assignment.state !== steps[step].from || !(await act(trx, assignment, step)) || !context?.record.open) return
  const { id: ref, state, schoolId, deptId, shelvedUntil } = context.record
  await appendLog(context.all, ref, {
    kind: 'DELIVERY',
    verb: steps[step].verb,
    actor: 'system',
    from: state,
    to: state,
    payload: { responder: assignment.responderName },
  })
  await emitEvents(trx, { type: shelvedUntil === null ? 'alarm.again' : 'alarm.changed', ref, schoolId, deptId })
}

/** Locks records first, like the steps of users (decision 016). */
const lock: TimerHandler['lock'] = async (trx, ids, patient) => {
  const rows = await all(trx).selectFrom('assignment').select(['id', 'recordId']).where('id', 'in', ids).execute()
  const records = [...new Set(rows.flatMap(({ recordId }) => recordId ?? []))]
  const locked = new Set(records.length > 0 ? await lockRecords(trx, records, patient) : [])
  const ready = rows.filter(({ recordId }) => recordId === null || locked.has(recordId)).map(({ id }) => id)
  if (ready.length === 0) return []
  const taken = await all(trx)
    .selectFrom('assignment')
    .select('id')
    .where('id', 'in', ready)
    .orderBy('id')
    .forNoKeyUpdate()
    .$if(!patient, (q) => q.skipLocked())
    .execute()
  return taken.map(({ id }) => id)
}

export const assignmentTimerHandlers: Record<typeof ASSIGNMENT_TIMER, TimerHandler> = {
  [ASSIGNMENT_TIMER]: {
    most: 8,
    lock,
    execute: async (trx, keys) => {
      for (const key of keys) await execute(trx, key)
    },
  },
}
