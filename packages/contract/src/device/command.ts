import { z } from 'zod'
import { Id, Millis, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { ById } from '../page.ts'
import { commandTypes } from './model.ts'

/** What the database stores; the rest of FSM J (domain 2.12) follows from the outbox and the clock. */
export const storedCommandStates = ['CREATED', 'ACCEPTED', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const
export const commandStates = [
  'CREATED',
  'SENT',
  'ACCEPTED',
  'SUCCEEDED',
  'FAILED',
  'TIMEOUT',
  'EXPIRED',
  'CANCELLED',
] as const
export type CommandState = (typeof commandStates)[number]

/** Where each state may lead; empty: the command is over. */
export const commandMachine = {
  CREATED: ['SENT', 'ACCEPTED', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'],
  SENT: ['ACCEPTED', 'SUCCEEDED', 'FAILED', 'TIMEOUT'],
  ACCEPTED: ['SUCCEEDED', 'FAILED', 'TIMEOUT'],
  // A reply that was late is still the truth.
  TIMEOUT: ['ACCEPTED', 'SUCCEEDED', 'FAILED'],
  EXPIRED: ['ACCEPTED', 'SUCCEEDED', 'FAILED'],
  SUCCEEDED: [],
  FAILED: [],
  CANCELLED: [],
} as const satisfies Record<CommandState, readonly CommandState[]>

export const isCommandOver = (state: CommandState): boolean =>
  commandMachine[state].length === 0 || state === 'TIMEOUT' || state === 'EXPIRED'

/** Buttons of the device page, in this order; each needs the type in the command schema of the model. */
export const operableCommands = ['SELF_TEST', 'RESET', 'REBOOT', 'SIREN', 'LED', 'PLAY_TTS', 'TIME_SYNC'] as const
export type OperableCommand = (typeof operableCommands)[number]

export const MAX_TTS_LENGTH = 200
/** Nobody wants a siren that starts hours later. */
export const COMMAND_TTL_SEC = 600

export const DeviceCommand = z.strictObject({
  id: field(Id, '编号', 'Id'),
  deviceId: field(Id, '设备', 'Device'),
  commandId: field(z.string(), '命令编号', 'Command id'),
  type: field(z.enum(commandTypes), '命令', 'Command'),
  payload: field(z.record(z.string(), z.unknown()), '参数', 'Parameters'),
  reason: field(z.string().nullable(), '原因', 'Reason'),
  state: field(z.enum(storedCommandStates), '状态', 'State'),
  result: field(z.record(z.string(), z.unknown()).nullable(), '结果', 'Result'),
  requestedBy: field(Id.nullable(), '下发人', 'Requested by'),
  createdAt: field(Millis, '下发时间', 'Requested'),
  expiresAt: field(Millis, '有效期至', 'Expires'),
  sentAt: field(Millis.nullable(), '下发到设备', 'Sent'),
  acceptedAt: field(Millis.nullable(), '设备接受', 'Accepted'),
  finishedAt: field(Millis.nullable(), '完成时间', 'Finished'),
})

export const DeviceCommandRow = DeviceCommand.extend({
  state: field(z.enum(commandStates), '状态', 'State'),
  requestedByName: field(z.string().nullable(), '下发人', 'Requested by'),
})
export type DeviceCommandRow = z.output<typeof DeviceCommandRow>

export const CommandDraft = z.strictObject({
  deviceId: field(Id, '设备', 'Device'),
  type: field(z.enum(operableCommands), '命令', 'Command'),
  text: field(z.string().trim().min(1).max(MAX_TTS_LENGTH).optional(), '播报内容', 'Text to speak'),
  seconds: field(z.int().min(1).max(300).optional(), '时长（秒）', 'Duration (s)'),
  on: field(z.boolean().optional(), '打开', 'On'),
  reason: field(z.string().trim().min(1).max(200).optional(), '原因', 'Reason'),
})
export type CommandDraft = z.output<typeof CommandDraft>

export const deviceCommands = {
  list: endpoint({
    method: 'GET',
    path: '/device/command/list',
    kind: 'json',
    permission: 'device:command:query',
    scope: 'school',
    summary: '设备最近的命令',
    summaryEn: 'The latest commands of a device',
    query: z.strictObject({ deviceId: field(queryId, '设备', 'Device') }),
    data: z.array(DeviceCommandRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/device/command/get',
    kind: 'json',
    permission: 'device:command:query',
    scope: 'school',
    summary: '命令详情',
    summaryEn: 'One command',
    query: ById,
    data: DeviceCommandRow,
  }),
  create: endpoint({
    method: 'POST',
    path: '/device/command/create',
    kind: 'json',
    permission: 'device:command:create',
    scope: 'school',
    summary: '下发命令',
    summaryEn: 'Send a command to a device',
    body: CommandDraft,
    data: Id,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/device/command/cancel',
    kind: 'json',
    permission: 'device:command:create',
    scope: 'school',
    summary: '取消尚未下发的命令',
    summaryEn: 'Cancel a command that has not been sent',
    body: z.strictObject({ id: field(Id, '编号', 'Id') }),
    data: z.literal(true),
  }),
}
