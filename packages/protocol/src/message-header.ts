import { z } from 'zod'

/** Identifies one press or event for ever: (device, eventId) is unique, and a repeat gets the first response. */
export const EventId = z.string().regex(/^[0-9A-Za-z_-]{16,40}$/)
export const CommandId = z.string().regex(/^[0-9A-Za-z_-]{1,40}$/)

export const Counter = z.int().min(0)
export const Int32 = z.int().min(-2_147_483_648).max(2_147_483_647)

/**
 * Device UTC ms. The range is wide: no device clock takes part in admitting an alarm, so a clock that restarted at 1970
 * in local time, or counts microseconds, still passes. The limits are those of a Date and of timestamptz.
 */
export const DeviceMillis = z.int().min(-62_135_596_800_000).max(8_640_000_000_000_000)

/** The server sets DRILL, never the device (3.3). */
export const DeviceMode = z.enum(['LIVE', 'TEST'])
export type DeviceMode = z.output<typeof DeviceMode>

/**
 * The header of every alarm, event and heartbeat. `boot` counts starts of the device, `seq` counts its alarms and
 * events since that start from 1 (a heartbeat repeats the last one used), `upMs` is monotonic since the start.
 */
export const messageHeader = {
  v: z.literal(1),
  boot: Counter,
  seq: Counter,
  ts: DeviceMillis,
  upMs: Counter,
}
