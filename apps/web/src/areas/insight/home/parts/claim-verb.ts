import type { RecordState } from '@tocsin/contract/alarm/state-machine'

/** The verb that makes the user the owner of an alarm without one: what the system escalated is taken over. */
export const claimVerb = (state: RecordState): 'claim' | 'take' | undefined => {
  if (state === 'NEW') return 'claim'
  return state === 'ESCALATED' ? 'take' : undefined
}
