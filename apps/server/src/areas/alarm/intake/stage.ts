import type { RecordState } from '@tocsin/contract/alarm/machine'
import type { AckStage } from '@tocsin/protocol/ack'

export type Reached = {
  state: RecordState
  claimedAt: Date | null
  dispatchedAt: Date | null
  onSiteAt: Date | null
}

/** What a device is told of one stage of one record, in the table of what waits for devices. */
export const stageKey = (recordId: number, stage: AckStage): string => `${recordId}.${stage}`

/** How far a record is, in the words that a device understands (domain 3.2). */
export const stageOf = ({ state, claimedAt, dispatchedAt, onSiteAt }: Reached): AckStage => {
  if (state === 'NEW') return 'accepted'
  if (state === 'CLAIMED') return 'claimed'
  if (state === 'RESOLVED' || state === 'CLOSED') return 'closed'
  if (onSiteAt) return 'onsite'
  if (dispatchedAt) return 'dispatched'
  return claimedAt ? 'claimed' : 'accepted'
}
