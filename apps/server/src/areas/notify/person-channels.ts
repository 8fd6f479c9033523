import {
  type DeliveryChannel,
  type DeliveryReason,
  type DeliverySubject,
  deliveryChannels,
} from '@tocsin/contract/notify/delivery'
import type { ReachChannel } from '@tocsin/contract/school/employee'
import { wallClock } from '@tocsin/contract/time-zone'

type Message = { subject: { type: DeliverySubject }; level: number; channels: readonly DeliveryChannel[] }
type Person = {
  /** The channels registered for the employee; null for an account without one. */
  registered: readonly ReachChannel[] | null
  whyUnusable: (channel: DeliveryChannel) => DeliveryReason | undefined
}
type PersonStep = { channel: DeliveryChannel; afterSec: number; reason?: DeliveryReason }

/** At this level every channel is tried at any hour. */
const URGENT_LEVEL = 1

/** The registered channels that apply to a message. None: the planner alone decides. */
const wishesFor = ({ subject }: Message, registered: readonly ReachChannel[] | null): ReachChannel[] => {
  // A reader subscribes to a report by mail, and a test is about one channel.
  if (subject.type === 'REPORT' || subject.type === 'TEST') return []
  return (registered ?? []).filter(({ channel }) => deliveryChannels.some((sendable) => sendable === channel))
}

/**
 * The channels of a message in the order of the person. In-app messages disturb nobody, so they come first when the
 * person did not register them; other unregistered channels come last.
 */
const inOrder = ({ channels }: Message, wishes: readonly ReachChannel[]): DeliveryChannel[] => {
  const position = (channel: DeliveryChannel): number => {
    const at = wishes.findIndex((wish) => wish.channel === channel)
    if (at >= 0) return at
    return channel === 'INAPP' ? -1 : wishes.length
  }
  return wishes.length === 0 ? [...channels] : channels.toSorted((a, b) => position(a) - position(b))
}

/** Whether the wall clock is within the quiet hours, which may pass midnight; equal times mean the whole day. */
const isQuiet = ({ quietFrom, quietTo }: ReachChannel, at: Date): boolean => {
  if (quietFrom === null || quietTo === null) return false
  const time = wallClock(at).toISOString().slice(11, 16)
  return quietFrom < quietTo ? time >= quietFrom && time < quietTo : time >= quietFrom || time < quietTo
}

type Moment = { level: number; at: Date }

const whyUnwanted = (channel: DeliveryChannel, wishes: readonly ReachChannel[], { level, at }: Moment) => {
  if (wishes.length === 0 || level <= URGENT_LEVEL || channel === 'INAPP') return undefined
  const wish = wishes.find((one) => one.channel === channel)
  if (!wish) return 'NOT_CHOSEN'
  return isQuiet(wish, at) ? 'QUIET_HOURS' : undefined
}

/**
 * The channels by which one person is told: usable ones `stepSec` apart, the others with the reason. When the person
 * wants none of them now, the message is shown in the console instead.
 */
export const planPersonChannels = (
  message: Message,
  { registered, whyUnusable }: Person,
  stepSec: number,
): PersonStep[] => {
  const wishes = wishesFor(message, registered)
  let used = 0
  const steps = inOrder(message, wishes).map((channel): PersonStep => {
    const afterSec = used * stepSec
    const at = new Date(Date.now() + afterSec * 1000)
    const reason = whyUnusable(channel) ?? whyUnwanted(channel, wishes, { level: message.level, at })
    if (reason) return { channel, afterSec: 0, reason }
    used += 1
    return { channel, afterSec }
  })
  const isUnwanted = steps.some(({ reason }) => reason === 'QUIET_HOURS' || reason === 'NOT_CHOSEN')
  return used === 0 && isUnwanted ? [...steps, { channel: 'INAPP', afterSec: 0 }] : steps
}
