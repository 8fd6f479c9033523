import type { HookRegistration } from '#db/transaction-hook'
import { endAssignmentsWithRecord } from './alarm/assignment/end-with-record.ts'
import {
  endExpectedPressesOfTest,
  endExpectedPressOfAcceptance,
  endExpectedPressOfPeriod,
} from './alarm/end-expected-presses.ts'
import { endHealthRecords } from './alarm/end-health-records.ts'
import { tellResponders } from './alarm/notification/assignment-deliveries.ts'
import { noticeJobFinished } from './notices/job-finished.ts'
import { notifyApprovers } from './notices/notify-approvers.ts'
import { queueExchangeMessages } from './police/exchange/outgoing.ts'
import { tellStation } from './police/notification/tell-station.ts'
import { createFromAlarm, noteAlarmEnd } from './police/situation/create.ts'
import { followUnits } from './police/situation/unit-steps.ts'
import { superviseOverdueAlarm } from './supervise/automatic-orders.ts'

/** Handlers of later areas in the transactions of earlier ones, in the server and in its worker. */
export const transactionHooks: readonly HookRegistration[] = [
  noticeJobFinished,
  notifyApprovers,
  endAssignmentsWithRecord,
  endExpectedPressesOfTest,
  endExpectedPressOfAcceptance,
  endExpectedPressOfPeriod,
  endHealthRecords,
  tellResponders,
  createFromAlarm,
  noteAlarmEnd,
  followUnits,
  queueExchangeMessages,
  tellStation,
  superviseOverdueAlarm,
]
