import { type Decoded, decodeUp } from '@tocsin/protocol/decode'
import type { KnownDevice } from '#areas/device/credential-check'
import { applyCommandReply } from '#areas/device/command/command-reply'
import { applyRolloutProgress } from '#areas/device/rollout/progress'
import type { Db } from '#db/db'
import { metrics } from '#metrics'
import { createRateLimiter } from '#http/rate-limiter'
import type { LinkRef } from './uplink/copy-waiters.ts'
import { type RetryQueue, messageKey } from './uplink/retry-queue.ts'
import type { DroppedMessageCounter } from './liveness/anomaly-counters.ts'

export type StoredChannel = 'state' | 'reply' | 'ota' | 'media'
type MessageSender = { device: Pick<KnownDevice, 'id'>; onTrouble?: () => void; link?: LinkRef }

/**
 * Stores mayStore other than alarms and events, and unreadable ones with the reason. Resolves after the commit. Returns
 * undefined when the device exceeds its rate limit; the dropped message is counted.
 */
export type StoreDeviceMessage = (
  sender: MessageSender,
  channel: StoredChannel,
  bytes: Uint8Array,
) => Promise<undefined> | undefined

const REPORTS = { perSecond: 1, atOnce: 300 }
/** Bytes of an unreadable message that are stored, enough to recognise it. */
const MAX_RAW_BYTES = 4096

const rowOf = (decoded: Decoded<object>, bytes: Uint8Array) =>
  decoded.ok
    ? { message: decoded.message }
    : {
        raw: Buffer.from(bytes.subarray(0, MAX_RAW_BYTES)),
        reason: [decoded.reason, decoded.field ?? ''].join(' ').trim().slice(0, 80),
      }

export const createDeviceMessageStore = ({
  db,
  retryQueue,
  droppedMessages,
}: {
  db: Db
  retryQueue: RetryQueue
  droppedMessages: DroppedMessageCounter
}): StoreDeviceMessage => {
  const mayStore = createRateLimiter(REPORTS)
  return ({ device, onTrouble, link }, channel, bytes) => {
    if (!mayStore(device.id)) {
      metrics.deviceMessages.inc({ channel, outcome: 'rate_limited' })
      droppedMessages.countDropped(device.id)
      return undefined
    }
    const decoded = decodeUp(channel, bytes)
    const row = { deviceId: device.id, channel, ...rowOf(decoded, bytes) }
    const write = async () => {
      await db.insertInto('deviceMessage').values(row).execute()
      if (decoded.ok && 'commandId' in decoded.message) await applyCommandReply(db, device.id, decoded.message)
      if (decoded.ok && 'rolloutId' in decoded.message) await applyRolloutProgress(db, device.id, decoded.message)
    }
    const queued = { lane: device.id, onTrouble, link }
    return retryQueue.run(messageKey(device.id, channel, bytes), write, queued).then(() => undefined)
  }
}
