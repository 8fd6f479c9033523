import { activeAssignmentStates, openAssignmentStates, RECEIPT_SEC } from '@tocsin/contract/alarm/assignment-machine'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { fieldError } from '#areas/audit/edit-transaction'
import type { LockedRecord } from '#areas/alarm/verb/verb-context'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { runHooks } from '#db/transaction-hook'
import { cancelTimers, scheduleTimer } from '#timer/timer'
import { assignmentChanged } from './assignment-hooks.ts'
import { loadResponders } from './responders.ts'

/** Timer kind of assignments; the subject is the id. */
export const ASSIGNMENT_TIMER = 'assignment'
export type AssignmentDraft = Pick<Row<'assignment'>, 'recordId' | 'schoolId' | 'deptId' | 'responderName'> &
  Partial<Pick<Row<'assignment'>, 'situationId' | 'unitId' | 'responderUserId' | 'byUserId' | 'note'>>

const membersOf = async (trx: Db, unitId: number | null): Promise<number[]> => {
  if (unitId === null) return []
  const members = await trx.selectFrom('policeUnitMember').select('userId').where('unitId', '=', unitId).execute()
  return members.map(({ userId }) => userId)
}

/** Notifies the pages of the responder, of the members of the unit, and of all users who see it. */
export const emitAssignment = async (trx: Db, assignment: Row<'assignment'>): Promise<void> => {
  const { id, schoolId, deptId, responderUserId, unitId } = assignment
  const event = { type: 'assignment.changed', ref: id } as const
  const members = await membersOf(trx, unitId)
  await emitEvents(
    trx,
    { ...event, schoolId, deptId, userId: responderUserId },
    ...members.map((userId) => ({ ...event, userId })),
  )
}

/**
 * Creates an assignment: row, timer of the receipt, event and hook in the caller's transaction, which holds the lock of
 * the subject. The caller writes the log of the subject.
 */
export const createAssignment = async (trx: Db, draft: AssignmentDraft): Promise<Row<'assignment'>> => {
  const assignment = await unscoped(trx, 'its subject was locked in the sight of the caller')
    .insertInto('assignment')
    .values(draft)
    .returningAll()
    .executeTakeFirstOrThrow()
  const key = { kind: ASSIGNMENT_TIMER, subjectId: assignment.id, step: 'RECEIPT', epoch: 1 }
  await scheduleTimer(trx, key, RECEIPT_SEC)
  await emitAssignment(trx, assignment)
  await runHooks(trx, assignmentChanged, { assignment, before: null, verb: 'assign', userId: draft.byUserId ?? null })
  return assignment
}

const activeOf = (trx: Db, recordId: number) =>
  unscoped(trx, 'the record was locked by the caller')
    .selectFrom('assignment')
    .selectAll()
    .where('recordId', '=', recordId)
    .where('state', 'in', activeAssignmentStates)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

type AssignmentEnd = { endedAt: Date; state: 'CLEARED' | 'RECALLED'; verb: 'end' | 'withdraw'; userId: number | null }

const writeEnd = async (
  trx: Db,
  before: Row<'assignment'>,
  { endedAt, state, verb, userId }: AssignmentEnd,
): Promise<void> => {
  const assignment = await unscoped(trx, 'locked above')
    .updateTable('assignment')
    .set({
      state,
      endedAt,
      version: before.version + 1,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await cancelTimers(trx, { kind: ASSIGNMENT_TIMER, subjectId: before.id })
  await emitAssignment(trx, assignment)
  await runHooks(trx, assignmentChanged, { assignment, before: before.state, verb, userId })
}

/** Ends an assignment without the responder: the subject is over, or the same responder is sent again. */
export const endAssignment = (trx: Db, before: Row<'assignment'>, endedAt: Date): Promise<void> =>
  writeEnd(trx, before, {
    endedAt,
    state: before.state === 'ON_SCENE' ? 'CLEARED' : 'RECALLED',
    verb: 'end',
    userId: null,
  })

/** A person recalls a unit from an incident that goes on: others may have to be sent. */
export const withdrawAssignment = (
  trx: Db,
  before: Row<'assignment'>,
  { endedAt, userId }: Pick<AssignmentEnd, 'endedAt' | 'userId'>,
): Promise<void> => writeEnd(trx, before, { endedAt, state: 'RECALLED', verb: 'withdraw', userId })

/** Ends the open assignments of a record that ended; its own log has the reason. */
export const endAssignmentsOfRecord = async (trx: Db, recordId: number): Promise<void> => {
  const endedAt = new Date()
  for (const item of await activeOf(trx, recordId)) await endAssignment(trx, item, endedAt)
}

type Send = { byUserId: number; responderIds: readonly number[]; note: string | null; now: Date }

/**
 * Sends people of the school to a locked record. An active assignment stays; a timed-out one is replaced.
 * @returns their names, for the log of the record
 */
export const sendResponders = async (trx: Db, record: LockedRecord, send: Send): Promise<string[]> => {
  const known = new Map((await loadResponders(trx, record.id)).map((responder) => [responder.id, responder.name]))
  const ids = [...new Set(send.responderIds)]
  if (!ids.every((id) => known.has(id))) throw fieldError(warnRecords.dispatch.body, 'responderIds', 'choice')
  const active = new Map((await activeOf(trx, record.id)).map((item) => [item.responderUserId, item]))
  for (const id of ids) {
    const earlier = active.get(id)
    if (earlier && openAssignmentStates.some((state) => state === earlier.state)) continue
    if (earlier) await endAssignment(trx, earlier, send.now)
    await createAssignment(trx, {
      recordId: record.id,
      schoolId: record.schoolId,
      deptId: record.deptId,
      responderUserId: id,
      responderName: known.get(id) ?? '',
      byUserId: send.byUserId,
      note: send.note,
    })
  }
  return ids.map((id) => known.get(id) ?? '')
}
