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
import { type IngestResult, ingestOne } from './intake/ingest-pipeline.ts'

export type { IngestResult } from './intake/ingest-pipeline.ts'

export type SignalContent =
  | { channel: 'alarm' | 'event'; bytes: Uint8Array }
  | { channel: 'alarm'; message: Alarm }
  | { channel: 'event'; message: DeviceEvent }

/**
 * An alarm or event as it came in. `skewMs`: the device's clock minus ours, where the call told it beside the message.
 * `crowded`: its device has more than sixty a minute, so that they become occurrences whatever their zone (domain 3.4).
 * `arrivedAt`: reading of performance.now() when it came, where it may have waited for the database since. `direct`:
 * the caller hands the receipt to the device himself.
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
 * Takes in one alarm or event of a device: everything that follows from it is committed when this resolves. The same
 * event again gets the same answer. What cannot be read is kept and shown as an unparsable alarm.
 * @throws what the database throws when it is away: hold the receipt and call again.
 */
export const ingestSignal = (db: Db, uplink: IncomingSignal): Promise<IngestResult> => {
  const { deviceId, direct = false, arrivedAt, ...road } = uplink
  const heard = (content: Exclude<SignalContent, { bytes: Uint8Array }>) =>
    ingestBatched(db, {
      deviceId,
      direct,
      ...(arrivedAt !== undefined && { arrivedAt }),
      normalize: () =>
        content.channel === 'alarm' ? fromAlarm(content.message, road) : fromEvent(content.message, road),
    })
  if ('message' in uplink) return heard(uplink)
  const { channel, bytes, via } = uplink
  const decoded = decodeUp(channel, bytes)
  if (!decoded.ok)
    return ingestUnparsable(db, { deviceId, via, channel, bytes, reason: decoded.reason, field: decoded.field })
  const { message } = decoded
  return heard('code' in message ? { channel: 'alarm', message } : { channel: 'event', message })
}

/** Keeps bytes that are no message and raises, or adds to, the device's one unparsable record (domain 3.4). */
export const ingestUnparsable = (
  db: Db,
  { deviceId, arrivedAt, ...what }: UnparsableMessage & Pick<IncomingSignal, 'deviceId' | 'arrivedAt'>,
): Promise<IngestResult> =>
  ingestBatched(db, {
    deviceId,
    ...(arrivedAt !== undefined && { arrivedAt }),
    normalize: (at) => fromUnparsable(what, at),
  })

/**
 * A conclusion of the server about a device. `eventId` (at most 40 characters) makes it idempotent. Inside a
 * transaction it becomes part of it, and the caller pokes after the commit.
 */
export const ingestServerSignal = async (
  db: Db,
  { deviceId, ...what }: ServerSignal & { deviceId: number },
): Promise<IngestResult> => {
  const request = { deviceId, normalize: () => fromServer(what) }
  return db.isTransaction ? ingestOne(db, request, await loadRules(db)) : ingestBatched(db, request)
}
