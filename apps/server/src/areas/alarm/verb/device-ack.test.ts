import { expect, it } from 'vitest'
import { toAckStage } from './device-ack.ts'

const at = new Date(0)
const nothing = { claimedAt: null, dispatchedAt: null, onSiteAt: null }

it.each([
  ['NEW', { ...nothing, claimedAt: at }, 'accepted'],
  ['CLAIMED', { ...nothing, claimedAt: at }, 'claimed'],
  ['HANDLING', { ...nothing, claimedAt: at, dispatchedAt: at }, 'dispatched'],
  ['HANDLING', { claimedAt: at, dispatchedAt: at, onSiteAt: at }, 'onsite'],
  ['ESCALATED', nothing, 'accepted'],
  ['ESCALATED', { ...nothing, claimedAt: at }, 'claimed'],
  ['RESOLVED', { claimedAt: at, dispatchedAt: at, onSiteAt: at }, 'closed'],
  ['CLOSED', nothing, 'closed'],
] as const)('a device of a record in %s is told its stage', (state, reached, stage) => {
  expect(toAckStage({ state, ...reached })).toBe(stage)
})
