import type { WarnRecordRow } from '@tocsin/contract/alarm/record'

/** Nobody has it yet, or any more: a desk may still sound it. */
export const waits = ({ open, ownerId }: Pick<WarnRecordRow, 'open' | 'ownerId'>): boolean => open && ownerId === null
