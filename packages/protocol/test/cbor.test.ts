import fc from 'fast-check'
import { expect, test } from 'vitest'
import { looksLikeCbor, readCbor } from '../src/bytes/cbor.ts'
import { eventIdIn } from '../src/bytes/parse.ts'
import { decodeUp } from '../src/decode.ts'

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

/** As devices encode it: the shortest heads, numbers with a fraction as doubles. */
const head = (major: number, count: number): number[] => {
  const bytes = Buffer.alloc(9)
  const [info, size] = count < 24 ? [count, 0] : count < 256 ? [24, 1] : count < 65_536 ? [25, 2] : [27, 8]
  bytes[0] = (major << 5) | info
  if (size === 8) bytes.writeBigUInt64BE(BigInt(count), 1)
  else if (size > 0) bytes.writeUIntBE(count, 1, size)
  return [...bytes.subarray(0, 1 + size)]
}
const written = (value: unknown): number[] => {
  if (typeof value === 'boolean') return [value ? 0xf5 : 0xf4]
  if (typeof value === 'string') return [...head(3, Buffer.byteLength(value)), ...Buffer.from(value)]
  if (Array.isArray(value)) return [...head(4, value.length), ...value.flatMap(written)]
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9, 0xfb)
    bytes.writeDoubleBE(value, 1)
    return [...bytes]
  }
  if (value === null || typeof value !== 'object') return [0xf6]
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return [...head(5, entries.length), ...entries.flatMap(([key, inner]) => [...written(key), ...written(inner)])]
}
const cbor = (value: unknown) => Uint8Array.from(written(value))

const good = {
  v: 1,
  eventId: 'E1763697600-0001',
  boot: 1,
  seq: 2,
  ts: 1_763_697_652_118,
  upMs: 4,
  mode: 'LIVE',
  code: 'PANIC',
}

// RFC 8949, appendix A.
test.each([
  ['00', 0],
  ['1864', 100],
  ['1a000f4240', 1_000_000],
  ['1b000000e8d4a51000', 1_000_000_000_000],
  ['3903e7', -1000],
  ['f93e00', 1.5],
  ['fa47c35000', 100_000],
  ['fb3ff199999999999a', 1.1],
  ['f4', false],
  ['f6', null],
  ['62c3bc', 'ü'],
  ['83010203', [1, 2, 3]],
  ['a26161016162820203', { a: 1, b: [2, 3] }],
  ['7f657374726561646d696e67ff', 'streaming'],
  ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
  ['bf61610161629f0203ffff', { a: 1, b: [2, 3] }],
  ['d9d9f7a0', {}],
])('%s is what the standard says', (bytes, value) => {
  expect(readCbor(hex(bytes))).toEqual(value)
})

test.each([
  ['nothing', ''],
  ['a byte string', 'a1616141ff'],
  ['undefined', 'a16161f7'],
  ['another tag', 'a16161c11a514b67b0'],
  ['a number as key', 'a10101'],
  ['more than one item', 'a0a0'],
  ['a text that is longer than the message', 'a1616178ff61'],
  ['a map that is longer than the message', 'bbffffffffffffffff6161'],
  ['an open map without its end', 'bf616101'],
  ['a text that is not UTF-8', 'a1616161ff'],
  ['a reserved head', 'a161611c'],
  ['an open text in an open text', 'a161617f7f6161ffff'],
  ['arrays in arrays', '81'.repeat(4000)],
  ['more items than any message has', `9f${'60'.repeat(100_000)}ff`],
  ['a text of more parts than any has', `7f${'60'.repeat(100_000)}ff`],
])('%s is not read', (_what, bytes) => {
  expect(() => readCbor(hex(bytes))).toThrow()
})

test('decodes an alarm in CBOR like the alarm in JSON, with the same errors', () => {
  expect(decodeUp('alarm', cbor(good))).toEqual({ ok: true, message: good })
  expect(decodeUp('alarm', Uint8Array.of(0xd9, 0xd9, 0xf7, ...written(good)))).toEqual({ ok: true, message: good })
  const refused = (more: object) => decodeUp('alarm', cbor({ ...good, ...more }))
  expect(refused({ zone: 'a\0b' })).toEqual({ ok: false, reason: 'FORBIDDEN_TEXT', field: 'zone' })
  expect(refused({ pos: { lng: Number.POSITIVE_INFINITY } })).toMatchObject({ reason: 'FORBIDDEN_NUMBER' })
  expect(refused({ pos: { ['__proto__']: { admin: true } } })).toMatchObject({ reason: 'FORBIDDEN_KEY' })
  expect(refused({ pos: { beacons: [[[[[[1]]]]]] } })).toMatchObject({ reason: 'TOO_DEEP' })
  expect(refused({ seq: '2' })).toEqual({ ok: false, reason: 'WRONG_SHAPE', field: 'seq' })
  expect(decodeUp('alarm', cbor(good).slice(0, 40))).toEqual({ ok: false, reason: 'NOT_CBOR' })
  const batch = [{ sn: 'BAND-0001', type: 'alarm', body: good }]
  expect(decodeUp('sub', cbor(batch))).toEqual({ ok: true, message: batch })
})

test('decodes no UTF-8 text as CBOR', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      expect(looksLikeCbor(new TextEncoder().encode(text))).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

test('keeps every JSON value through CBOR', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(readCbor(cbor(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { numRuns: 2_000 },
  )
})

test('never crashes on bytes that begin like CBOR', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0x80, max: 0xbf }), fc.uint8Array({ maxLength: 200 }), (first, rest) => {
      const decoded = decodeUp('alarm', Uint8Array.of(first, ...rest))
      expect(decoded.ok || decoded.reason.length > 0).toBe(true)
    }),
    { numRuns: 3_000 },
  )
})

test('finds the event id in an unreadable message of both formats, and nothing else', () => {
  expect(eventIdIn(cbor({ ...good, seq: '2' }).slice(0, -3))).toBe(good.eventId)
  expect(eventIdIn(cbor({ eventId: 'x'.repeat(40), d: 1 }))).toBe('x'.repeat(40))
  expect(eventIdIn(cbor({ eventId: 'x'.repeat(41) }))).toBe(null)
  expect(eventIdIn(cbor({ eventId: `${'x'.repeat(16)} ` }))).toBe(null)
  expect(eventIdIn(cbor({ event: good.eventId }))).toBe(null)
  expect(eventIdIn(Buffer.from(`{"eventId": "${good.eventId}", oops`))).toBe(good.eventId)
  expect(eventIdIn(Buffer.from(`{"eventId": "short"`))).toBe(null)
  expect(eventIdIn(cbor({ zone: 'eventId', ...good, seq: '2' }))).toBe(good.eventId)
  expect(eventIdIn(Buffer.from(`\x81{"eventId": "${good.eventId}"}`, 'latin1'))).toBe(good.eventId)
})
