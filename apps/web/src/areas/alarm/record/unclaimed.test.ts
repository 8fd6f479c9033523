import { expect, it } from 'vitest'
import { wasClaimedUnsounded, isUnclaimed } from './unclaimed.ts'

it('what nobody has is waiting, the one that the system escalated too, and what ended is not', () => {
  expect(isUnclaimed({ open: true, ownerId: null })).toBe(true)
  expect(isUnclaimed({ open: true, ownerId: 7 })).toBe(false)
  expect(isUnclaimed({ open: false, ownerId: null })).toBe(false)
})

it('what somebody took was taken up without the tone only where somebody took it up', () => {
  const claimedAt = new Date()
  expect(wasClaimedUnsounded({ open: true, ownerId: 7, claimedAt })).toBe(true)
  expect(wasClaimedUnsounded({ open: false, ownerId: 7, claimedAt })).toBe(true)
  expect(wasClaimedUnsounded({ open: true, ownerId: null, claimedAt })).toBe(false)
  expect(wasClaimedUnsounded({ open: false, ownerId: null, claimedAt: null })).toBe(false)
})
