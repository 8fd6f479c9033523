import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { httpKey, readSignHeaders, sign, signedHeaders, verifySign } from '../src/sign.ts'
import { FALLBACK_AFTER_MS, resendAtMs } from '../src/retry.ts'

const key = httpKey(new Uint8Array(32).fill(7))
const request = {
  method: 'POST',
  path: '/device-api/v1/alarms',
  nonce: 'AAAAAAAAAAAAAAAAAAAAAA',
  body: new TextEncoder().encode('{"v":1}'),
}
const device = { productKey: 'panic1', sn: 'SN-0001' }
const lower = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

test('signs as documented, computed here step by step', () => {
  const k = Buffer.from(hkdfSync('sha256', Buffer.alloc(32, 7), Buffer.alloc(0), 'http', 32))
  const body = createHash('sha256').update('{"v":1}').digest('hex')
  const text = `POST\n/device-api/v1/alarms\nAAAAAAAAAAAAAAAAAAAAAA\n${body}`
  expect(sign(key, request)).toBe(createHmac('sha256', k).update(text).digest('base64url'))
})

test('verifies a signature for its own request only', () => {
  const given = sign(key, request)
  expect(verifySign(key, request, given)).toBe(true)
  expect(verifySign(key, { ...request, method: 'post' }, given)).toBe(true)
  expect(verifySign(key, { ...request, method: 'PUT' }, given)).toBe(false)
  expect(verifySign(key, { ...request, path: '/device-api/v1/alarms?x=1' }, given)).toBe(false)
  expect(verifySign(key, { ...request, nonce: 'BAAAAAAAAAAAAAAAAAAAAA' }, given)).toBe(false)
  expect(verifySign(key, { ...request, body: new TextEncoder().encode('{"v":2}') }, given)).toBe(false)
  expect(verifySign(httpKey(new Uint8Array(32).fill(8)), request, given)).toBe(false)
})

test.each(['', 'x', 'x'.repeat(43), 'x'.repeat(44), '签'.repeat(43), `${'A'.repeat(42)}=`])(
  'the signature %j is refused without an error',
  (given) => {
    expect(verifySign(key, request, given)).toBe(false)
  },
)

test('reads the four headers back', () => {
  const headers = signedHeaders(key, device, 1_763_697_652_118, request)
  expect(headers['X-Dev']).toBe('panic1/SN-0001')
  expect(readSignHeaders(lower(headers))).toEqual({
    ok: true,
    value: { device, ts: 1_763_697_652_118, nonce: request.nonce, sign: sign(key, request) },
  })
})

test.each([
  ['X-Dev', 'SN-0001'],
  ['X-Ts', '1e12'],
  ['X-Nonce', 'short'],
  ['X-Sign', 'deadbeef'],
])('a wrong or missing %s is named', (name, wrong) => {
  const headers = lower(signedHeaders(key, device, -1, request))
  expect(readSignHeaders(headers).ok).toBe(true)
  expect(readSignHeaders({ ...headers, [name.toLowerCase()]: wrong })).toEqual({ ok: false, field: name })
  expect(readSignHeaders({ ...headers, [name.toLowerCase()]: undefined })).toEqual({ ok: false, field: name })
  expect(readSignHeaders({ ...headers, [name.toLowerCase()]: ['a', 'b'] })).toEqual({ ok: false, field: name })
})

test('rejects signing a request with a weak nonce', () => {
  expect(() => signedHeaders(key, device, 1, { ...request, nonce: 'a\nb' })).toThrow('nonce')
})

test('repeats at 1, 2, 4, 8, 15, 30 s and then every 30 s', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8].map(resendAtMs)).toEqual([1e3, 2e3, 4e3, 8e3, 15e3, 30e3, 60e3, 90e3])
  expect(FALLBACK_AFTER_MS).toBe(5_000)
})
