import { expect, it } from 'vitest'
import { waits } from './waits.ts'

it('what nobody has is waiting, the one that the system escalated too, and what ended is not', () => {
  expect(waits({ open: true, ownerId: null })).toBe(true)
  expect(waits({ open: true, ownerId: 7 })).toBe(false)
  expect(waits({ open: false, ownerId: null })).toBe(false)
})
