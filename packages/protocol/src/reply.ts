import { z } from 'zod'
import { CommandId, DeviceMillis } from './message-header.ts'

/** up/reply: ACCEPTED when the device received the command, then SUCCEEDED or FAILED. */
export const Reply = z.object({
  commandId: CommandId,
  state: z.enum(['ACCEPTED', 'SUCCEEDED', 'FAILED']),
  result: z.record(z.string(), z.unknown()).optional(),
  ts: DeviceMillis.optional(),
})
export type Reply = z.output<typeof Reply>
