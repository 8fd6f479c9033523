import { z } from 'zod'
import { Counter, DeviceMillis } from './message-header.ts'

/** up/state that a device sends after connecting. */
export const Birth = z.object({
  online: z.literal(true),
  boot: Counter,
  fw: z.string().max(32),
  caps: z.array(z.string().max(32)).max(32),
  ts: DeviceMillis.optional(),
  upMs: Counter.optional(),
})
export type Birth = z.output<typeof Birth>

/** up/state as last will. `boot` is that of the connection that made the will; an older one is stale (3.2). */
export const Will = z.object({ online: z.literal(false), boot: Counter })
export type Will = z.output<typeof Will>

export const DeviceState = z.discriminatedUnion('online', [Birth, Will])
export type DeviceState = z.output<typeof DeviceState>
