import { expect, it } from 'vitest'
import {
  findReplayPeriod,
  findStateAt,
  listDeliveryEvents,
  listMilestones,
  listMoments,
  listSeatEvents,
  listSeatStates,
} from './replay-events.ts'

const at = (second: number) => new Date(second * 1000)
const message = { id: 1, recipientName: 'A', channel: 'SMS' as const, deliveredAt: null }
const entry = (no: number, second: number, toState: string | null) => ({ no, at: at(second), toState })
const detail = {
  record: { firstAt: at(10), state: 'CLOSED' },
  log: [entry(3, 40, 'CLOSED'), entry(1, 10, 'NEW'), entry(2, 20, 'CLAIMED')],
  sightings: [],
} as unknown as Parameters<typeof listMoments>[0]['detail']
const seats = [
  { userId: 1, userName: 'Li', sessionId: 7, displayedAt: at(13), soundedAt: at(14) },
  { userId: 2, userName: 'Wang', sessionId: 8, displayedAt: null, soundedAt: at(100) },
]

it('lists the steps of messages in the order of time and leaves out those that did not happen', () => {
  const events = listDeliveryEvents([{ ...message, sentAt: at(12), readAt: at(15) }])
  expect(events.map(({ step }) => step)).toEqual(['sentAt', 'readAt'])
})

it('spans the report, the log, messages and tracks', () => {
  const messages = listDeliveryEvents([{ ...message, sentAt: at(12), readAt: at(90) }])
  expect(findReplayPeriod({ detail, messages, tracks: [] })).toEqual({ from: 10_000, to: 90_000 })
})

it('takes the state of the last change until the moment', () => {
  expect([10, 25, 60].map((second) => findStateAt(detail, second * 1000))).toEqual(['NEW', 'CLAIMED', 'CLOSED'])
})

it('marks each moment once: entries, messages, and the milestones in the order of time', () => {
  const record = { ...detail.record, closedAt: at(40), claimedAt: at(20), displayedAt: at(12), verifiedAt: null }
  expect(listMilestones(record)).toEqual([
    { name: 'firstAt', at: 10_000 },
    { name: 'displayedAt', at: 12_000 },
    { name: 'claimedAt', at: 20_000 },
    { name: 'closedAt', at: 40_000 },
  ])
  const messages = listDeliveryEvents([{ ...message, sentAt: at(12), readAt: at(15) }])
  expect(listMoments({ detail: { ...detail, record }, messages })).toEqual([10_000, 12_000, 15_000, 20_000, 40_000])
})

it('has when each seat displayed and sounded the alarm', () => {
  const seen = { ...detail, sightings: seats }
  expect(listSeatEvents(seats).map(({ userName, step, at: when }) => [userName, step, Number(when)])).toEqual([
    ['Li', 'displayedAt', 13_000],
    ['Li', 'soundedAt', 14_000],
    ['Wang', 'soundedAt', 100_000],
  ])
  expect(findReplayPeriod({ detail: seen, messages: [], tracks: [] })).toEqual({ from: 10_000, to: 100_000 })
  expect(listMoments({ detail: seen, messages: [] })).toEqual([10_000, 13_000, 14_000, 20_000, 40_000, 100_000])
  expect(listSeatStates(seats, 13_000)).toEqual([
    { sessionId: 7, userName: 'Li', isDisplayed: true, isSounded: false },
    { sessionId: 8, userName: 'Wang', isDisplayed: false, isSounded: false },
  ])
})
