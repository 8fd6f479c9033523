import { z } from 'zod'
import { Id, Millis, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { ById } from '../page.ts'
import { commandTypes } from './model.ts'

/** The stored states; the rest of FSM J (domain 2.12) follows from the outbox and the clock. */
export const storedCommandStates = ['CREATED', 'ACCEPTED', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const
export const commandStates = [
  'CREATED',
  'SENT',
  'DELIVERED',
  'ACCEPTED',
  'SUCCEEDED',
  'FAILED',
  'TIMEOUT',
  'EXPIRED',
  'CANCELLED',
] as const
export type CommandState = (typeof commandStates)[number]

/** The next states of each state; empty: the command is over. */
export const commandMachine = {
  CREATED: ['SENT', 'DELIVERED', 'ACCEPTED', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'],
  SENT: ['DELIVERED', 'ACCEPTED', 'SUCCEEDED', 'FAILED', 'TIMEOUT'],
  // Seen with the embedded broker alone; otherwise the reply is the first that is heard of the device.
  DELIVERED: ['ACCEPTED', 'SUCCEEDED', 'FAILED', 'TIMEOUT'],
  ACCEPTED: ['SUCCEEDED', 'FAILED', 'TIMEOUT'],
  // A late reply is still true.
  TIMEOUT: ['ACCEPTED', 'SUCCEEDED', 'FAILED'],
  EXPIRED: ['ACCEPTED', 'SUCCEEDED', 'FAILED'],
  SUCCEEDED: [],
  FAILED: [],
  CANCELLED: [],
} as const satisfies Record<CommandState, readonly CommandState[]>

export const isCommandOver = (state: CommandState): boolean =>
  commandMachine[state].length === 0 || state === 'TIMEOUT' || state === 'EXPIRED'

/** Buttons of the device page, in this order; each needs its type in the command schema of the model. */
export const operableCommands = ['SELF_TEST', 'RESET', 'REBOOT', 'SIREN', 'LED', 'PLAY_TTS', 'TIME_SYNC'] as const
export type OperableCommand = (typeof operableCommands)[number]

export const MAX_TTS_LENGTH = 200
/** A siren must not start hours later. */
export const COMMAND_TTL_SEC = 600

/** Commands that open sound at the device; each needs a reason and a permission of its own, and ends by itself (FSM J). */
export const audioCommands = ['LISTEN', 'TALK_START'] as const
export type AudioCommand = (typeof audioCommands)[number]
export const MAX_AUDIO_SEC = 180
/** Nobody waits for a sound session that begins later. */
export const AUDIO_TTL_SEC = 30

/** Why a command that waited ended with the installation period of its device. */
export const installationPeriodEnds = ['MOVED', 'REMOVED', 'LOST', 'RETIRED', 'GATEWAY_CHANGED'] as const
export type InstallationPeriodEnd = (typeof installationPeriodEnds)[number]

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
  deliveredAt: field(Millis.nullable(), '送达设备', 'Delivered'),
  acceptedAt: field(Millis.nullable(), '设备接受', 'Accepted'),
  finishedAt: field(Millis.nullable(), '完成时间', 'Finished'),
  /** The open record of the device when the command was sent. */
  recordId: field(Id.nullable(), '警情', 'Alarm'),
  /** Of a sound session: when it stops by itself, and when it stopped. */
  stopAt: field(Millis.nullable(), '自动停止', 'Stops by itself'),
  stoppedAt: field(Millis.nullable(), '停止时间', 'Stopped'),
  endReason: field(z.enum(installationPeriodEnds).nullable(), '终止原因', 'Ended by'),
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

/** A sound session that may still run. */
export const isAudioOpen = ({ stopAt, stoppedAt, state }: Pick<DeviceCommandRow, 'stopAt' | 'stoppedAt' | 'state'>) =>
  stopAt !== null && stoppedAt === null && state !== 'FAILED' && state !== 'EXPIRED' && state !== 'CANCELLED'

export const AudioDraft = z.strictObject({
  deviceId: field(Id, '设备', 'Device'),
  type: field(z.enum(audioCommands), '命令', 'Command'),
  reason: field(z.string().trim().min(1).max(200), '原因', 'Reason'),
})
export type AudioDraft = z.output<typeof AudioDraft>

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
  listOfRecord: endpoint({
    method: 'GET',
    path: '/device/command/record-list',
    kind: 'json',
    permission: 'device:command:query',
    scope: 'school',
    summary: '一起警情期间对其设备下发的命令',
    summaryEn: 'Commands to the device of an alarm while it was open',
    query: z.strictObject({ recordId: field(queryId, '警情', 'Alarm') }),
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
  openAudio: endpoint({
    method: 'POST',
    path: '/device/command/open-audio',
    kind: 'json',
    permission: 'device:command:audio',
    scope: 'school',
    summary: '现场监听或对讲，最长 3 分钟',
    summaryEn: 'Listen or talk through a device, 3 minutes at most',
    body: AudioDraft,
    data: Id,
  }),
  closeAudio: endpoint({
    method: 'POST',
    path: '/device/command/close-audio',
    kind: 'json',
    permission: 'device:command:audio',
    scope: 'school',
    summary: '停止监听或对讲',
    summaryEn: 'Stop listening or talking',
    body: z.strictObject({ id: field(Id, '编号', 'Id') }),
    data: z.literal(true),
  }),
}
