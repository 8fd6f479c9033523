import { Ack } from '@tocsin/protocol/ack'
import { Alarm } from '@tocsin/protocol/alarm'
import { Command } from '@tocsin/protocol/command'
import { DeviceConfig, ServerTime } from '@tocsin/protocol/config'
import { DeviceError } from '@tocsin/protocol/device-error'
import { DeviceEvent } from '@tocsin/protocol/event'
import { Heartbeat } from '@tocsin/protocol/heartbeat'
import { Reply } from '@tocsin/protocol/reply'
import { Birth, Will } from '@tocsin/protocol/state'
import { type DownChannel, isUpChannel, qosOf, type UpChannel } from '@tocsin/protocol/topics'
import { MediaUploaded, OtaProgress, SubBatch } from '@tocsin/protocol/transfer'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { root } from './source-tree.ts'

export const deviceGuideFile = join(root, 'docs/devices.md')
const START = '<!-- messages: printed by npm run device-messages -->\n'
const END = '<!-- end of messages -->'

type Sample = { title: string; schema: z.ZodType; fixture: string }

/** Every channel with its messages; a missing channel is a compile error. */
const messages: Record<UpChannel | DownChannel, readonly Sample[]> = {
  alarm: [{ title: 'Alarm', schema: Alarm, fixture: 'alarm/panic.json' }],
  event: [{ title: 'Event', schema: DeviceEvent, fixture: 'event/tamper.json' }],
  hb: [{ title: 'Heartbeat', schema: Heartbeat, fixture: 'hb/mains.json' }],
  state: [
    { title: 'Birth', schema: Birth, fixture: 'state/birth.json' },
    { title: 'Will', schema: Will, fixture: 'state/will.json' },
  ],
  reply: [{ title: 'Reply', schema: Reply, fixture: 'reply/accepted.json' }],
  ota: [{ title: 'Update progress', schema: OtaProgress, fixture: 'ota/downloading.json' }],
  media: [{ title: 'Uploaded recording', schema: MediaUploaded, fixture: 'media/audio.json' }],
  sub: [{ title: 'Batch of a gateway', schema: SubBatch, fixture: 'sub/two-children.json' }],
  ack: [{ title: 'Receipt and stage', schema: Ack, fixture: 'ack/accepted.json' }],
  cmd: [{ title: 'Command', schema: Command, fixture: 'cmd/play-tts.json' }],
  config: [{ title: 'Settings', schema: DeviceConfig, fixture: 'config/heartbeat.json' }],
  time: [{ title: 'Clock', schema: ServerTime, fixture: 'time/now.json' }],
  error: [{ title: 'Error', schema: DeviceError, fixture: 'error/heartbeat.json' }],
}

/** Keyed by field, or by channel and field when a name has several meanings. */
const meanings: Record<string, string> = {
  v: 'version of the message',
  boot: 'number of starts of the device; rises with each start',
  seq: 'number of the alarm or event since the start, from 1; a heartbeat repeats the last one',
  ts: 'UTC milliseconds; a wrong clock does not matter',
  upMs: 'milliseconds since the start',
  eventId: 'identifies one press or event forever; keep it in every repeat',
  mode: 'LIVE, or TEST during an announced test',
  code: 'kind of alarm',
  'event.kind': 'what happened to the device',
  'media.kind': 'kind of recording',
  zone: 'part of the device or room that reports',
  press: 'number and duration of the press',
  keyword: 'recognised keyword, its confidence (0 to 1), keyword pack and loudness',
  pos: 'position of a wearable',
  media: 'recordings that belong to the alarm; stored, not fetched',
  bat: 'battery in percent',
  battery: 'battery in percent',
  rssi: 'signal strength in dBm',
  temp: 'temperature in °C',
  replay: 'true when sent later from memory',
  sig: 'signature; stored, not verified',
  fault: 'name of the fault',
  passed: 'result of a self-test',
  detail: 'text for a person',
  cfgVer: 'version of the settings in force',
  fw: 'firmware version',
  unsent: 'number of stored events without a receipt',
  online: 'true in a birth, false in a will',
  caps: 'abilities of the device',
  commandId: 'identifies the command; run it only once',
  'reply.state': 'ACCEPTED at once, then one of the others',
  'ota.state': 'progress of the update',
  result: 'outcome of the command',
  rolloutId: 'identifies the rollout',
  'cmd.type': 'kind of command',
  'ota.type': 'kind of package',
  'sub.type': 'channel of the message',
  version: 'version of the package',
  percent: 'progress in percent',
  error: 'text of the error',
  key: 'name of the recording',
  sha256: 'hash of the recording',
  from: 'start of the recording',
  to: 'end of the recording',
  sn: 'serial number of the child; in a message to a gateway absent for the gateway itself',
  body: 'the message of the child, as on its own channel',
  stage: 'accepted, then progress of the case',
  recordNo: 'number of the record',
  payload: 'parameters of the command',
  expiresAt: 'UTC milliseconds; do not run the command later',
  config: 'wanted settings',
  channel: 'channel of the message that could not be read',
  reason: 'what is wrong with it, for a log',
  field: 'path of the wrong field, if one is known',
}

