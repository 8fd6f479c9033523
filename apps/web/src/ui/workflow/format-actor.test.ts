import { expect, it } from 'vitest'
import { formatActor } from './format-actor.ts'

it('shows the account beside the name of whoever acted, and no name for the system', () => {
  expect(formatActor({ actorName: '王丽', actorAccount: 'wang.li' })).toBe('王丽 (wang.li)')
  expect(formatActor({ actorName: '离职人员', actorAccount: null })).toBe('离职人员')
  expect(formatActor({ actorName: null, actorAccount: null })).toBeNull()
})
