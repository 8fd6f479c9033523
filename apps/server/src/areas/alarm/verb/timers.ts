import type { RecordState } from '@tocsin/contract/alarm/machine'
import {
  cancelSteps,
  endTimers,
  planAutoClose,
  planLease,
  planOverdue,
  planRing,
  planStep,
  ringSteps,
  type Timed,
} from '#areas/alarm/step/timing'
import type { Db } from '#db/db'

type Moment = Timed & { state: RecordState }

const left = async (trx: Db, { id, state }: Moment): Promise<void> => {
  if (state === 'NEW') await cancelSteps(trx, id, ...ringSteps)
  if (state === 'CLAIMED') await cancelSteps(trx, id, 'LEASE', 'T2')
}

const entered = async (trx: Db, record: Moment): Promise<void> => {
  if (record.state === 'NEW') await planRing(trx, record)
  if (record.state === 'CLAIMED') {
    await planLease(trx, record)
    await planStep(trx, record, 'T2')
  }
  if (record.state === 'ESCALATED') await cancelSteps(trx, record.id, 'T3')
  if (record.state === 'RESOLVED' || record.state === 'CLOSED') await endTimers(trx, record.id)
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
  await left(trx, before)
  await entered(trx, after)
}
