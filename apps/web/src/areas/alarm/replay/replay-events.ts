import { type Milestone, milestones } from '@tocsin/contract/alarm/milestone'
import type { RecordDetail } from '@tocsin/contract/alarm/records'
import type { Track } from '@tocsin/contract/alarm/track'
import type { Delivery } from '@tocsin/contract/notify/delivery'
import { findPlaybackPeriod } from '../map/track-playback.ts'

/** The steps of a message that a replay shows. */
export const deliverySteps = ['sentAt', 'deliveredAt', 'readAt'] as const
export type DeliveryStep = (typeof deliverySteps)[number]
export type DeliveryEvent = {
  id: number
  step: DeliveryStep
  at: Date
  recipientName: string
  channel: Delivery['channel']
}

type Message = Pick<Delivery, 'id' | 'recipientName' | 'channel' | DeliveryStep>

/** What became of the messages, oldest first. */
export const listDeliveryEvents = (messages: readonly Message[]): DeliveryEvent[] =>
  messages
    .flatMap(({ id, recipientName, channel, ...times }) =>
      deliverySteps.flatMap((step) => {
        const at = times[step]
        return at ? [{ id, step, at, recipientName, channel }] : []
      }),
    )
    .toSorted((left, right) => left.at.getTime() - right.at.getTime())

type Sighting = RecordDetail['sightings'][number]
/** What a seat did with the alarm. */
export const seatSteps = ['displayedAt', 'soundedAt'] as const
export type SeatStep = (typeof seatSteps)[number]
export type SeatEvent = { sessionId: number; step: SeatStep; at: Date; userName: string }

/** When each seat displayed and sounded the alarm, oldest first. */
export const listSeatEvents = (sightings: readonly Sighting[]): SeatEvent[] =>
  sightings
    .flatMap(({ sessionId, userName, ...times }) =>
      seatSteps.flatMap((step) => {
        const at = times[step]
        return at ? [{ sessionId, step, at, userName }] : []
      }),
    )
    .toSorted((left, right) => left.at.getTime() - right.at.getTime())

export type SeatState = { sessionId: number; userName: string; isDisplayed: boolean; isSounded: boolean }

/** What each seat had done until a moment; seats that did nothing yet are part of it. */
export const listSeatStates = (sightings: readonly Sighting[], at: number): SeatState[] => {
  const isReached = (when: Date | null) => when !== null && when.getTime() <= at
  return sightings.map(({ sessionId, userName, displayedAt, soundedAt }) => {
    return { sessionId, userName, isDisplayed: isReached(displayedAt), isSounded: isReached(soundedAt) }
  })
}

type Sources = {
  detail: Pick<RecordDetail, 'record' | 'log' | 'sightings'>
  messages: readonly DeliveryEvent[]
  tracks: readonly Track[]
}

export type ReplayMilestone = { name: 'firstAt' | Milestone; at: number }

/** The milestones that were reached, in the order of time. */
export const listMilestones = (record: Sources['detail']['record']): ReplayMilestone[] =>
  (['firstAt', ...milestones] as const)
    .flatMap((name) => {
      const at = record[name]
      return at ? [{ name, at: at.getTime() }] : []
    })
    .toSorted((left, right) => left.at - right.at)

/** From the first report to the last thing that is known, in epoch ms. */
export const findReplayPeriod = ({ detail, messages, tracks }: Sources): { from: number; to: number } => {
  const { record, log, sightings } = detail
  const walked = findPlaybackPeriod(tracks)
  const happened = [...log, ...messages, ...listSeatEvents(sightings)].map(({ at }) => at.getTime())
  const times = [...listMilestones(record).map(({ at }) => at), ...happened]
  const all = walked ? [...times, walked.from, walked.to] : times
  return all.reduce(({ from, to }, at) => ({ from: Math.min(from, at), to: Math.max(to, at) }), {
    from: Infinity,
    to: -Infinity,
  })
}

/** The state of the record at a moment: that of the last entry which changed it. */
export const findStateAt = ({ record, log }: Pick<RecordDetail, 'record' | 'log'>, at: number): typeof record.state => {
  const changes = log
    .filter((entry) => entry.toState !== null && entry.at.getTime() <= at)
    .toSorted((left, right) => left.no - right.no)
  return changes.at(-1)?.toState ?? 'NEW'
}

/** Each moment at which something happened, once. */
export const listMoments = ({ detail, messages }: Omit<Sources, 'tracks'>): number[] => {
  const times = [...detail.log, ...messages, ...listSeatEvents(detail.sightings)].map(({ at }) => at.getTime())
  return [...new Set([...times, ...listMilestones(detail.record).map(({ at }) => at)])].toSorted(
    (left, right) => left - right,
  )
}
