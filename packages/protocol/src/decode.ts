import { z } from 'zod'
import { Ack } from './ack.ts'
import { Alarm } from './alarm.ts'
import { formatPath, checkLimits, type ParseLimits, parse, type ParseReason } from './bytes/parse.ts'
import { Command } from './command.ts'
import { DeviceConfig, ServerTime } from './config.ts'
import { DeviceError } from './device-error.ts'
import { DeviceEvent } from './event.ts'
import { Heartbeat } from './heartbeat.ts'
import { Reply } from './reply.ts'
import { DeviceState } from './state.ts'
import type { DownChannel, UpChannel } from './topics.ts'
import { MediaUploaded, OtaProgress, SubBatch } from './transfer.ts'

export type UpMessage = {
  alarm: Alarm
  event: DeviceEvent
  hb: Heartbeat
  state: DeviceState
  reply: Reply
  ota: OtaProgress
  media: MediaUploaded
  sub: SubBatch
}
export type DownMessage = { ack: Ack; cmd: Command; config: DeviceConfig; time: ServerTime; error: DeviceError }
type Message = UpMessage & DownMessage
type Channel = UpChannel | DownChannel

export type DecodeReason = ParseReason | 'WRONG_SHAPE'
/** `field` is a dotted path of at most 64 characters; absent when the whole is wrong. */
export type DecodeError = { ok: false; reason: DecodeReason; field?: string }
export type Decoded<T> = { ok: true; message: T } | DecodeError

const schemas: { [C in Channel]: z.ZodType<Message[C]> } = {
  alarm: Alarm,
  event: DeviceEvent,
  hb: Heartbeat,
  state: DeviceState,
  reply: Reply,
  ota: OtaProgress,
  media: MediaUploaded,
  sub: SubBatch,
  ack: Ack,
  cmd: Command,
  config: DeviceConfig,
  time: ServerTime,
  error: DeviceError,
}

const small: ParseLimits = { maxBytes: 4096, maxDepth: 6 }
const limits: { [C in Channel]: ParseLimits } = {
  alarm: small,
  event: small,
  hb: small,
  state: small,
  reply: { maxBytes: 16_384, maxDepth: 8 },
  ota: small,
  media: small,
  sub: { maxBytes: 262_144, maxDepth: 10, uncheckedKey: 'body' },
  ack: small,
  cmd: { maxBytes: 16_384, maxDepth: 8 },
  config: { maxBytes: 65_536, maxDepth: 8 },
  time: small,
  error: small,
}

/** The largest payload of any uplink: a higher limit of the broker or of HTTP bodies admits nothing more. */
export const MAX_UP_BYTES = limits.sub.maxBytes

/** Decodes the bytes of an uplink. Never throws. */
export const decodeUp = <C extends UpChannel>(channel: C, bytes: Uint8Array): Decoded<UpMessage[C]> =>
  decode(channel, bytes)

/** The same for the device. */
export const decodeDown = <C extends DownChannel>(channel: C, bytes: Uint8Array): Decoded<DownMessage[C]> =>
  decode(channel, bytes)

/** For the bodies of an up/sub batch, which are parsed already and checked only here. */
export const checkUp = <C extends UpChannel>(channel: C, value: unknown): Decoded<UpMessage[C]> => {
  const judged = checkLimits(value, limits[channel])
  return judged.ok ? check(channel, value) : judged
}

export const encode = (message: Message[Channel]): Uint8Array => new TextEncoder().encode(JSON.stringify(message))

const decode = <C extends Channel>(channel: C, bytes: Uint8Array): Decoded<Message[C]> => {
  const parsed = parse(bytes, limits[channel])
  return parsed.ok ? check(channel, parsed.value) : parsed
}

const check = <C extends Channel>(channel: C, value: unknown): Decoded<Message[C]> => {
  const schema: z.ZodType<Message[C]> = schemas[channel]
  const result = schema.safeParse(value)
  if (result.success) return { ok: true, message: result.data }
  const field = formatPath(firstPath(result.error))
  return { ok: false, reason: 'WRONG_SHAPE', ...(field !== undefined && { field }) }
}

const firstPath = (error: z.ZodError): PropertyKey[] =>
  error.issues
    .slice(0, 1)
    .flatMap((issue) => (issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path))
