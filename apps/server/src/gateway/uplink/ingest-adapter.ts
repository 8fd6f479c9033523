import type { Ack } from '@tocsin/protocol/ack'
import type { Decoded, UpMessage } from '@tocsin/protocol/decode'
import { ingestSignal, ingestUnparsable } from '#areas/alarm/ingest'
import type { IngestResult } from '#areas/alarm/intake/ingest-pipeline'
import type { KnownDevice } from '#areas/device/credential-check'
import type { Db } from '#db/db'
import { metrics } from '#metrics'
import { createRateLimiter } from '#http/rate-limiter'
import type { LinkRef } from './copy-waiters.ts'
import { type RetryQueue, messageKey } from './retry-queue.ts'

/** The sender of a message and the ways to answer it. */
export type UplinkSender = {
  device: KnownDevice
  via: 'MQTT' | 'HTTP'
  /** Device clock minus server clock, where the request reports it beside the message. */
  skewMs?: number
  /** Reading of performance.now() on arrival, for a message that waited before it was decoded. */
  arrivedAt?: number
  /** Reading of performance.now() at the previous message of the link; null where the link is unknown. */
  heardAt: number | null
  /** Sends the receipt right after the commit. The outbox row stays until the receipt has arrived. */
  receipt?: (deviceId: number, ack: Ack) => void
  /** Called when the database makes this message wait. */
  onTrouble?: () => void
  /** The connection, where there is one: a copy of a pending message is dropped when it ends. */
  link?: LinkRef
  /** Called for each child that the sender, a gateway, sends for. */
  onChild?: (child: KnownDevice) => void
}

/** Alarms beyond this limit are accepted, but become occurrences of one record whatever their zone is (domain 3.4). */
const ALARMS = { perSecond: 1, atOnce: 60 }

/** Passes alarms and events to the alarm intake, and measures how long each takes. */
export const createIngestAdapter = ({ db, retryQueue }: { db: Db; retryQueue: RetryQueue }) => {
  const alarms = createRateLimiter(ALARMS)
  /** A hundred thousand of these may wait: one promise each, and no suspended function. */
  const timed = (
    sender: UplinkSender,
    label: { deviceId: number; key: string; eventId?: string },
    work: () => Promise<IngestResult>,
  ): Promise<IngestResult> => {
    const { onTrouble, link, via, receipt } = sender
    const { deviceId, key, eventId } = label
    const since = performance.now()
    return retryQueue.run(key, work, { lane: deviceId, onTrouble, link, commits: true }).then((result) => {
      metrics.acceptanceDuration.observe((performance.now() - since) / 1000)
      metrics.signals.inc({
        via,
        outcome: result.duplicate ? 'duplicate' : result.created ? 'record_created' : 'accepted',
      })
      const { recordNo } = result
      if (eventId !== undefined)
        receipt?.(deviceId, { eventId, stage: 'accepted', ...(recordNo !== null && { recordNo }) })
      return result
    })
  }
  return {
    message: (
      sender: UplinkSender,
      deviceId: number,
      content: { channel: 'alarm'; message: UpMessage['alarm'] } | { channel: 'event'; message: UpMessage['event'] },
    ): Promise<IngestResult> => {
      const { eventId } = content.message
      const code = 'code' in content.message ? content.message.code : content.message.kind
      const direct = sender.receipt !== undefined
      const { via, skewMs, arrivedAt = performance.now() } = sender
      // An event that is repeated meanwhile, or that the database made wait, consumes the limit once.
      let rateExceeded: boolean | undefined
      const isCrowded = () => content.channel === 'alarm' && !alarms(deviceId)
      const work = () =>
        ingestSignal(db, {
          deviceId,
          via,
          direct,
          arrivedAt,
          ...(skewMs !== undefined && { skewMs }),
          ...content,
          rateExceeded: (rateExceeded ??= isCrowded()),
        })
      return timed(sender, { deviceId, key: `${deviceId}:${eventId}:${code}`, eventId }, work)
    },
    unreadable: (
      sender: UplinkSender,
      deviceId: number,
      label: { channel: string; bytes: Uint8Array; reason: string; field?: string | undefined },
    ): Promise<IngestResult> => {
      const key = messageKey(deviceId, label.channel, label.bytes)
      const { via, arrivedAt = performance.now() } = sender
      return timed(sender, { deviceId, key }, () => ingestUnparsable(db, { deviceId, via, arrivedAt, ...label }))
    },
  }
}
export type IngestAdapter = ReturnType<typeof createIngestAdapter>

/** The reason why a message does not decode, for the record that shows it. */
export const decodeError = (decoded: Decoded<unknown>): { reason: string; field?: string } =>
  decoded.ok ? { reason: '' } : { reason: decoded.reason, ...(decoded.field !== undefined && { field: decoded.field }) }
