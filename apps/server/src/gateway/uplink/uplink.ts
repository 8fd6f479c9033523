import { type Decoded, decodeUp, type UpMessage } from '@tocsin/protocol/decode'
import type { DeviceError } from '@tocsin/protocol/device-error'
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
import { createUnreadableReport, type ReportUnreadable } from './unreadable-report.ts'

export type UplinkDeps = {
  db: Db
  hold: RetryQueue
  sink: ActivityBuffer
  gaps: SequenceGapDetector
  floods: DroppedMessageCounter
  keep: StoreDeviceMessage
  log: Log
  /** Called when a command was answered, so that its outbox row can go. */
  onReply: (deviceId: number, reply: UpMessage['reply']) => void
  /** Called when a message is unreadable, so that the device gets an error. */
  onUnreadable: (deviceId: number, error: DeviceError) => void
  /** Called when a device has connected, so that its pending messages can be sent. */
  onBirth: (device: KnownDevice) => void
}

/** The result of an alarm or event; undefined for other messages and for an event beyond the rate limit. */
export type UplinkResult = Promise<IngestResult | undefined>
export type UplinkHandler = (sender: UplinkSender, channel: UpChannel, bytes: Uint8Array) => UplinkResult | undefined

const counted = <C extends UpChannel>(channel: C, decoded: Decoded<UpMessage[C]>): UpMessage[C] | undefined => {
  metrics.deviceMessages.inc({ channel, outcome: decoded.ok ? 'decoded' : 'unreadable' })
  return decoded.ok ? decoded.message : undefined
}

/** Events and heartbeats are rate limited, alarms never (domain 3.4). */
const EVENTS = { perSecond: 1, atOnce: 300 }

type Spoken = { alarm: Take; event: Take; stamped: (device: KnownDevice, stamp: Stamp) => void }
type Stamp = { boot: number; seq: number }
type Take = (sender: UplinkSender, bytes: Uint8Array) => UplinkResult | undefined

/** Handles alarms and events, which the device numbers and the server commits before it answers. */
const makeSpoken = ({ sink, gaps, floods }: UplinkDeps, intake: IngestAdapter, report: ReportUnreadable): Spoken => {
  const events = createRateLimiter(EVENTS)
  const stamped = (device: KnownDevice, { boot, seq }: Stamp) => {
    sink.stamp(device, { boot, seq })
    gaps.event(device.id, { boot, seq })
  }
  /** A request over HTTP may be a copy of an earlier one, so only a new message shows that the device lives. */
  const takeStamped = (sender: UplinkSender, message: Stamp, take: () => Promise<IngestResult>): UplinkResult => {
    if (sender.via === 'MQTT') {
      stamped(sender.device, message)
      return take()
    }
    return take().then((result) => {
      if (!result.duplicate) stamped(sender.device, message)
      return result
    })
  }
  const alarm: Take = (sender, bytes) => {
    faultPoint('parse')
    const decoded = decodeUp('alarm', bytes)
    const message = counted('alarm', decoded)
    if (!message)
      return intake.unreadable(sender, sender.device.id, { channel: 'alarm', bytes, ...decodeError(decoded) })
    return takeStamped(sender, message, () => intake.message(sender, sender.device.id, { channel: 'alarm', message }))
  }
  const event: Take = (sender, bytes) => {
    if (!events(sender.device.id)) {
      metrics.deviceMessages.inc({ channel: 'event', outcome: 'rate_limited' })
      // Over HTTP the device gets 429 and keeps the event.
      if (sender.via === 'MQTT') floods.countDropped(sender.device.id)
      return undefined
    }
    const decoded = decodeUp('event', bytes)
    const message = counted('event', decoded)
    report(sender.device, 'event', decoded)
    if (!message)
      return intake.unreadable(sender, sender.device.id, { channel: 'event', bytes, ...decodeError(decoded) })
    return takeStamped(sender, message, () => intake.message(sender, sender.device.id, { channel: 'event', message }))
  }
  return { alarm, event, stamped }
}

/** Handles all other messages. Only those that are stored make the sender wait for a commit. */
const makeRemarks = (parts: UplinkDeps, report: ReportUnreadable) => {
  const { sink, gaps, keep } = parts
  const kept = (channel: 'ota' | 'media') => (sender: UplinkSender, bytes: Uint8Array) => {
    const decoded = decodeUp(channel, bytes)
    counted(channel, decoded)
    report(sender.device, channel, decoded)
    return keep(sender, channel, bytes)
  }
  return {
    ota: kept('ota'),
    media: kept('media'),
    hb: ({ device }: UplinkSender, bytes: Uint8Array) => {
      const decoded = decodeUp('hb', bytes)
      const beat = counted('hb', decoded)
      report(device, 'hb', decoded)
      if (!beat) return
      sink.heartbeat(device, beat)
      gaps.heartbeat(device.id, beat)
    },
    state: (sender: UplinkSender, bytes: Uint8Array) => {
      const { device, heardAt } = sender
      const decoded = decodeUp('state', bytes)
      const said = counted('state', decoded)
      report(device, 'state', decoded)
      if (!said) return keep(sender, 'state', bytes)
      if (said.online) {
        sink.birth(device, said)
        parts.onBirth(device)
      } else sink.linkLost(device.id, { boot: said.boot, heardAt })
      return undefined
    },
    reply: (sender: UplinkSender, bytes: Uint8Array) => {
      const decoded = decodeUp('reply', bytes)
      const reply = counted('reply', decoded)
      report(sender.device, 'reply', decoded)
      if (reply) parts.onReply(sender.device.id, reply)
      // The store also applies the reply to its command.
      return keep(sender, 'reply', bytes)
    },
  }
}

/**
 * Dispatches each uplink by its channel. Returns a promise where the sender must wait for the commit, else undefined. Any
 * uplink shows that the device is alive.
 */
export const createUplinkHandler = (parts: UplinkDeps): UplinkHandler => {
  const intake = createIngestAdapter(parts)
  const report = createUnreadableReport(parts.log, parts.onUnreadable)
  const { alarm, event, stamped } = makeSpoken(parts, intake, report)
  const table: Record<UpChannel, (sender: UplinkSender, bytes: Uint8Array) => UplinkResult | undefined | void> = {
    ...makeRemarks(parts, report),
    alarm,
    event,
    sub: (sender, bytes) => ingestGatewayBatch({ ...parts, intake, stamped }, sender, bytes),
  }
  return (sender, channel, bytes) => {
    // A will is sent by the broker, and an HTTP request may be a copy of an earlier one: both do not show that it is alive.
    if (channel !== 'state' && sender.via === 'MQTT') parts.sink.seen(sender.device)
    return table[channel](sender, bytes) ?? undefined
  }
}
