import { expect, it } from 'vitest'
import { createFirstChoice } from './selected-record.ts'

it('gives the first alarm when the desk started with an empty queue', () => {
  const choose = createFirstChoice()
  expect(choose(undefined, undefined)).toBeUndefined()
  expect(choose(7, undefined)).toBe(7)
  // Closed by the user since: it stays closed.
  expect(choose(8, undefined)).toBeUndefined()
})

it('leaves the alarm that a link has opened', () => {
  const choose = createFirstChoice()
  expect(choose(7, 3)).toBeUndefined()
  expect(choose(7, undefined)).toBeUndefined()
})
