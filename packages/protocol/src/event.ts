import { z } from 'zod'
import { DeviceMode, EventId, Int32, messageHeader } from './message-header.ts'

export const EventKind = z.enum([
  'TAMPER',
  'TAMPER_RESTORED',
  'BATTERY_LOW',
  'BATTERY_OK',
  'MAINS_LOST',
  'MAINS_RESTORED',
  'FAULT',
  'FAULT_CLEARED',
  'SELF_TEST',
  'BOOT',
  'MANUAL_RESET',
])
export type EventKind = z.output<typeof EventKind>

/** up/event: what happened to the device itself. `fault` names a FAULT, `passed` is the result of a SELF_TEST. */
export const DeviceEvent = z.object({
  ...messageHeader,
  eventId: EventId,
  mode: DeviceMode,
  kind: EventKind,
  zone: z.string().max(32).optional(),
  fault: z.string().max(32).optional(),
  passed: z.boolean().optional(),
  detail: z.string().max(200).optional(),
  bat: Int32.optional(),
  rssi: Int32.optional(),
  replay: z.boolean().optional(),
})
export type DeviceEvent = z.output<typeof DeviceEvent>
