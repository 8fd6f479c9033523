import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AlarmCode } from '../src/alarm.ts'
import { checkUp, decodeDown, decodeUp, encode, MAX_UP_BYTES } from '../src/decode.ts'
import { formatPath } from '../src/bytes/parse.ts'
import { DOWN_CHANNELS, UP_CHANNELS } from '../src/topics.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const good = { v: 1, eventId: 'E1763697600-0001', boot: 1, seq: 2, ts: 3, upMs: 4, mode: 'LIVE', code: 'PANIC' }
const alarm = (over: object) => bytes(JSON.stringify({ ...good, ...over }))

test.each([
  ['more than 4 KB', alarm({ zone: 'x'.repeat(4096) }), 'TOO_LARGE', undefined],
  ['bytes that are not UTF-8', new Uint8Array([0x22, 0xc3, 0x28, 0x22]), 'NOT_UTF8', undefined],
  ['an overlong encoding', new Uint8Array([0x22, 0xc0, 0xaf, 0x22]), 'NOT_UTF8', undefined],
  ['nothing', new Uint8Array(0), 'NOT_JSON', undefined],
  ['a NUL inside', bytes('{\0}'), 'NOT_JSON', undefined],
  ['half a message', alarm({}).slice(0, 40), 'NOT_JSON', undefined],
  ['NaN', bytes('{"v":NaN}'), 'NOT_JSON', undefined],
  ['two thousand brackets', bytes('['.repeat(2000) + ']'.repeat(2000)), 'TOO_DEEP', '0.0.0.0.0.0'],
  ['NUL in a string', alarm({ zone: 'a\0b' }), 'FORBIDDEN_TEXT', 'zone'],
  ['a lone surrogate', alarm({ zone: '\ud800' }), 'FORBIDDEN_TEXT', 'zone'],
  ['NUL in a key', alarm({ pos: { 'a\0': 1 } }), 'FORBIDDEN_TEXT', 'pos'],
  ['a lone surrogate as the whole', bytes('"\\udc00"'), 'FORBIDDEN_TEXT', undefined],
  ['__proto__', bytes('{"pos":{"__proto__":{"admin":true}}}'), 'FORBIDDEN_KEY', 'pos.__proto__'],
  ['constructor', alarm({ constructor: { prototype: {} } }), 'FORBIDDEN_KEY', 'constructor'],
  ['1e400', bytes('{"pos":{"lng":1e400}}'), 'FORBIDDEN_NUMBER', 'pos.lng'],
  ['null', bytes('null'), 'WRONG_SHAPE', undefined],
  ['an array', bytes('[]'), 'WRONG_SHAPE', undefined],
  ['an unknown field', alarm({ level: 1 }), 'WRONG_SHAPE', 'level'],
  ['the server’s own mode', alarm({ mode: 'DRILL' }), 'WRONG_SHAPE', 'mode'],
  ['an event id of 15 characters', alarm({ eventId: 'x'.repeat(15) }), 'WRONG_SHAPE', 'eventId'],
  ['an event id with a line end', alarm({ eventId: `${'x'.repeat(16)}\n` }), 'WRONG_SHAPE', 'eventId'],
  [
    'a sequence beyond 2^53',
    bytes(JSON.stringify(good).replace('"seq":2', '"seq":9007199254740993')),
    'WRONG_SHAPE',
    'seq',
  ],
  ['a negative boot', alarm({ boot: -1 }), 'WRONG_SHAPE', 'boot'],
  ['a number as text', alarm({ seq: '2' }), 'WRONG_SHAPE', 'seq'],
  ['confidence above 1', alarm({ keyword: { id: 'a', conf: 1.01, pack: 'p' } }), 'WRONG_SHAPE', 'keyword.conf'],
  ['nine beacons', alarm({ pos: { beacons: Array(9).fill(1) } }), 'WRONG_SHAPE', 'pos.beacons'],
  ['five recordings', alarm({ media: [{}, {}, {}, {}, {}] }), 'WRONG_SHAPE', 'media'],
])('an alarm with %s is refused with reason and field', (_name, input, reason, field) => {
  expect(decodeUp('alarm', input)).toEqual({ ok: false, reason, ...(field && { field }) })
})

test('reports a short and well-formed field however hostile the key is', () => {
  expect(formatPath([])).toBeUndefined()
  expect(formatPath(['a', 0, 'b'])).toBe('a.0.b')
  expect(formatPath([`${'x'.repeat(63)}😀`])).toBe(`${'x'.repeat(63)}\uFFFD`)
})

