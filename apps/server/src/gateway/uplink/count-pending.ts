import { metrics } from '#metrics'
import type { PendingBudget } from './pending-budget.ts'
import { QueueFullError } from './retry-queue.ts'
import type { UplinkHandler } from './uplink.ts'

/** Counts each message from its arrival until its commit. */
export const countPending =
  (uplink: UplinkHandler, budget: PendingBudget): UplinkHandler =>
  (sender, channel, bytes) =>
    uplink(sender, channel, bytes)?.finally(budget.add(sender.device, bytes.length))

/** The same where nothing can be left unread, as over HTTP: the device is told to come again. */
export const limitPending = (uplink: UplinkHandler, budget: PendingBudget): UplinkHandler => {
  const counted = countPending(uplink, budget)
  return (sender, channel, bytes) => {
    if (budget.canRead(sender.device)) return counted(sender, channel, bytes)
    metrics.notTaken.inc()
    throw new QueueFullError('too many messages wait for the database')
  }
}
