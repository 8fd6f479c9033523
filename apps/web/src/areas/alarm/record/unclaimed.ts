import type { WarnRecordRow } from '@tocsin/contract/alarm/record'

/** Nobody has it yet, or any more: a desk may still sound it. */
export const isUnclaimed = ({ open, ownerId }: Pick<WarnRecordRow, 'open' | 'ownerId'>): boolean =>
  open && ownerId === null

/** Where no desk sounded it: whether somebody took it up without the tone. What ended by itself nobody took up. */
export const wasClaimedUnsounded = (record: Pick<WarnRecordRow, 'open' | 'ownerId' | 'claimedAt'>): boolean =>
  record.claimedAt !== null && !isUnclaimed(record)