test('keeps rejected messages away from the prototype of objects', () => {
  decodeUp('sub', bytes('[{"sn":"BAND-0001","type":"hb","body":{"__proto__":{"polluted":1}}}]'))
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('skips a byte order mark before a message and NULs after it', () => {
  for (const text of ['\uFEFF', ''])
    expect(decodeUp('alarm', bytes(`${text}${JSON.stringify(good)}\0\0`))).toMatchObject({ ok: true })
})

const deep = (levels: number): string => (levels === 0 ? '1' : `[${deep(levels - 1)}]`)
const poisons: [text: string, reason: string, field: string][] = [
  ['{"v":2}', 'WRONG_SHAPE', 'v'],
  ['{"zone":"a\\u0000b"}', 'FORBIDDEN_TEXT', 'zone'],
  ['{"zone":"\\ud800"}', 'FORBIDDEN_TEXT', 'zone'],
  ['{"pos":{"lng":1e400}}', 'FORBIDDEN_NUMBER', 'pos.lng'],
  ['{"__proto__":{}}', 'FORBIDDEN_KEY', '__proto__'],
  [`{"media":${deep(6)}}`, 'TOO_DEEP', 'media.0.0.0.0.0'],
]
test.each(poisons)('keeps a sibling in the batch readable when a child sends %s', (text, reason, field) => {
  const sibling = JSON.stringify({ sn: 'BAND-0002', type: 'alarm', body: good })
  const batch = decodeUp('sub', bytes(`[{"sn":"BAND-0001","type":"alarm","body":${text}},${sibling}]`))
  const checked = batch.ok ? batch.message.map((child) => checkUp(child.type, child.body)) : []
  expect(checked).toEqual([
    { ok: false, reason, field },
    { ok: true, message: good },
  ])
})

test('rejects a whole batch for an error outside of the bodies, and for its depth', () => {
  const field = '0.body'
  const refused = (item: string) => decodeUp('sub', bytes(`[{"sn":"BAND-0001","type":"alarm",${item}}]`))
  expect(refused('"body":{},"x":"\\u0000"')).toMatchObject({ ok: false, reason: 'FORBIDDEN_TEXT', field: '0.x' })
  expect(refused('"body":{},"__proto__":1')).toMatchObject({ ok: false, reason: 'FORBIDDEN_KEY' })
  expect(refused('"body":[1]')).toEqual({ ok: false, reason: 'WRONG_SHAPE', field })
  expect(refused(`"body":{"a":${deep(8)}}`)).toMatchObject({ ok: false, reason: 'TOO_DEEP' })
})

test('accepts unknown fields of newer firmware in a heartbeat and drops them', () => {
  const beat = { v: 1, boot: 1, seq: 2, ts: 3, upMs: 4 }
  expect(decodeUp('hb', bytes(JSON.stringify({ ...beat, humidity: 40 })))).toEqual({ ok: true, message: beat })
})

test('never throws on random bytes on any channel', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (input) => {
      for (const channel of UP_CHANNELS) expect(typeof decodeUp(channel, input).ok).toBe('boolean')
      for (const channel of DOWN_CHANNELS) expect(typeof decodeDown(channel, input).ok).toBe('boolean')
    }),
    { numRuns: 2_000 },
  )
})

test('never throws on random JSON, and always names the reason of a rejection', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(...UP_CHANNELS), (text, channel) => {
      const decoded = decodeUp(channel, bytes(text))
      expect(decoded.ok || decoded.reason.length > 0).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('decodes an alarm with one changed byte to a valid alarm, or rejects it', () => {
  const original = alarm({ zone: '三楼', press: { count: 3, holdMs: 900 }, bat: 80 })
  fc.assert(
    fc.property(fc.nat(original.length - 1), fc.nat(255), (at, byte) => {
      const decoded = decodeUp('alarm', original.with(at, byte))
      if (decoded.ok) expect(decodeUp('alarm', encode(decoded.message)).ok).toBe(true)
      else expect(decoded.reason).not.toBe('TOO_LARGE')
    }),
    { numRuns: 3_000 },
  )
})

const text = (maxLength: number) =>
  fc.string({ unit: 'binary', maxLength }).filter((s) => !s.includes('\0') && s.length <= maxLength)
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const anyAlarm = fc.record({
  v: fc.constant(1 as const),
  eventId: fc.stringMatching(/^[0-9A-Za-z_-]{16,40}$/),
  boot: fc.maxSafeNat(),
  seq: fc.maxSafeNat(),
  ts: fc.integer({ min: -62_135_596_800_000, max: 8_640_000_000_000_000 }),
  upMs: fc.maxSafeNat(),
  mode: fc.constantFrom('LIVE' as const, 'TEST' as const),
  code: fc.constantFrom(...AlarmCode.options),
  zone: optional(text(32)),
  press: optional(fc.record({ count: fc.nat(), holdMs: fc.nat() })),
  keyword: optional(fc.record({ id: text(64), conf: fc.double({ min: 0.01, max: 1, noNaN: true }), pack: text(64) })),
  bat: optional(fc.integer()),
  replay: optional(fc.boolean()),
})

test('keeps every alarm unchanged through encoding and decoding', () => {
  fc.assert(
    fc.property(anyAlarm, (message) => {
      expect(decodeUp('alarm', encode(message))).toEqual({ ok: true, message: JSON.parse(JSON.stringify(message)) })
    }),
    { numRuns: 2_000 },
  )
})

test('bounds the largest uplink', () => {
  expect(decodeUp('sub', new Uint8Array(MAX_UP_BYTES + 1))).toEqual({ ok: false, reason: 'TOO_LARGE' })
})
