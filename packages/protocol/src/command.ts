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
])
export type CommandType = z.output<typeof CommandType>

/**
 * down/cmd. Idempotent by `commandId`; after `expiresAt` (server UTC ms) the device must not act on it.
 * PLAY_TTS carries `{text}`, SET_CONFIG a DeviceConfig.
 */
export const Command = z.object({
  commandId: CommandId,
  type: CommandType,
  payload: z.record(z.string(), z.unknown()),
  expiresAt: z.int().min(0),
  ...childAddress,
})
export type Command = z.output<typeof Command>
