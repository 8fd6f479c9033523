import { expect, it } from 'vitest'
import { chosenIncident } from './use-chosen.ts'

const queue = [{ id: 28 }, { id: 31 }]
const chosenAt = (search: string, list = queue) => chosenIncident(new URLSearchParams(search), list)

it('chooses the incident of the address when a more urgent one leads the queue', () => {
  expect(chosenAt('?id=31')).toBe(31)
  expect(chosenAt('?id=31', [{ id: 40 }, ...queue])).toBe(31)
})

it('keeps the incident of the address when it has left the queue', () => {
  expect(chosenAt('?id=31', [{ id: 28 }])).toBe(31)
  expect(chosenAt('?id=31', [])).toBe(31)
})

it('chooses the first of the queue when the address names none', () => {
  for (const search of ['', '?id=', '?id=x', '?id=0', '?id=-3']) expect(chosenAt(search)).toBe(28)
  expect(chosenAt('', [])).toBeUndefined()
})
