import { openStates, whyNotAllowed } from '@tocsin/contract/alarm/state-machine'
import { expect, it } from 'vitest'
import { claimVerb } from './claim-verb.ts'

it('offers the verb that the state machine allows for an alarm without an owner', () => {
  const person = { userId: 1, may: (permission: string) => permission === 'warn:record:claim' }
  const subject = { class: 'PANIC', level: 1, ownerId: null, falseBy: null, resolverId: null } as const
  for (const state of openStates) {
    const allowed = (['claim', 'take'] as const).find((verb) => !whyNotAllowed(verb, { ...subject, state }, person))
    expect(claimVerb(state), state).toBe(allowed)
  }
  expect(claimVerb('ESCALATED')).toBe('take')
})
