import { z } from 'zod'
import { Counter, Int32, messageHeader } from './message-header.ts'

/** up/hb. `battery` in percent, `rssi` in dBm, `temp` in °C, `unsent`: stored events without a receipt. */
export const Heartbeat = z.object({
  ...messageHeader,
  battery: Int32.optional(),
  rssi: Int32.optional(),
  temp: z.number().optional(),
  cfgVer: Counter.optional(),
  fw: z.string().max(32).optional(),
  unsent: Counter.optional(),
})
export type Heartbeat = z.output<typeof Heartbeat>
