import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Decoded, decodeDown, decodeUp, encode } from '../src/decode.ts'
import { DOWN_CHANNELS, isDownChannel, isUpChannel, UP_CHANNELS } from '../src/topics.ts'

const folder = new URL('../fixtures/', import.meta.url)
const decode = (channel: string, bytes: Uint8Array): Decoded<Parameters<typeof encode>[0]> => {
  if (isUpChannel(channel)) return decodeUp(channel, bytes)
  if (isDownChannel(channel)) return decodeDown(channel, bytes)
  throw new Error(`${channel} is not a channel`)
}
const samples = readdirSync(folder).flatMap((channel) =>
  readdirSync(new URL(`${channel}/`, folder)).map((file) => ({
    channel,
    file,
    bytes: readFileSync(new URL(`${channel}/${file}`, folder)),
  })),
)

test('has a golden sample for every channel', () => {
  expect([...new Set(samples.map((sample) => sample.channel))].sort()).toEqual(
    [...UP_CHANNELS, ...DOWN_CHANNELS].sort(),
  )
})

test.each(samples)('decodes golden sample $channel/$file exactly, and encodes it back', (sample) => {
  const decoded = decode(sample.channel, sample.bytes)
  expect(decoded).toEqual({ ok: true, message: JSON.parse(sample.bytes.toString()) })
  if (decoded.ok) expect(decode(sample.channel, encode(decoded.message))).toEqual(decoded)
})
