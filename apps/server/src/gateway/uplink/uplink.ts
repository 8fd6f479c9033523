import { type Decoded, decodeUp, type UpMessage } from '@tocsin/protocol/decode'
import type { UpChannel } from '@tocsin/protocol/topics'
import type { Log } from '#config'
import type { IngestResult } from '#areas/alarm/intake/ingest-pipeline'
import type { KnownDevice } from '#areas/device/credential-check'
import type { Db } from '#db/db'
import { metrics } from '#metrics'
import { faultPoint } from '../../fault-injection.ts'
import type { ActivityBuffer } from '../liveness/activity-buffer.ts'
import type { StoreDeviceMessage } from '../device-message-store.ts'
import type { DroppedMessageCounter } from '../liveness/anomaly-counters.ts'
import type { SequenceGapDetector } from '../liveness/sequence-gaps.ts'
import { createRateLimiter } from '#http/rate-limiter'
import { ingestGatewayBatch } from './gateway-batch.ts'
import type { RetryQueue } from './retry-queue.ts'
import { type IngestAdapter, createIngestAdapter, type UplinkSender, decodeError } from './ingest-adapter.ts'

export type UplinkDeps = {
  db: Db
  hold: RetryQueue
  sink: ActivityBuffer
  gaps: SequenceGapDetector
  floods: DroppedMessageCounter
  keep: StoreDeviceMessage
  log: Log
  /** A command was answered: its row has done its work. */
  onReply: (deviceId: number, reply: UpMessage['reply']) => void
  /** A device is there again: what waits for it can be sent. */
  onBirth: (device: KnownDevice) => void
}

/** `result`: what became of an alarm or event; undefined for all else, and for an event beyond its device's allowance. */
export type UplinkResult = Promise<IngestResult | undefined>
export type UplinkHandler = (sender: UplinkSender, channel: UpChannel, bytes: Uint8Array) => UplinkResult | undefined

const counted = <C extends UpChannel>(channel: C, decoded: Decoded<UpMessage[C]>): UpMessage[C] | undefined => {
  metrics.uplinks.inc({ channel, outcome: decoded.ok ? 'taken' : 'unreadable' })
  return decoded.ok ? decoded.message : undefined
}

/** Events and heartbeats have limits; an alarm never has (domain 3.4). */
const EVENTS = { perSecond: 1, atOnce: 300 }

type Spoken = { alarm: Take; event: Take; stamped: (device: KnownDevice, stamp: Stamp) => void }
type Stamp = { boot: number; seq: number; ts: number; replay?: boolean | undefined }
type Take = (sender: UplinkSender, bytes: Uint8Array) => UplinkResult | undefined

/** Alarms and events: numbered by the device, kept before it is answered. */
const makeSpoken = ({ sink, gaps, floods }: UplinkDeps, intake: IngestAdapter): Spoken => {
  const events = createRateLimiter(EVENTS)
  const stamped = (device: KnownDevice, { boot, seq, ts, replay }: Stamp) => {
    // What lay in its flash says what its clock was then, and nothing of how far off it is.
    sink.stamp(device, { boot, seq, ...(!replay && { ts }) })
    gaps.event(device.id, { boot, seq })
  }
  const alarm: Take = (sender, bytes) => {
    faultPoint('parse')
    const decoded = decodeUp('alarm', bytes)
    const message = counted('alarm', decoded)
    if (!message)
      return intake.unreadable(sender, sender.device.id, { channel: 'alarm', bytes, ...decodeError(decoded) })
    stamped(sender.device, message)
    return intake.message(sender, sender.device.id, { channel: 'alarm', message })
  }
  const event: Take = (sender, bytes) => {
    if (!events(sender.device.id)) {
      metrics.uplinks.inc({ channel: 'event', outcome: 'too_many' })
      // Over HTTP the device is told, and keeps it.
      if (sender.via === 'MQTT') floods.countDropped(sender.device.id)
      return undefined
    }
    const decoded = decodeUp('event', bytes)
    const message = counted('event', decoded)
    if (!message)
      return intake.unreadable(sender, sender.device.id, { channel: 'event', bytes, ...decodeError(decoded) })
    stamped(sender.device, message)
    return intake.message(sender, sender.device.id, { channel: 'event', message })
  }
  return { alarm, event, stamped }
}

/** Everything else that a device says: promised to nobody, so nobody waits but for what is kept as it came. */
const makeRemarks = (parts: UplinkDeps) => {
  const { sink, gaps, keep } = parts
  const kept = (channel: 'ota' | 'media') => (sender: UplinkSender, bytes: Uint8Array) => {
    counted(channel, decodeUp(channel, bytes))
    return keep(sender, channel, bytes)
  }
  return {
    ota: kept('ota'),
    media: kept('media'),
    hb: ({ device }: UplinkSender, bytes: Uint8Array) => {
      const beat = counted('hb', decodeUp('hb', bytes))
      if (!beat) return
      sink.heartbeat(device, beat)
      gaps.heartbeat(device.id, beat)
    },
    state: (sender: UplinkSender, bytes: Uint8Array) => {
      const { device, heardAt } = sender
      const said = counted('state', decodeUp('state', bytes))
      if (!said) return keep(sender, 'state', bytes)
      if (said.online) {
        sink.birth(device, said)
        parts.onBirth(device)
      } else sink.linkLost(device.id, { boot: said.boot, heardAt })
      return undefined
    },
    reply: (sender: UplinkSender, bytes: Uint8Array) => {
      const reply = counted('reply', decodeUp('reply', bytes))
      if (!reply) return keep(sender, 'reply', bytes)
      parts.onReply(sender.device.id, reply)
      return undefined
    },
  }
}

/**
 * What happens to each kind of uplink. Answers a promise where the sender must wait for the commit, undefined where
 * nothing is promised. Any uplink means that the device lives.
 */
export const createUplinkHandler = (parts: UplinkDeps): UplinkHandler => {
  const intake = createIngestAdapter(parts)
  const { alarm, event, stamped } = makeSpoken(parts, intake)
  const table: Record<UpChannel, (sender: UplinkSender, bytes: Uint8Array) => UplinkResult | undefined | void> = {
    ...makeRemarks(parts),
    alarm,
    event,
    sub: (sender, bytes) => ingestGatewayBatch({ ...parts, intake, stamped }, sender, bytes),
  }
  return (sender, channel, bytes) => {
    // A will is a word about the link, not of the device.
    if (channel !== 'state') parts.sink.seen(sender.device)
    return table[channel](sender, bytes) ?? undefined
  }
}
