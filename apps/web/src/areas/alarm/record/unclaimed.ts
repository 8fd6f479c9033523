import type { WarnRecordRow } from '@tocsin/contract/alarm/record'

/** Unowned, or no longer owned: a desk may still sound it. */
export const isUnclaimed = ({ open, ownerId }: Pick<WarnRecordRow, 'open' | 'ownerId'>): boolean =>
  open && ownerId === null

/** For a record without sound: whether somebody claimed it anyway. A self-ended record was never claimed. */
export const wasClaimedUnsounded = (record: Pick<WarnRecordRow, 'open' | 'ownerId' | 'claimedAt'>): boolean =>
  record.claimedAt !== null && !isUnclaimed(record)
