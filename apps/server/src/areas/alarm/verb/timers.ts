import type { RecordState } from '@tocsin/contract/alarm/state-machine'
import {
  policeReminderSteps,
  cancelSteps,
  cancelAllTimers,
  scheduleAutoClose,
  schedulePoliceReminder,
  scheduleLeaseExpiry,
  scheduleOverdue,
  scheduleClaimReminder,
  scheduleStep,
  claimReminderSteps,
  type TimedRecord,
} from '#areas/alarm/timer/schedule-timers'
import type { Db } from '#db/db'

type Moment = TimedRecord & { state: RecordState; validation: number | null }

/** Validation 4 of ANSI/TMA AVS-01: a confirmed threat to life, which must reach the police at once (T3). */
export const THREAT_TO_LIFE = 4

/** The owner of such a record must call the police. An unclaimed one waits for T1. */
export const scheduleEscalation = async (trx: Db, record: Moment): Promise<void> => {
  const inHand = record.state === 'CLAIMED' || record.state === 'HANDLING'
  if (inHand && record.validation === THREAT_TO_LIFE) await schedulePoliceReminder(trx, record)
}

/** Steps to cancel at the change of state; undefined: all of them. */
const overWith = (before: Moment, after: Moment): string[] | undefined =>
  after.state === 'RESOLVED' || after.state === 'CLOSED'
    ? undefined
    : [
        ...(before.state === 'NEW' ? claimReminderSteps : []),
        ...(before.state === 'CLAIMED' ? ['LEASE', 'T2'] : []),
        ...(after.state === 'ESCALATED' ? policeReminderSteps : []),
      ]

const begin = async (trx: Db, record: Moment): Promise<void> => {
  if (record.state === 'NEW') await scheduleClaimReminder(trx, record)
  if (record.state === 'CLAIMED') {
    await scheduleLeaseExpiry(trx, record)
    await scheduleStep(trx, record, 'T2')
  }
  if (record.state === 'RESOLVED') await scheduleAutoClose(trx, record)
}

/** Changes the pending steps at a change of state (domain 2.8). Every verb uses this function. */
export const updateTimersForState = async (trx: Db, before: Moment, after: Moment): Promise<void> => {
  if (after.epoch !== before.epoch) {
    // A stale step of the earlier epoch would end the reopened record (invariant 9).
    await cancelAllTimers(trx, before.id)
    await scheduleOverdue(trx, after)
  }
  if (after.state === before.state) return
  const over = overWith(before, after)
  if (!over) await cancelAllTimers(trx, before.id)
  else if (over.length > 0) await cancelSteps(trx, before.id, ...over)
  await begin(trx, after)
  if (before.state === 'NEW') await scheduleEscalation(trx, after)
}
