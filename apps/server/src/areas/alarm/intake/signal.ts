import type { Mode } from '@tocsin/contract/alarm/state-machine'
import type { Alarm } from '@tocsin/protocol/alarm'
import { eventIdIn } from '@tocsin/protocol/bytes/parse'
import type { DeviceEvent } from '@tocsin/protocol/event'
import { createHash } from 'node:crypto'

/** A device's own account of order and time: boot and seq count, ts is its UTC ms, upMs its uptime. */
export type DeviceStamp = { boot: number; seq: number; ts: number; upMs: number }

/** Anything that was heard of a device, before rules look at it. */
export type NormalizedSignal = {
  eventId: string
  kind: 'ALARM' | 'EVENT' | 'UNPARSABLE' | 'DERIVED'
  code: string
  mode: Mode
  via: 'MQTT' | 'HTTP' | 'SERVER'
  /** Null for what the server concluded and what nobody could read. */
  stamp: DeviceStamp | null
  replay: boolean
  /** The device's clock minus ours as the call told beside the message; null where only the stamp has a time. */
  skewMs: number | null
  zone: string | null
  /**
   * The zone that a record of it is kept apart by; null while the device says too much for that (domain 3.4). A record of
   * such signals is of the whole device: the recovery of one zone does not end it.
   */
  ownZone: string | null
  /** Which fault it is about, of a device that names its faults. */
  fault: string | null
  pressCount: number | null
  /** How sure the device was of a word it heard, 0 to 1, and how loud it was; null for what is no word. */
  keyword: { conf: number; db: number | null } | null
  body: Record<string, unknown> | null
  raw: Buffer | null
  /** What the device repeats until it is acknowledged; null when there is nobody to tell. */
  ackId: string | null
}

type Road = { via: 'MQTT' | 'HTTP'; skewMs?: number | undefined; crowded?: boolean | undefined }

/** A press beyond this is a counter gone wrong; sums of it must stay inside an integer column. */
const MAX_PRESSES = 1000

const said = (message: Alarm | DeviceEvent, { via, skewMs, crowded = false }: Road) => ({
  eventId: message.eventId,
  ackId: message.eventId,
  mode: message.mode,
  via,
  stamp: { boot: message.boot, seq: message.seq, ts: message.ts, upMs: message.upMs },
  replay: message.replay ?? false,
  skewMs: skewMs ?? null,
  zone: message.zone ?? null,
  ownZone: crowded ? null : (message.zone ?? null),
  fault: null,
  body: { ...message },
  raw: null,
})

export const fromAlarm = (message: Alarm, road: Road): NormalizedSignal => ({
  ...said(message, road),
  kind: 'ALARM',
  code: message.code,
  keyword: message.keyword ? { conf: message.keyword.conf, db: message.keyword.db ?? null } : null,
  pressCount: message.press?.count === undefined ? null : Math.min(Math.max(message.press.count, 0), MAX_PRESSES),
})

/** A failed self-test is a code of its own, so that rules can tell it from a passed one. */
export const fromEvent = (message: DeviceEvent, road: Road): NormalizedSignal => ({
  ...said(message, road),
  kind: 'EVENT',
  fault: message.fault ?? null,
  code: message.kind === 'SELF_TEST' && message.passed === false ? 'SELF_TEST_FAILED' : message.kind,
  pressCount: null,
  keyword: null,
})

const unstamped = {
  mode: 'LIVE',
  stamp: null,
  replay: false,
  skewMs: null,
  fault: null,
  pressCount: null,
  keyword: null,
} as const

export type ServerSignal = {
  code: string
  eventId: string
  mode?: Mode | undefined
  zone?: string | null | undefined
  fault?: string | null | undefined
  /** It is of the whole device, whatever its zone. */
  whole?: boolean | undefined
  detail?: Record<string, unknown> | undefined
}

/** What the server concluded by itself: offline, a gap in the sequence, a lasting condition. */
export const fromServer = ({ mode = 'LIVE', zone = null, fault = null, ...what }: ServerSignal): NormalizedSignal => ({
  ...unstamped,
  mode,
  kind: 'DERIVED',
  code: what.code,
  eventId: what.eventId,
  via: 'SERVER',
  zone,
  ownZone: what.whole ? null : zone,
  fault,
  body: what.detail ?? null,
  raw: null,
  ackId: null,
})

export type UnparsableMessage = {
  via: 'MQTT' | 'HTTP'
  channel: string
  bytes: Uint8Array
  reason: string
  field?: string | undefined
}

/** Enough to see what was sent; a batch of a gateway may be larger. */
const KEPT_BYTES = 65_536

/**
 * Bytes that are no message. Sent again they are the same signal: by the event they name, else within the minute (a
 * device that can say only one thing must be heard the next time as well).
 */
export const fromUnparsable = (
  { via, channel, bytes, reason, field }: UnparsableMessage,
  receivedAt: Date,
): NormalizedSignal => {
  const ackId = eventIdIn(bytes)
  const digest = createHash('sha256').update(bytes)
  if (ackId === null) digest.update(`|${Math.floor(receivedAt.getTime() / 60_000)}`)
  return {
    ...unstamped,
    kind: 'UNPARSABLE',
    code: UNPARSABLE,
    eventId: `u-${digest.digest('base64url').slice(0, 38)}`,
    via,
    zone: null,
    ownZone: null,
    body: { channel, reason, ...(field !== undefined && { field }) },
    raw: Buffer.from(bytes.subarray(0, KEPT_BYTES)),
    ackId,
  }
}

export const UNPARSABLE = 'UNPARSABLE'
