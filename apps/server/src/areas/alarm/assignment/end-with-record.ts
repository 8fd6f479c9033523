import { alarmHooks } from '#areas/alarm/alarm-hooks'
import { addHook } from '#db/transaction-hook'
import { endAssignmentsOfRecord } from './create-assignments.ts'

/** Recalls the assignees who are still on the way to an ended alarm. */
export const endAssignmentsWithRecord = addHook(alarmHooks.resolved, (trx, { recordId }) =>
  endAssignmentsOfRecord(trx, recordId),
)
