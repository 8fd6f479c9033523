import type { Ack } from '@tocsin/protocol/ack'
import type { Decoded, UpMessage } from '@tocsin/protocol/decode'
import { ingestSignal, ingestUnparsable } from '#areas/alarm/ingest'
import type { IngestResult } from '#areas/alarm/intake/ingest-pipeline'
import type { KnownDevice } from '#areas/device/credential-check'
import type { Db } from '#db/db'
import { metrics } from '#metrics'
import { createRateLimiter } from '#http/rate-limiter'
import { type RetryQueue, messageKey } from './retry-queue.ts'

/** Who speaks, and how he is answered. */
export type UplinkSender = {
  device: KnownDevice
  via: 'MQTT' | 'HTTP'
  /** His clock minus ours, where it is told beside the message. */
  skewMs?: number
  /** Reading of performance.now() when this came, where it waited for something before it was understood. */
  arrivedAt?: number
  /** Reading of performance.now() at the message before this one, where the link is known. */
  heardAt: number | null
  /** The receipt, right after the commit; the outbox row stays until it arrived. */
  receipt?: (deviceId: number, ack: Ack) => void
  /** The database made this message wait. */
  onTrouble?: () => void
  /** The sender speaks for this device too. */
  onChild?: (child: KnownDevice) => void
}

/** Beyond it no alarm is refused, but they become occurrences of one record, whatever zone each names (domain 3.4). */
const ALARMS = { perSecond: 1, atOnce: 60 }

/** Of a message that reached the alarm intake: where it came from, and how long it took. */
export const createIngestAdapter = ({ db, hold }: { db: Db; hold: RetryQueue }) => {
  const alarms = createRateLimiter(ALARMS)
  const timed = async (
    sender: UplinkSender,
    what: { deviceId: number; key: string },
    work: () => Promise<IngestResult>,
  ) => {
    const done = metrics.receiptSeconds.startTimer()
    const result = await hold.run(what.key, work, { lane: what.deviceId, onTrouble: sender.onTrouble, commits: true })
    done()
    metrics.signals.inc({ via: sender.via, outcome: result.duplicate ? 'again' : result.created ? 'raised' : 'added' })
    return result
  }
  return {
    message: async (
      sender: UplinkSender,
      deviceId: number,
      content: { channel: 'alarm'; message: UpMessage['alarm'] } | { channel: 'event'; message: UpMessage['event'] },
    ): Promise<IngestResult> => {
      const { eventId } = content.message
      const code = 'code' in content.message ? content.message.code : content.message.kind
      const direct = sender.receipt !== undefined
      const { via, skewMs } = sender
      const { arrivedAt = performance.now() } = sender
      const said = { deviceId, via, direct, arrivedAt, ...(skewMs !== undefined && { skewMs }), ...content }
      // Of an event that is repeated meanwhile, and of one that the database made wait, it is asked once.
      let rateExceeded: boolean | undefined
      const isCrowded = () => content.channel === 'alarm' && !alarms(deviceId)
      const work = () => ingestSignal(db, { ...said, rateExceeded: (rateExceeded ??= isCrowded()) })
      const result = await timed(sender, { deviceId, key: `${deviceId}:${eventId}:${code}` }, work)
      const { recordNo } = result
      sender.receipt?.(deviceId, { eventId, stage: 'accepted', ...(recordNo !== null && { recordNo }) })
      return result
    },
    unreadable: (
      sender: UplinkSender,
      deviceId: number,
      what: { channel: string; bytes: Uint8Array; reason: string; field?: string | undefined },
    ): Promise<IngestResult> => {
      const key = messageKey(deviceId, what.channel, what.bytes)
      const { via, arrivedAt = performance.now() } = sender
      return timed(sender, { deviceId, key }, () => ingestUnparsable(db, { deviceId, via, arrivedAt, ...what }))
    },
  }
}
export type IngestAdapter = ReturnType<typeof createIngestAdapter>

/** The reason of a message that does not decode, for the record that shows it. */
export const decodeError = (decoded: Decoded<unknown>): { reason: string; field?: string } =>
  decoded.ok ? { reason: '' } : { reason: decoded.reason, ...(decoded.field !== undefined && { field: decoded.field }) }
