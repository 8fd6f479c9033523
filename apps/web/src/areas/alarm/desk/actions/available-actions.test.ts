import { LEAD_PERMISSION, stateMachine, type Person } from '@tocsin/contract/alarm/state-machine'
import { codes } from '@tocsin/contract/codes'
import { describe, expect, it } from 'vitest'
import {
  isUnownedEscalation,
  mainVerb,
  actionState,
  type ActionSubject,
  actionStates,
  verbOrder,
} from './available-actions.ts'

const ME = 7
const record = (given: Partial<ActionSubject> = {}): ActionSubject => ({
  state: 'NEW',
  class: 'PANIC',
  level: 1,
  ownerId: null,
  falseBy: null,
  resolverId: null,
  validation: null,
  resetAt: null,
  shelvedUntil: null,
  ...given,
})
const operator: Person = { userId: ME, may: (permission) => permission !== LEAD_PERMISSION }
const lead: Person = { userId: ME, may: () => true }
const reader: Person = { userId: ME, may: (permission) => permission === 'warn:record:query' }

describe('the actions of the desk', () => {
  it('include every verb of users', () => {
    const persons = Object.entries(stateMachine).filter(([, rule]) => rule.who !== 'system')
    expect([...verbOrder].sort()).toEqual(persons.map(([verb]) => verb).sort())
  })

  it('start with the claim of a new record', () => {
    expect(actionStates(record(), operator)[0]).toEqual({ verb: 'claim', why: undefined })
  })

  it('show users with read access no disabled buttons', () => {
    expect(actionStates(record(), reader)).toEqual([])
    const onSite: Person = { userId: ME, may: (permission) => permission === 'warn:record:dispatch' }
    expect(actionStates(record(), onSite)).toEqual([{ verb: 'note', why: undefined }])
  })

  it("show why another user's record cannot be handled, instead of hiding the verb", () => {
    const theirs = record({ state: 'CLAIMED', ownerId: 8 })
    expect(actionState('verify', theirs, operator)).toBe(codes.notOwner)
    expect(actionState('claim', theirs, operator)).toBe('hidden')
  })

  it('require the verification before the end of a claimed record', () => {
    const mine = record({ state: 'CLAIMED', ownerId: ME, resetAt: new Date(0) })
    expect(actionState('resolve', mine, operator)).toBe(codes.notVerified)
    expect(actionState('resolve', { ...mine, validation: 2 }, operator)).toBe('free')
  })

  it('require the reset of a panic device, or a lead', () => {
    const mine = record({ state: 'HANDLING', ownerId: ME })
    expect(actionState('resolve', mine, operator)).toBe(codes.needsReset)
    expect(actionState('resolve', mine, lead)).toBe('free')
    expect(actionState('resolve', { ...mine, class: 'FIRE' }, operator)).toBe('free')
  })

  it('require another person for the review', () => {
    const proposed = record({ state: 'CLAIMED', ownerId: ME, falseBy: ME })
    expect(actionState('confirmFalse', proposed, operator)).toBe(codes.secondPerson)
    expect(actionState('confirmFalse', { ...proposed, falseBy: 8 }, operator)).toBe('free')
    expect(actionState('false', proposed, operator)).toBe('hidden')
  })

  it('shelve and unshelve, but never a panic alarm', () => {
    const fault = record({ class: 'DEVICE_HEALTH', level: 4 })
    expect(actionState('shelve', fault, lead)).toBe('free')
    expect(actionState('unshelve', fault, lead)).toBe('hidden')
    expect(actionState('unshelve', { ...fault, shelvedUntil: new Date(0) }, lead)).toBe('free')
    expect(actionState('shelve', record(), lead)).toBe('hidden')
  })

  it('allow claiming a record that the system escalated', () => {
    const orphan = record({ state: 'ESCALATED' })
    expect(isUnownedEscalation(orphan)).toBe(true)
    expect(actionState('take', orphan, operator)).toBe('free')
    expect(actionState('take', { ...orphan, ownerId: 8 }, operator)).toBe('hidden')
    expect(isUnownedEscalation({ ...orphan, ownerId: 8 })).toBe(false)
  })

  it('highlight the next step of the work', () => {
    const next = (given: Partial<ActionSubject & { onSiteAt: Date | null }>) => {
      const value = { onSiteAt: null, ...record({ ownerId: ME, ...given }) }
      return mainVerb({ ...value, ...given }, actionStates(value, lead))
    }
    expect(next({ state: 'NEW', ownerId: null })).toBe('claim')
    expect(next({ state: 'CLAIMED' })).toBe('verify')
    expect(next({ state: 'CLAIMED', validation: 4 })).toBe('escalate')
    expect(next({ state: 'CLAIMED', validation: 1 })).toBe('dispatch')
    expect(next({ state: 'HANDLING' })).toBe('arrive')
    expect(next({ state: 'HANDLING', onSiteAt: new Date(0) })).toBe('resolve')
    expect(next({ state: 'RESOLVED', resolverId: ME })).toBeUndefined()
  })
})
