import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { httpApp } from './app.ts'

let app: Awaited<ReturnType<typeof httpApp>>
const dist = mkdtempSync(join(tmpdir(), 'tocsin-web-'))
beforeAll(async () => {
  writeFileSync(join(dist, 'index.html'), 'the console')
  writeFileSync(join(dist, 'dashboard.html'), 'the console at its start')
  writeFileSync(join(dist, 'login.html'), 'the sign-in page')
  writeFileSync(join(dist, 'csp.json'), '{"script":["sha256-x"]}')
  mkdirSync(join(dist, 'assets'))
  for (const [end, pack] of [
    ['', Buffer.from],
    ['.br', brotliCompressSync],
    ['.gz', gzipSync],
  ] as const)
    writeFileSync(join(dist, `assets/index-abc.js${end}`), pack('a part'))
  app = await httpApp({ dist })
})
afterAll(async () => {
  await app.close()
  rmSync(dist, { recursive: true })
})

it.each(['', 'gzip, deflate, br'])('serves the pages to whoever accepts the encodings "%s"', async (encoding) => {
  const headers = { 'accept-encoding': encoding }
  for (const [url, body] of [
    ['/', 'the console at its start'],
    ['/?x=1', 'the console at its start'],
    ['/dashboard', 'the console at its start'],
    ['/warn/desk', 'the console'],
    ['/login', 'the sign-in page'],
  ] as const) {
    const answer = await app.inject({ url, headers })
    expect([url, answer.statusCode, answer.body]).toEqual([url, 200, body])
    expect(answer.headers['content-security-policy']).toContain("script-src 'self' 'sha256-x'")
  }
})

it.each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['', undefined, (body: Buffer) => body],
] as const)('serves to "%s" a part of the console as %s, and for ever', async (accepted, encoding, unpack) => {
  const answer = await app.inject({ url: '/assets/index-abc.js', headers: { 'accept-encoding': accepted } })
  expect([answer.statusCode, unpack(answer.rawPayload).toString()]).toEqual([200, 'a part'])
  expect(answer.headers['content-encoding']).toBe(encoding)
  expect(answer.headers['content-type']).toMatch(/^(text|application)\/javascript/)
  expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

it('lets no script reach another host', async () => {
  const { headers } = await app.inject({ url: '/' })
  expect(String(headers['content-security-policy']).split('; ')).toContain("connect-src 'self'")
})

it('keeps what the pages are made of to itself', async () => {
  const answer = await app.inject({ url: '/csp.json' })
  expect([answer.statusCode, answer.json().code]).toEqual([404, 404])
})

it('has its sign where a browser looks for one unasked', async () => {
  const answer = await app.inject({ url: '/favicon.ico' })
  expect([answer.statusCode, answer.headers.location]).toEqual([301, '/favicon.svg'])
})
