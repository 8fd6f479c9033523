import type { RecordState } from '@tocsin/contract/alarm/machine'
import {
  callSteps,
  cancelSteps,
  endTimers,
  planAutoClose,
  planCall,
  planLease,
  planOverdue,
  planRing,
  planStep,
  ringSteps,
  type Timed,
} from '#areas/alarm/step/timing'
import type { Db } from '#db/db'

type Moment = Timed & { state: RecordState; validation: number | null }

/** Validation 4 of ANSI/TMA AVS-01: a confirmed threat to life; it must reach the police at once (T3). */
export const THREAT_TO_LIFE = 4

/** Who has such a record in hand must call the police; one that nobody has waits for T1. */
export const planEscalation = async (trx: Db, record: Moment): Promise<void> => {
  const inHand = record.state === 'CLAIMED' || record.state === 'HANDLING'
  if (inHand && record.validation === THREAT_TO_LIFE) await planCall(trx, record)
}

/** Steps whose time has passed with the change of state; undefined: all of them. */
const overWith = (before: Moment, after: Moment): string[] | undefined =>
  after.state === 'RESOLVED' || after.state === 'CLOSED'
    ? undefined
    : [
        ...(before.state === 'NEW' ? ringSteps : []),
        ...(before.state === 'CLAIMED' ? ['LEASE', 'T2'] : []),
        ...(after.state === 'ESCALATED' ? callSteps : []),
      ]

const begin = async (trx: Db, record: Moment): Promise<void> => {
  if (record.state === 'NEW') await planRing(trx, record)
  if (record.state === 'CLAIMED') {
    await planLease(trx, record)
    await planStep(trx, record, 'T2')
  }
  if (record.state === 'RESOLVED') await planAutoClose(trx, record)
}

/** What a change of state means for the planned steps (domain 2.8): one place for every road into and out of a state. */
export const settleTimers = async (trx: Db, before: Moment, after: Moment): Promise<void> => {
  if (after.epoch !== before.epoch) {
    // A stale step of the earlier run would end the reopened case (invariant 9).
    await endTimers(trx, before.id)
    await planOverdue(trx, after)
  }
  if (after.state === before.state) return
  const over = overWith(before, after)
  if (!over) await endTimers(trx, before.id)
  else if (over.length > 0) await cancelSteps(trx, before.id, ...over)
  await begin(trx, after)
  if (before.state === 'NEW') await planEscalation(trx, after)
}
