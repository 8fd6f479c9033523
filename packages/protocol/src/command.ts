import { z } from 'zod'
import { CommandId } from './message-header.ts'
import { childAddress } from './topics.ts'

export const CommandType = z.enum([
  'PLAY_TTS',
  'TALK_START',
  'TALK_STOP',
  'SIREN',
  'LED',
  'RESET',
  'REBOOT',
  'SELF_TEST',
  'SET_CONFIG',
  'TIME_SYNC',
  'LISTEN',
  'UPDATE',
])
export type CommandType = z.output<typeof CommandType>

/**
 * down/cmd. Idempotent by `commandId`; after `expiresAt` (server UTC ms) the device must not act on it.
 * LISTEN carries `{on, seconds}` and TALK_START `{seconds}`: the device ends the sound after these seconds by itself, or when
 * LISTEN with `on: false` or TALK_STOP comes before. PLAY_TTS carries `{text}`, SET_CONFIG a DeviceConfig, UPDATE `{rolloutId, kind, version, url, size, sha256,
 * signature}` or `{rolloutId, kind, version, rollback}`; the device reports on up/ota.
 */
export const Command = z.object({
  commandId: CommandId,
  type: CommandType,
  payload: z.record(z.string(), z.unknown()),
  expiresAt: z.int().min(0),
  ...childAddress,
})
export type Command = z.output<typeof Command>
