import { z } from 'zod'
import { DeviceMillis, EventId } from './message-header.ts'
import { Sn } from './topics.ts'

/** up/ota: progress of one program package on one device; states of domain FSM K. */
export const OtaProgress = z.object({
  rolloutId: z.string().max(40),
  type: z.enum(['FIRMWARE', 'CONFIG', 'KEYWORD_PACK', 'VOICE_PROMPT']),
  version: z.string().max(32),
  state: z.enum([
    'QUEUED',
    'INITIATED',
    'DOWNLOADING',
    'DOWNLOADED',
    'VERIFIED',
    'UPDATING',
    'UPDATED',
    'FAILED',
    'ROLLED_BACK',
  ]),
  percent: z.int().min(0).max(100).optional(),
  error: z.string().max(200).optional(),
})
export type OtaProgress = z.output<typeof OtaProgress>

/** up/media: a recording was uploaded under `key`; `from` and `to` are device UTC ms. */
export const MediaUploaded = z.object({
  eventId: EventId,
  key: z.string().min(1).max(200),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  kind: z.enum(['AUDIO', 'VIDEO', 'IMAGE']),
  from: DeviceMillis,
  to: DeviceMillis,
})
export type MediaUploaded = z.output<typeof MediaUploaded>

// Not zod's record, which drops names such as __proto__ before they can be rejected.
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * up/sub: a gateway's batch for its children. Each body is checked by itself with `checkUp(type, body)`, so that an
 * invalid message of one child does not affect the alarms of the others.
 */
export const SubBatch = z
  .array(
    z.object({
      sn: Sn,
      type: z.enum(['alarm', 'event', 'hb', 'state', 'reply', 'ota', 'media']),
      body: z.custom<Record<string, unknown>>(isObject),
    }),
  )
  .min(1)
  .max(100)
export type SubBatch = z.output<typeof SubBatch>
