import { metrics } from '#metrics'
import type { PendingBudget } from './pending-budget.ts'
import { QueueFullError } from './queue-full.ts'
import type { UplinkHandler } from './uplink.ts'

/** Counts each message from its arrival until its commit. */
export const countPending =
  (uplink: UplinkHandler, budget: PendingBudget): UplinkHandler =>
  (sender, channel, bytes) =>
    uplink(sender, channel, bytes)?.finally(budget.add(sender.device, bytes.length))

/** For HTTP and external brokers, which cannot leave a message unread: rejects it, and the device repeats it. */
export const limitPending = (uplink: UplinkHandler, budget: PendingBudget): UplinkHandler => {
  const counted = countPending(uplink, budget)
  return (sender, channel, bytes) => {
    if (budget.canRead(sender.device)) return counted(sender, channel, bytes)
    metrics.overloadRejections.inc()
    throw new QueueFullError('too many messages wait for the database')
  }
}
