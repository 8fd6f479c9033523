import type { AssignmentState, AssignmentVerb } from '@tocsin/contract/alarm/assignment-machine'
import type { Row } from '#db/tables'
import { defineHook } from '#db/transaction-hook'
import type { Actor } from '#http/route'

export type AssignmentChange = {
  assignment: Row<'assignment'>
  /** Null: it was just created. */
  before: AssignmentState | null
  /** `withdraw`: the desk of an incident recalls a unit; its timeline has an entry of the desk. */
  verb: AssignmentVerb | 'assign' | 'noReceipt' | 'unanswered' | 'end' | 'withdraw'
  /** The acting user; null: the system. */
  userId: number | null
  /** The responder's note, for the timeline of the subject. */
  said?: { actor: Actor; note: string | null; fileIds: readonly number[] }
}

/** An assignment was created, advanced, or ended; in the transaction that wrote it, under the lock of its subject. */
export const assignmentChanged = defineHook<AssignmentChange>('alarm.assignmentChanged')
