import type { RecordState } from '@tocsin/contract/alarm/state-machine'
import type { AckStage } from '@tocsin/protocol/ack'
import type { LockedRecord, DeviceReceipt } from './pending-writes.ts'

export type RecordProgress = {
  state: RecordState
  claimedAt: Date | null
  dispatchedAt: Date | null
  onSiteAt: Date | null
}

/** A stage that reaches a device later than this would light it up for a case long over. */
const VALID_SEC = 3600

type Press = { deviceId: number; eventId: string }

/** What the device of a press is told of one stage of its record. */
export const buildStageReceipt = (
  { id, no }: LockedRecord,
  stage: AckStage,
  { deviceId, eventId }: Press,
): DeviceReceipt => ({
  deviceId,
  channel: 'ack',
  key: `${id}.${stage}`,
  payload: { eventId, stage, recordNo: no },
  seconds: VALID_SEC,
})

const cancels: readonly string[] = ['CANCEL', 'DURESS_CANCEL']

/**
 * A device whose last word was a cancel stays dark, whatever is done about its record: who was made to cancel must not be
 * betrayed by a light (domain, feature 9), and both cancels look the same.
 */
export const isSilencedByCancel = (code: string): boolean => cancels.includes(code)

/** How far a record is, in the words that a device understands (domain 3.2). */
export const toAckStage = ({ state, claimedAt, dispatchedAt, onSiteAt }: RecordProgress): AckStage => {
  if (state === 'NEW') return 'accepted'
  if (state === 'CLAIMED') return 'claimed'
  if (state === 'RESOLVED' || state === 'CLOSED') return 'closed'
  if (onSiteAt) return 'onsite'
  if (dispatchedAt) return 'dispatched'
  return claimedAt ? 'claimed' : 'accepted'
}
