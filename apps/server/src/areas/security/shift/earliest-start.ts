import { MAX_SHIFT_HOURS } from '@tocsin/contract/security/shift'

const HOUR_MS = 3_600_000

/** No shift that lasts until an instant begins before this: the bound lets an index skip all earlier shifts. */
export const earliestStart = (until: Date): Date => new Date(until.getTime() - (MAX_SHIFT_HOURS + 1) * HOUR_MS)
