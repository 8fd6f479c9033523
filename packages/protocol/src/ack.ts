import { z } from 'zod'
import { EventId } from './message-header.ts'
import { childAddress } from './topics.ts'

/** Stages in the order that a person experiences them; LED and voice of the device follow (3.2). */
export const AckStage = z.enum(['accepted', 'claimed', 'dispatched', 'onsite', 'closed'])
export type AckStage = z.output<typeof AckStage>

/** down/ack, and the response body of an alarm over HTTP. Only `accepted` ends the device's repeats. */
export const Ack = z.object({
  eventId: EventId,
  stage: AckStage,
  recordNo: z.string().max(40).optional(),
  ...childAddress,
})
export type Ack = z.output<typeof Ack>
