import type { Mode } from '@tocsin/contract/alarm/state-machine'
import type { Alarm } from '@tocsin/protocol/alarm'
import { eventIdIn } from '@tocsin/protocol/bytes/parse'
import type { DeviceEvent } from '@tocsin/protocol/event'
import { createHash } from 'node:crypto'

export const UNPARSABLE = 'UNPARSABLE'

/** Codes of a panic button. */
export const panicCodes: readonly string[] = ['PANIC', 'PANIC_SILENT']
/** Calls for help. They raise a record whatever the rules say (GB 50394, no missed alarm). */
export const helpCallCodes: readonly string[] = [...panicCodes, 'INTERCOM', 'MEDICAL', 'FIRE_MANUAL', 'DURESS_CANCEL']
/** Calls for help by button, voice or sensor. A cancel or reset applies to them, and they never close automatically. */
export const cancellableCodes: readonly string[] = [
  ...helpCallCodes,
  'VOICE_HELP',
  'VOICE_ABUSE',
  'SOUND_VIOLENCE',
  'INTRUSION',
  UNPARSABLE,
]

/** Three messages within this time make level 1 (domain 6.2). */
export const BURST_MS = 10_000

/** Order and time as the device counts them: boot and seq are counters, ts is UTC ms, upMs the uptime. */
export type DeviceStamp = { boot: number; seq: number; ts: number; upMs: number }

/** A signal of any source in one form, before the rules are evaluated. */
export type NormalizedSignal = {
  eventId: string
  kind: 'ALARM' | 'EVENT' | 'UNPARSABLE' | 'DERIVED'
  code: string
  mode: Mode
  via: 'MQTT' | 'HTTP' | 'SERVER'
  /** Null for signals of the server and for unparsable messages. */
  stamp: DeviceStamp | null
  replay: boolean
  /** Device clock minus server clock, as reported beside the message; null where only the stamp has a time. */
  skewMs: number | null
  zone: string | null
  /**
   * The zone that is part of the record key; null while the device exceeds its rate limit (domain 3.4). A record of such
   * signals covers the whole device: the recovery of one zone does not end it.
   */
  ownZone: string | null
  /** Name of the fault, for devices that name their faults. */
  fault: string | null
  pressCount: number | null
  /** Confidence (0 to 1) and loudness of a recognised keyword; null for other signals. */
  keyword: { conf: number; db: number | null } | null
  body: Record<string, unknown> | null
  raw: Buffer | null
  /** The device has used this event id for another event, so that the signal is stored under a derived id. */
  eventIdReused?: boolean
  /** The button test that expects this press; null plan: an installation that is not accepted yet. */
  expectedBy?: { testPlanId: number | null }
  /** The event id that the device repeats until it is acknowledged; null when no device waits for a receipt. */
  ackId: string | null
}

type Reception = { via: 'MQTT' | 'HTTP'; skewMs?: number | undefined; rateExceeded?: boolean | undefined }

/** A higher count is a defect of the counter. Sums must fit an integer column. */
const MAX_PRESSES = 1000

const fromMessage = (message: Alarm | DeviceEvent, { via, skewMs, rateExceeded = false }: Reception) => ({
  eventId: message.eventId,
  ackId: message.eventId,
  mode: message.mode,
  via,
  stamp: { boot: message.boot, seq: message.seq, ts: message.ts, upMs: message.upMs },
  replay: message.replay ?? false,
  skewMs: skewMs ?? null,
  zone: message.zone ?? null,
  ownZone: rateExceeded ? null : (message.zone ?? null),
  fault: null,
  body: { ...message },
  raw: null,
})

export const fromAlarm = (message: Alarm, reception: Reception): NormalizedSignal => ({
  ...fromMessage(message, reception),
  kind: 'ALARM',
  code: message.code,
  keyword: message.keyword ? { conf: message.keyword.conf, db: message.keyword.db ?? null } : null,
  pressCount: message.press?.count === undefined ? null : Math.min(Math.max(message.press.count, 0), MAX_PRESSES),
})

