import { z } from 'zod'
import { DeviceMode, EventId, Int32, messageHeader } from './message-header.ts'

export const AlarmCode = z.enum([
  'PANIC',
  'PANIC_SILENT',
  'VOICE_HELP',
  'VOICE_ABUSE',
  'SOUND_VIOLENCE',
  'INTERCOM',
  'MEDICAL',
  'FIRE_MANUAL',
  'INTRUSION',
  'DURESS_CANCEL',
  'CANCEL',
])
export type AlarmCode = z.output<typeof AlarmCode>

export const Press = z.object({ count: Int32.min(0).optional(), holdMs: Int32.min(0).optional() })
export type Press = z.output<typeof Press>

/** The keyword and its pack, never the spoken words: no speech leaves the device (3.3). */
const Keyword = z.object({
  id: z.string().max(64),
  conf: z.number().min(0).max(1),
  pack: z.string().max(64),
  db: z.number().optional(),
})

const Position = z.object({
  lng: z.number().optional(),
  lat: z.number().optional(),
  acc: z.number().optional(),
  beacons: z.array(z.unknown()).max(8).optional(),
})

/** up/alarm, 3.3. Strict at the top like the schema there; newer firmware may add fields inside its parts. */
export const Alarm = z.strictObject({
  ...messageHeader,
  eventId: EventId,
  mode: DeviceMode,
  code: AlarmCode,
  zone: z.string().max(32).optional(),
  press: Press.optional(),
  keyword: Keyword.optional(),
  pos: Position.optional(),
  media: z.array(z.record(z.string(), z.unknown())).max(4).optional(),
  bat: Int32.optional(),
  rssi: Int32.optional(),
  replay: z.boolean().optional(),
  sig: z.string().max(128).optional(),
})
export type Alarm = z.output<typeof Alarm>