type Json = {
  type?: string
  enum?: string[]
  const?: unknown
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  properties?: Record<string, Json>
  required?: string[]
  items?: Json
}

const bound = (least: number | undefined, most: number | undefined, unit: string): string => {
  const low = least === undefined || least <= Number.MIN_SAFE_INTEGER ? undefined : least
  const high = most === undefined || most >= Number.MAX_SAFE_INTEGER ? undefined : most
  if (low === undefined && high === undefined) return ''
  if (high === undefined) return `, from ${low}${unit}`
  return low === undefined ? `, at most ${high}${unit}` : `, ${low} to ${high}${unit}`
}

const formatType = (field: Json): string => {
  if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``
  if (field.enum) return field.enum.map((word) => `\`${word}\``).join(', ')
  if (field.pattern) return `string \`${field.pattern}\``
  const parts = field.properties ? ` {${Object.keys(field.properties).join(', ')}}` : ''
  const type = field.type === 'array' ? 'list' : (field.type ?? 'object')
  const limits =
    bound(field.minimum, field.maximum, '') +
    bound(field.minLength, field.maxLength, ' characters') +
    bound(field.minItems, field.maxItems, ' items')
  return `${type}${parts}${limits}`
}

type Row = { channel: string; name: string; field: Json; isRequired: boolean }

const formatRow = ({ channel, name, field, isRequired }: Row): string => {
  const meaning = meanings[`${channel}.${name}`] ?? meanings[name]
  if (meaning === undefined) throw new Error(`the field ${channel}.${name} has no meaning in tools/device-messages.ts`)
  return `| \`${name}\` | ${formatType(field)} | ${isRequired ? 'yes' : ''} | ${meaning} |`
}

const formatFields = (channel: string, schema: z.ZodType): string => {
  const json = z.toJSONSchema(schema, { unrepresentable: 'any' }) as Json
  const { properties = {}, required = [] } = json.items ?? json
  const rows = Object.entries(properties).map(([name, field]) =>
    formatRow({ channel, name, field, isRequired: required.includes(name) }),
  )
  const list = json.items ? `A list${bound(json.minItems, json.maxItems, ' items')}. Each item:\n\n` : ''
  return `${list}| field | value | required | meaning |\n|---|---|---|---|\n${rows.join('\n')}`
}

const formatSample = ({ title, schema, fixture }: Sample, channel: UpChannel | DownChannel): string => {
  const direction = isUpChannel(channel) ? 'up' : 'down'
  const sample: unknown = JSON.parse(readFileSync(join(root, 'packages/protocol/fixtures', fixture), 'utf8'))
  schema.parse(sample)
  return `### ${title}: \`${direction}/${channel}\`, QoS ${qosOf(channel)}

${formatFields(channel, schema)}

\`\`\`json
${JSON.stringify(sample)}
\`\`\``
}

/** Returns the guide with its message section generated from the schemas. */
export const deviceGuideText = (): string => {
  const text = readFileSync(deviceGuideFile, 'utf8')
  const [before, rest = ''] = text.split(START)
  const after = rest.slice(rest.indexOf(END))
  const printed = Object.entries(messages).flatMap(([channel, samples]) =>
    samples.map((sample) => formatSample(sample, channel as UpChannel | DownChannel)),
  )
  return `${before}${START}\n${printed.join('\n\n')}\n\n${after}`
}

if (import.meta.main) writeFileSync(deviceGuideFile, deviceGuideText())
