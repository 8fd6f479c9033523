import { expect, it } from 'vitest'
import { wasClaimedUnsounded, isUnclaimed } from './unclaimed.ts'

it('treats unowned and system-escalated records as waiting, and ended ones not', () => {
  expect(isUnclaimed({ open: true, ownerId: null })).toBe(true)
  expect(isUnclaimed({ open: true, ownerId: 7 })).toBe(false)
  expect(isUnclaimed({ open: false, ownerId: null })).toBe(false)
})

it('reports a claim without sound only when somebody claimed', () => {
  const claimedAt = new Date()
  expect(wasClaimedUnsounded({ open: true, ownerId: 7, claimedAt })).toBe(true)
  expect(wasClaimedUnsounded({ open: false, ownerId: 7, claimedAt })).toBe(true)
  expect(wasClaimedUnsounded({ open: true, ownerId: null, claimedAt })).toBe(false)
  expect(wasClaimedUnsounded({ open: false, ownerId: null, claimedAt: null })).toBe(false)
})
