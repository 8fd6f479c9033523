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

/** Validation 4 of ANSI/TMA AVS-01: a confirmed threat to life; it must reach the police at once (T3). */
export const THREAT_TO_LIFE = 4

/** Who has such a record in hand must call the police; one that nobody has waits for T1. */
export const scheduleEscalation = async (trx: Db, record: Moment): Promise<void> => {
  const inHand = record.state === 'CLAIMED' || record.state === 'HANDLING'
  if (inHand && record.validation === THREAT_TO_LIFE) await schedulePoliceReminder(trx, record)
}

/** Steps whose time has passed with the change of state; undefined: all of them. */
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

/** What a change of state means for the planned steps (domain 2.8): one place for every road into and out of a state. */
export const updateTimersForState = async (trx: Db, before: Moment, after: Moment): Promise<void> => {
  if (after.epoch !== before.epoch) {
    // A stale step of the earlier run would end the reopened case (invariant 9).
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
