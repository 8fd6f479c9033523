import { followLevel } from '#areas/alarm/checklist/response-run'
import type { LogEntry } from '#areas/alarm/record-log'
import { cancelSteps, scheduleOverdue, scheduleClaimReminder } from '#areas/alarm/timer/schedule-timers'
import type { LockedRecord, VerbContext } from './verb-context.ts'
import { scheduleEscalation, THREAT_TO_LIFE } from './timers.ts'
import { applyOutcome, clearedProposal } from './execute-verb.ts'

export const levelChangeEntry = (from: number, to: number): LogEntry => ({
  kind: 'SIGNAL',
  verb: 'raiseLevel',
  actor: 'system',
  payload: { from, to },
})

/**
 * New presses revoke the proposal of a false alarm: the second person would confirm something the first had not seen.
 */
const withdrawFalse = (context: VerbContext): Promise<LockedRecord> => {
  const { disposition, falseBy: proposedBy } = context.record
  return applyOutcome(context, 'refuseFalse', { set: clearedProposal, payload: { disposition, proposedBy } })
}

/** A record that became more urgent is unshelved: nobody decided to shelve the new urgency. */
const offShelf = async (context: VerbContext): Promise<LockedRecord> => {
  await cancelSteps(context.trx, context.record.id, 'UNSHELVE')
  return applyOutcome(context, 'unshelve', { set: { shelvedUntil: null } })
}

type Urgency = Pick<LockedRecord, 'level' | 'validation' | 'late'>

const becameGrave = (before: Urgency, after: Urgency): boolean =>
  after.validation === THREAT_TO_LIFE && before.validation !== THREAT_TO_LIFE

/** The higher of two validations; null is the lowest. */
export const maxValidation = (a: number | null, b: number | null): number | null =>
  a === null || (b ?? -1) > a ? b : a

/** Whether a record is louder than before: by its level, by a threat to life, or because it is no longer late. */
export const isMoreUrgent = (before: Urgency, after: Urgency): boolean =>
  after.level < before.level || becameGrave(before, after) || (before.late && !after.late)

/**
 * Applies a rise in urgency to an open record: decisions about the less urgent state are revoked, timers restart, and the
 * response plan is chosen again.
 * The row of the context already has its new columns and log.
 */
export const applyUrgencyChange = async (context: VerbContext, before: Urgency): Promise<LockedRecord> => {
  let { record } = context
  if (record.falseBy !== null) record = await withdrawFalse(context)
  if (!isMoreUrgent(before, record)) return record
  if (record.level < before.level) await followLevel(context.trx, record)
  if (becameGrave(before, record)) await scheduleEscalation(context.trx, record)
  if (record.shelvedUntil !== null) record = await offShelf({ ...context, record })
  if (record.state === 'NEW') await scheduleClaimReminder(context.trx, record)
  await scheduleOverdue(context.trx, record)
  return record
}
