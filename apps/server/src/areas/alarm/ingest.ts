import type { Alarm } from '@tocsin/protocol/alarm'
import { decodeUp } from '@tocsin/protocol/decode'
import type { DeviceEvent } from '@tocsin/protocol/event'
import type { Db } from '#db/db'
import { takeInTurn } from './batch.ts'
import { rulesOf } from './intake/rulebook.ts'
import { type Conclusion, concluded, heardAlarm, heardEvent, type Unparsable, unreadable } from './intake/signal.ts'
import { type Ingested, take } from './intake/take.ts'

export type { Ingested } from './intake/take.ts'

export type Content =
  | { channel: 'alarm' | 'event'; bytes: Uint8Array }
  | { channel: 'alarm'; message: Alarm }
  | { channel: 'event'; message: DeviceEvent }

/**
 * An alarm or event as it came in. `skewMs`: the device's clock minus ours, where the call told it beside the message.
 * `crowded`: its device has more than sixty a minute, so that they become occurrences whatever their zone (domain 3.4).
 * `arrivedAt`: reading of performance.now() when it came, where it may have waited for the database since. `direct`:
 * the caller hands the receipt to the device himself.
 */
export type Uplink = {
  deviceId: number
  via: 'MQTT' | 'HTTP'
  skewMs?: number
  crowded?: boolean
  arrivedAt?: number
  direct?: boolean
} & Content

/**
 * Takes in one alarm or event of a device: everything that follows from it is committed when this resolves. The same
 * event again gets the same answer. What cannot be read is kept and shown as an unparsable alarm.
 * @throws what the database throws when it is away: hold the receipt and call again.
 */
export const ingest = (db: Db, uplink: Uplink): Promise<Ingested> => {
  const { deviceId, direct = false, arrivedAt, ...road } = uplink
  const heard = (content: Exclude<Content, { bytes: Uint8Array }>) =>
    takeInTurn(db, {
      deviceId,
      direct,
      ...(arrivedAt !== undefined && { arrivedAt }),
      hear: () => (content.channel === 'alarm' ? heardAlarm(content.message, road) : heardEvent(content.message, road)),
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
  { deviceId, arrivedAt, ...what }: Unparsable & Pick<Uplink, 'deviceId' | 'arrivedAt'>,
): Promise<Ingested> =>
  takeInTurn(db, { deviceId, ...(arrivedAt !== undefined && { arrivedAt }), hear: (at) => unreadable(what, at) })

/**
 * A conclusion of the server about a device. `eventId` (at most 40 characters) makes it idempotent. Inside a
 * transaction it becomes part of it, and the caller pokes after the commit.
 */
export const signalFromServer = async (
  db: Db,
  { deviceId, ...what }: Conclusion & { deviceId: number },
): Promise<Ingested> => {
  const taking = { deviceId, hear: () => concluded(what) }
  return db.isTransaction ? take(db, taking, await rulesOf(db)) : takeInTurn(db, taking)
}