/** A failed self-test has its own code, so that rules can distinguish it from a passed one. */
export const fromEvent = (message: DeviceEvent, reception: Reception): NormalizedSignal => ({
  ...fromMessage(message, reception),
  kind: 'EVENT',
  fault: message.fault ?? null,
  code: message.kind === 'SELF_TEST' && message.passed === false ? 'SELF_TEST_FAILED' : message.kind,
  pressCount: null,
  keyword: null,
})

const withoutStamp = {
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
  /** The signal covers the whole device, whatever its zone. */
  whole?: boolean | undefined
  detail?: Record<string, unknown> | undefined
}

/** A signal that the server raises itself: offline, sequence gap, lasting condition. */
export const fromServer = ({
  mode = 'LIVE',
  zone = null,
  fault = null,
  ...signal
}: ServerSignal): NormalizedSignal => ({
  ...withoutStamp,
  mode,
  kind: 'DERIVED',
  code: signal.code,
  eventId: signal.eventId,
  via: 'SERVER',
  zone,
  ownZone: signal.whole ? null : zone,
  fault,
  body: signal.detail ?? null,
  raw: null,
  ackId: null,
})

/** The id under which a second event of the same event id is stored. It is stable, so that its repeats are duplicates. */
export const reusedEventId = (eventId: string, code: string): string =>
  `x-${createHash('sha256').update(`${eventId}|${code}`).digest('base64url').slice(0, 38)}`

/** A different event under an event id that the device has used before, for example after it lost its memory. */
export const withReusedEventId = (signal: NormalizedSignal): NormalizedSignal => ({
  ...signal,
  eventId: reusedEventId(signal.eventId, signal.code),
  eventIdReused: true,
  body: { ...signal.body, eventIdReused: true },
})

export type UnparsableMessage = {
  via: 'MQTT' | 'HTTP'
  channel: string
  bytes: Uint8Array
  reason: string
  field?: string | undefined
}

/** Limit of the stored bytes. A batch of a gateway may be larger. */
const MAX_RAW_BYTES = 65_536

/**
 * A signal from bytes that cannot be decoded. The same bytes are the same signal when they name an event, else only within
 * one minute: a device that always sends the same bytes must raise an alarm the next time as well.
 */
export const fromUnparsable = (
  { via, channel, bytes, reason, field }: UnparsableMessage,
  receivedAt: Date,
): NormalizedSignal => {
  const ackId = eventIdIn(bytes)
  const digest = createHash('sha256').update(bytes)
  if (ackId === null) digest.update(`|${Math.floor(receivedAt.getTime() / 60_000)}`)
  return {
    ...withoutStamp,
    kind: 'UNPARSABLE',
    code: UNPARSABLE,
    eventId: `u-${digest.digest('base64url').slice(0, 38)}`,
    via,
    zone: null,
    ownZone: null,
    body: { channel, reason, ...(field !== undefined && { field }) },
    raw: Buffer.from(bytes.subarray(0, MAX_RAW_BYTES)),
    ackId,
  }
}

/** What expected the press, as its record stores it. */
export const toExpectation = ({ expectedBy }: NormalizedSignal) => ({
  commissioning: expectedBy?.testPlanId === null,
  testPlanId: expectedBy?.testPlanId ?? null,
})

/** Codes that a finger makes, the one that a button test expects first. A voice or a sensor is never a test. */
const pressedCodes: readonly string[] = ['PANIC', 'PANIC_SILENT', 'MEDICAL', 'FIRE_MANUAL', 'INTERCOM']

/**
 * Whether a button test or an installation may expect this press of a model with these codes: one plain press. Another code
 * than the one of the button, several presses or a replayed one are none, so that a test never hides a call for help
 * (domain 1.1, live-press break-through).
 */
export const canBeExpected = (signal: NormalizedSignal, modelCodes: readonly string[]): boolean => {
  const expected = pressedCodes.find((code) => modelCodes.includes(code))
  const isOfButton = signal.kind === 'ALARM' && signal.mode === 'LIVE' && signal.code === expected
  return isOfButton && (signal.pressCount ?? 1) <= 1 && !signal.replay
}
