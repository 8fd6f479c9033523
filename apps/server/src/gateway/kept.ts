import { type Decoded, decodeUp } from '@tocsin/protocol/decode'
import type { KnownDevice } from '#areas/device/credential-check'
import type { Db } from '#db/db'
import { metrics } from '#metrics'
import { makeAllowance } from './uplink/allowance.ts'
import { type Hold, keyOf } from './uplink/hold.ts'
import type { Floods } from './liveness/floods.ts'

export type KeptChannel = 'state' | 'reply' | 'ota' | 'media'
type Speaker = { device: Pick<KnownDevice, 'id'>; onTrouble?: () => void }

/**
 * Keeps what a device reports beside alarms and events, and what could not be read of it, with the reason. Resolves
 * when it is on disk; undefined when the device says more than it may, which is counted.
 */
export type Keep = (speaker: Speaker, channel: KeptChannel, bytes: Uint8Array) => Promise<undefined> | undefined

const REPORTS = { perMinute: 60, burst: 300 }
/** Enough to see what was sent. */
const KEPT_BYTES = 4096

const rowOf = (decoded: Decoded<object>, bytes: Uint8Array) =>
  decoded.ok
    ? { message: decoded.message }
    : {
        raw: Buffer.from(bytes.subarray(0, KEPT_BYTES)),
        reason: [decoded.reason, decoded.field ?? ''].join(' ').trim().slice(0, 80),
      }

export const makeKeep = ({ db, hold, floods }: { db: Db; hold: Hold; floods: Floods }): Keep => {
  const reports = makeAllowance(REPORTS)
  return ({ device, onTrouble }, channel, bytes) => {
    if (!reports.spend(device.id)) {
      metrics.uplinks.inc({ channel, outcome: 'too_many' })
      floods.dropped(device.id)
      return undefined
    }
    const row = { deviceId: device.id, channel, ...rowOf(decodeUp(channel, bytes), bytes) }
    const write = () => db.insertInto('deviceMessage').values(row).execute()
    return hold.take(keyOf(device.id, channel, bytes), write, { lane: device.id, onTrouble }).then(() => undefined)
  }
}
