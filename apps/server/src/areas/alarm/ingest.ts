import type { Alarm } from '@tocsin/protocol/alarm'
import { decodeUp } from '@tocsin/protocol/decode'
import type { DeviceEvent } from '@tocsin/protocol/event'
import type { Db } from '#db/db'
import { ingestBatched } from './ingest-batcher.ts'
import { loadRules } from './intake/evaluate-rules.ts'
import {
  type ServerSignal,
  fromServer,
  fromAlarm,
  fromEvent,
  type UnparsableMessage,
  fromUnparsable,
} from './intake/normalize-signal.ts'
import type { SignalExtent } from './intake/signal-source.ts'
import { type IngestResult, ingestOne } from './intake/ingest-pipeline.ts'

export type { IngestResult } from './intake/ingest-pipeline.ts'

export type SignalContent =
  | { channel: 'alarm' | 'event'; bytes: Uint8Array }
  | { channel: 'alarm'; message: Alarm }
  | { channel: 'event'; message: DeviceEvent }

/**
 * An alarm or event as it arrived. `skewMs`: the device's clock minus the server's, where the request reported it
 * beside the message. `crowded`: the device sends more than sixty a minute, so that its signals become occurrences
 * whatever their zone (domain 3.4). `arrivedAt`: performance.now() on arrival, for signals that waited for the
 * database. `direct`: the caller delivers the receipt itself.
 */
export type IncomingSignal = {
  deviceId: number
  via: 'MQTT' | 'HTTP'
  skewMs?: number
  rateExceeded?: boolean
  arrivedAt?: number
  direct?: boolean
} & SignalContent

/**
 * Ingests one alarm or event of a device. Everything that follows from it is committed when this resolves. A repeated
 * event gets the same answer. An unreadable one is stored and shown as an unparsable alarm.
 * @throws the database error during an outage: withhold the receipt and call again.
 */
export const ingestSignal = (db: Db, uplink: IncomingSignal): Promise<IngestResult> => {
  const { deviceId, direct = false, arrivedAt, ...road } = uplink
  const ingestReadable = (content: Exclude<SignalContent, { bytes: Uint8Array }>) =>
    ingestBatched(db, {
      deviceId,
      direct,
      ...(arrivedAt !== undefined && { arrivedAt }),
      normalize: () =>
        content.channel === 'alarm' ? fromAlarm(content.message, road) : fromEvent(content.message, road),
    })
  if ('message' in uplink) return ingestReadable(uplink)
  const { channel, bytes, via } = uplink
  const decoded = decodeUp(channel, bytes)
  if (!decoded.ok)
    return ingestUnparsable(db, { deviceId, via, channel, bytes, reason: decoded.reason, field: decoded.field })
  const { message } = decoded
  return ingestReadable('code' in message ? { channel: 'alarm', message } : { channel: 'event', message })
}

/** Stores bytes that cannot be decoded, and raises or updates the device's only unparsable record (domain 3.4). */
export const ingestUnparsable = (
  db: Db,
  { deviceId, arrivedAt, ...signal }: UnparsableMessage & Pick<IncomingSignal, 'deviceId' | 'arrivedAt'>,
): Promise<IngestResult> =>
  ingestBatched(db, {
    deviceId,
    ...(arrivedAt !== undefined && { arrivedAt }),
    normalize: (at) => fromUnparsable(signal, at),
  })

/**
 * Ingests a signal that the server raises about a device. `eventId` (at most 40 characters) makes it idempotent. Inside
 * a transaction it becomes part of it, and the caller wakes the dispatcher after the commit.
 */
export const ingestServerSignal = async (
  db: Db,
  { deviceId, extent, ...signal }: ServerSignal & { deviceId: number; extent?: SignalExtent },
): Promise<IngestResult> => {
  const request = { deviceId, normalize: () => fromServer(signal), ...(extent && { extent }) }
  return db.isTransaction ? ingestOne(db, request, await loadRules(db)) : ingestBatched(db, request)
}
