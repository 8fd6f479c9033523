import { LEAD, machine, type Person } from '@tocsin/contract/alarm/machine'
import { codes } from '@tocsin/contract/codes'
import { describe, expect, it } from 'vitest'
import { isOrphan, mainVerb, offer, type Offered, offers, verbOrder } from './offer.ts'

const ME = 7
const record = (given: Partial<Offered> = {}): Offered => ({
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
const operator: Person = { userId: ME, may: (permission) => permission !== LEAD }
const lead: Person = { userId: ME, may: () => true }
const reader: Person = { userId: ME, may: (permission) => permission === 'warn:record:query' }

describe('what the desk offers', () => {
  it('knows every verb of a person', () => {
    const persons = Object.entries(machine).filter(([, rule]) => rule.who !== 'system')
    expect([...verbOrder].sort()).toEqual(persons.map(([verb]) => verb).sort())
  })

  it('begins with the claim of a new record', () => {
    expect(offers(record(), operator)[0]).toEqual({ verb: 'claim', why: undefined })
  })

  it('shows to those who may only read what they may do, and no dead button', () => {
    expect(offers(record(), reader)).toEqual([])
    const onSite: Person = { userId: ME, may: (permission) => permission === 'warn:record:dispatch' }
    expect(offers(record(), onSite)).toEqual([{ verb: 'note', why: undefined }])
  })

  it("says why another person's record cannot be handled, instead of hiding it", () => {
    const theirs = record({ state: 'CLAIMED', ownerId: 8 })
    expect(offer('verify', theirs, operator)).toBe(codes.notOwner)
    expect(offer('claim', theirs, operator)).toBe('hidden')
  })

  it('wants the verification before the end of a claimed record', () => {
    const mine = record({ state: 'CLAIMED', ownerId: ME, resetAt: new Date(0) })
    expect(offer('resolve', mine, operator)).toBe(codes.notVerified)
    expect(offer('resolve', { ...mine, validation: 2 }, operator)).toBe('free')
  })

  it('wants the reset of a panic device, or a lead', () => {
    const mine = record({ state: 'HANDLING', ownerId: ME })
    expect(offer('resolve', mine, operator)).toBe(codes.needsReset)
    expect(offer('resolve', mine, lead)).toBe('free')
    expect(offer('resolve', { ...mine, class: 'FIRE' }, operator)).toBe('free')
  })

  it('keeps the second look for another person', () => {
    const proposed = record({ state: 'CLAIMED', ownerId: ME, falseBy: ME })
    expect(offer('confirmFalse', proposed, operator)).toBe(codes.secondPerson)
    expect(offer('confirmFalse', { ...proposed, falseBy: 8 }, operator)).toBe('free')
    expect(offer('false', proposed, operator)).toBe('hidden')
  })

  it('shelves and takes back, never a panic alarm', () => {
    const fault = record({ class: 'DEVICE_HEALTH', level: 4 })
    expect(offer('shelve', fault, lead)).toBe('free')
    expect(offer('unshelve', fault, lead)).toBe('hidden')
    expect(offer('unshelve', { ...fault, shelvedUntil: new Date(0) }, lead)).toBe('free')
    expect(offer('shelve', record(), lead)).toBe('hidden')
  })

  it('lets somebody take a record that the system escalated', () => {
    const orphan = record({ state: 'ESCALATED' })
    expect(isOrphan(orphan)).toBe(true)
    expect(offer('take', orphan, operator)).toBe('free')
    expect(offer('take', { ...orphan, ownerId: 8 }, operator)).toBe('hidden')
    expect(isOrphan({ ...orphan, ownerId: 8 })).toBe(false)
  })

  it('leads to the next step of the work', () => {
    const next = (given: Partial<Offered & { onSiteAt: Date | null }>) => {
      const one = { onSiteAt: null, ...record({ ownerId: ME, ...given }) }
      return mainVerb({ ...one, ...given }, offers(one, lead))
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
