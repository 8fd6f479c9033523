import { z } from 'zod'
import { Counter } from './message-header.ts'
import { childAddress } from './topics.ts'

/** down/config: the desired settings and their version; the next heartbeat's `cfgVer` confirms them. */
export const DeviceConfig = z.object({ cfgVer: Counter, config: z.record(z.string(), z.unknown()), ...childAddress })
export type DeviceConfig = z.output<typeof DeviceConfig>

/** down/time: server UTC ms. */
export const ServerTime = z.object({ ts: z.int().min(0), ...childAddress })
export type ServerTime = z.output<typeof ServerTime>
