import { NOTIFICATION_TIMER } from '#areas/alarm/timer/schedule-timers'
import type { LockedRecord, VerbContext } from '#areas/alarm/verb/verb-context'
import { cancelDeliveries } from '#areas/notify/plan'
import { cancelTimers } from '#timer/timer'

/** Ended records notify nobody. */
const hasEnded = ({ state }: Pick<LockedRecord, 'state'>): boolean => state === 'RESOLVED' || state === 'CLOSED'

/**
 * Stops the escalation in the transaction of the verb that makes it needless: a claim or an end cancels all planned
 * messages about the record, and marks those of the acting user as answered.
 */
export const endNotifications = async ({ trx, record, by }: VerbContext, after: LockedRecord): Promise<void> => {
  const isTaken = record.state === 'NEW' && after.state !== 'NEW'
  const isOver = hasEnded(after) && !hasEnded(record)
  if (!isTaken && !isOver) return
  await cancelTimers(trx, { kind: NOTIFICATION_TIMER, subjectId: record.id })
  const repliedBy = by === 'system' ? {} : { repliedBy: by.userId }
  await cancelDeliveries(trx, { type: 'RECORD', id: record.id }, isOver ? 'ENDED' : 'CLAIMED', repliedBy)
}
