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

/** One report a minute for each device, because a firmware fault repeats with every message. */
const REPORTS = { perSecond: 1 / 60, atOnce: 1 }

type ReportUnreadable = (device: Pick<KnownDevice, 'id' | 'sn'>, channel: UpChannel, decoded: Decoded<unknown>) => void

/** Logs an unreadable message with the serial number of the device, and reports it to the device. */
const createUnreadableReport = (log: Log, send: (deviceId: number, error: DeviceError) => void): ReportUnreadable => {
  const mayReport = createRateLimiter(REPORTS)
  return ({ id, sn }, channel, decoded) => {
    if (decoded.ok || !mayReport(id)) return
    const { reason, field } = decodeError(decoded)
    log.warn(`device ${sn} sent an unreadable message on up/${channel}: ${reason}${field ? ` at ${field}` : ''}`)
    send(id, { channel, reason, ...(field !== undefined && { field }) })
  }
}

export type UplinkDeps = {
  db: Db
  retryQueue: RetryQueue
  sink: ActivityBuffer
  gaps: SequenceGapDetector
  droppedMessages: DroppedMessageCounter
  storeMessage: StoreDeviceMessage
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

const countDecoded = <C extends UpChannel>(channel: C, decoded: Decoded<UpMessage[C]>): UpMessage[C] | undefined => {
  metrics.deviceMessages.inc({ channel, outcome: decoded.ok ? 'decoded' : 'unreadable' })
  return decoded.ok ? decoded.message : undefined
}

/** Events and heartbeats are rate limited, alarms never (domain 3.4). */
const EVENTS = { perSecond: 1, atOnce: 300 }

type SignalHandlers = {
  alarm: HandleSignal
  event: HandleSignal
  recordStamp: (device: KnownDevice, stamp: Stamp) => void
}
type Stamp = { boot: number; seq: number }
type HandleSignal = (sender: UplinkSender, bytes: Uint8Array) => UplinkResult | undefined

/** Handles alarms and events, which the device numbers and the server commits before it answers. */
const createSignalHandlers = (
  { sink, gaps, droppedMessages }: UplinkDeps,
  intake: IngestAdapter,
  report: ReportUnreadable,
): SignalHandlers => {
  const events = createRateLimiter(EVENTS)
  const recordStamp = (device: KnownDevice, { boot, seq }: Stamp) => {
    sink.stamp(device, { boot, seq })
    gaps.event(device.id, { boot, seq })
  }
  /** A request over HTTP may be a copy of an earlier one, so only a new message shows that the device lives. */
  const ingestStamped = (sender: UplinkSender, message: Stamp, ingest: () => Promise<IngestResult>): UplinkResult => {
    if (sender.via === 'MQTT') {
      recordStamp(sender.device, message)
      return ingest()
    }
    return ingest().then((result) => {
      if (!result.duplicate) recordStamp(sender.device, message)
      return result
    })
  }
  const alarm: HandleSignal = (sender, bytes) => {
    faultPoint('parse')
    const decoded = decodeUp('alarm', bytes)
    const message = countDecoded('alarm', decoded)
    if (!message)
      return intake.unreadable(sender, sender.device.id, { channel: 'alarm', bytes, ...decodeError(decoded) })
    return ingestStamped(sender, message, () => intake.message(sender, sender.device.id, { channel: 'alarm', message }))
  }
  const event: HandleSignal = (sender, bytes) => {
    if (!events(sender.device.id)) {
      metrics.deviceMessages.inc({ channel: 'event', outcome: 'rate_limited' })
      // Over HTTP the device gets 429 and keeps the event.
      if (sender.via === 'MQTT') droppedMessages.countDropped(sender.device.id)
      return undefined
    }
    const decoded = decodeUp('event', bytes)
    const message = countDecoded('event', decoded)
    report(sender.device, 'event', decoded)
    if (!message)
      return intake.unreadable(sender, sender.device.id, { channel: 'event', bytes, ...decodeError(decoded) })
    return ingestStamped(sender, message, () => intake.message(sender, sender.device.id, { channel: 'event', message }))
  }
  return { alarm, event, recordStamp }
}

/** Handles all other messages. Only those that are stored make the sender wait for a commit. */
const createReportHandlers = (deps: UplinkDeps, report: ReportUnreadable) => {
  const { sink, gaps, storeMessage } = deps
  const storeReport = (channel: 'ota' | 'media') => (sender: UplinkSender, bytes: Uint8Array) => {
    const decoded = decodeUp(channel, bytes)
    countDecoded(channel, decoded)
    report(sender.device, channel, decoded)
    return storeMessage(sender, channel, bytes)
  }
  return {
    ota: storeReport('ota'),
    media: storeReport('media'),
    hb: ({ device }: UplinkSender, bytes: Uint8Array) => {
      const decoded = decodeUp('hb', bytes)
      const heartbeat = countDecoded('hb', decoded)
      report(device, 'hb', decoded)
      if (!heartbeat) return
      sink.heartbeat(device, heartbeat)
      gaps.heartbeat(device.id, heartbeat)
    },
    state: (sender: UplinkSender, bytes: Uint8Array) => {
      const { device, heardAt } = sender
      const decoded = decodeUp('state', bytes)
      const state = countDecoded('state', decoded)
      report(device, 'state', decoded)
      if (!state) return storeMessage(sender, 'state', bytes)
      if (state.online) {
        sink.birth(device, state)
        deps.onBirth(device)
      } else sink.linkLost(device.id, { boot: state.boot, heardAt })
      return undefined
    },
    reply: (sender: UplinkSender, bytes: Uint8Array) => {
      const decoded = decodeUp('reply', bytes)
      const reply = countDecoded('reply', decoded)
      report(sender.device, 'reply', decoded)
      if (reply) deps.onReply(sender.device.id, reply)
      // The store also applies the reply to its command.
      return storeMessage(sender, 'reply', bytes)
    },
  }
}

/**
 * Dispatches each uplink by its channel. Returns a promise where the sender must wait for the commit, else undefined. Any
 * uplink shows that the device is alive.
 */
export const createUplinkHandler = (deps: UplinkDeps): UplinkHandler => {
  const intake = createIngestAdapter(deps)
  const report = createUnreadableReport(deps.log, deps.onUnreadable)
  const { alarm, event, recordStamp } = createSignalHandlers(deps, intake, report)
  const handlers: Record<UpChannel, (sender: UplinkSender, bytes: Uint8Array) => UplinkResult | undefined | void> = {
    ...createReportHandlers(deps, report),
    alarm,
    event,
    sub: (sender, bytes) => ingestGatewayBatch({ ...deps, intake, recordStamp }, sender, bytes),
  }
  return (sender, channel, bytes) => {
    // A will is sent by the broker, and an HTTP request may be a copy of an earlier one: both do not show that it is alive.
    if (channel !== 'state' && sender.via === 'MQTT') deps.sink.seen(sender.device)
    return handlers[channel](sender, bytes) ?? undefined
  }
}
