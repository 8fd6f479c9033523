import { expect, it } from 'vitest'
import { takenUnsounded, waits } from './waits.ts'

it('what nobody has is waiting, the one that the system escalated too, and what ended is not', () => {
  expect(waits({ open: true, ownerId: null })).toBe(true)
  expect(waits({ open: true, ownerId: 7 })).toBe(false)
  expect(waits({ open: false, ownerId: null })).toBe(false)
})

it('what somebody took was taken up without the tone only where somebody took it up', () => {
  const claimedAt = new Date()
  expect(takenUnsounded({ open: true, ownerId: 7, claimedAt })).toBe(true)
  expect(takenUnsounded({ open: false, ownerId: 7, claimedAt })).toBe(true)
  expect(takenUnsounded({ open: true, ownerId: null, claimedAt })).toBe(false)
  expect(takenUnsounded({ open: false, ownerId: null, claimedAt: null })).toBe(false)
})
