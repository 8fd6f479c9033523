import { z } from 'zod'
import { childAddress, UP_CHANNELS } from './topics.ts'

/** down/error: a message of the device could not be read; at most one a minute. */
export const DeviceError = z.object({
  channel: z.enum(UP_CHANNELS),
  reason: z.string().max(40),
  field: z.string().max(64).optional(),
  ...childAddress,
})
export type DeviceError = z.output<typeof DeviceError>
