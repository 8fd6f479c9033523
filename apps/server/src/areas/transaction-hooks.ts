import type { HookRegistration } from '#db/transaction-hook'
import { noticeJobFinished } from './notices/job-finished.ts'
import { notifyApprovers } from './notices/notify-approvers.ts'

/** What later areas do inside the transactions of earlier ones, in the server and in its worker. */
export const transactionHooks: readonly HookRegistration[] = [noticeJobFinished, notifyApprovers]
