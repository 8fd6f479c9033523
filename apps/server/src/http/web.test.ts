import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHttpApp } from './app.ts'

let app: Awaited<ReturnType<typeof createHttpApp>>
const dist = mkdtempSync(join(tmpdir(), 'tocsin-web-'))
const files = {
  'index.html': 'the console',
  'dashboard.html': 'the console at its start',
  'login.html': 'the sign-in page',
  'assets/index-abc.js': 'a part',
}
const plain = (body: Buffer) => body
beforeAll(async () => {
  writeFileSync(join(dist, 'csp.json'), '{"script":["sha256-x"]}')
  mkdirSync(join(dist, 'assets'))
  for (const [end, pack] of [
    ['', Buffer.from],
    ['.br', brotliCompressSync],
    ['.gz', gzipSync],
  ] as const)
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, name + end), pack(text))
  app = await createHttpApp({ dist })
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  rmSync(dist, { recursive: true })
})

it.each([
  ['', undefined, plain],
  ['gzip, deflate', 'gzip', gunzipSync],
  ['gzip, deflate, br', 'br', brotliDecompressSync],
] as const)('serves the pages to whoever accepts the encodings "%s"', async (accepted, encoding, unpack) => {
  const headers = { 'accept-encoding': accepted, accept: 'text/html' }
  for (const [url, body] of [
    ['/', 'the console at its start'],
    ['/?x=1', 'the console at its start'],
    ['/dashboard', 'the console at its start'],
    ['/warn/desk', 'the console'],
    ['/login', 'the sign-in page'],
  ] as const) {
    const answer = await app.inject({ url, headers })
    expect([url, answer.statusCode, unpack(answer.rawPayload).toString()]).toEqual([url, 200, body])
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(answer.headers['content-security-policy']).toContain("script-src 'self' 'sha256-x'")
  }
})

it.each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['', undefined, plain],
] as const)('serves to "%s" a part of the console as %s, and for ever', async (accepted, encoding, unpack) => {
  const answer = await app.inject({ url: '/assets/index-abc.js', headers: { 'accept-encoding': accepted } })
  expect([answer.statusCode, unpack(answer.rawPayload).toString()]).toEqual([200, 'a part'])
  expect(answer.headers['content-encoding']).toBe(encoding)
  expect(answer.headers['content-type']).toMatch(/^(text|application)\/javascript/)
  expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

it('allows scripts no connection to another host', async () => {
  const { headers } = await app.inject({ url: '/' })
  expect(String(headers['content-security-policy']).split('; ')).toContain("connect-src 'self'")
})

it('lets pages reach the hosts of the map library only when it is configured', async () => {
  const withMap = await createHttpApp({ dist, mapHosts: ['https://map.test'] })
  const { headers } = await withMap.inject({ url: '/' })
  const rules = String(headers['content-security-policy']).split('; ')
  expect(rules.filter((rule) => rule.includes('map.test')).map((rule) => rule.split(' ')[0])).toEqual([
    'script-src',
    'style-src',
    'img-src',
    'connect-src',
  ])
  expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
  await withMap.close()
})

it("keeps the page's own parts from other sites", async () => {
  const answer = await app.inject({ url: '/csp.json' })
  expect([answer.statusCode, answer.json().code]).toEqual([404, 404])
})

it('has its icon where a browser asks for one by default', async () => {
  const answer = await app.inject({ url: '/favicon.ico' })
  expect([answer.statusCode, answer.headers.location]).toEqual([301, '/favicon.svg'])
})

const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** Over a socket: `inject` normalises an address before the request. */
const open = async (request: string): Promise<IncomingMessage> => {
  const { port } = app.server.address() as AddressInfo
  const [answer] = await once(get({ port, path: request, headers: navigation }), 'response')
  answer.resume()
  return answer
}

it.each([
  ['/system//user', '/system/user'],
  ['/system///user/?x=//y', '/system/user/?x=//y'],
  ['/redirect/https://evil.cn', '/redirect/https:/evil.cn'],
  ['//evil.cn', '/evil.cn'],
  ['///evil.cn//x', '/evil.cn/x'],
  [String.raw`/\evil.cn//x`, '/evil.cn/x'],
  ['/%5Cevil.cn', '/evil.cn'],
  ['/%2F%2fevil.cn', '/evil.cn'],
  ['/.//evil.cn', '/./evil.cn'],
])('leads a browser from %s to the same page here, never elsewhere', async (request, to) => {
  const { statusCode, headers } = await open(request)
  expect([statusCode, headers.location]).toEqual([302, to])
  expect(new URL(to, 'http://own.cn').host).toBe('own.cn')
  expect((await app.inject({ url: to, headers: navigation })).body).toBe('the console')
})

it('rejects calls with repeated slashes, and those of programs, with an envelope', async () => {
  const asks = [
    { url: '/admin-api//system/user/page', headers: navigation },
    { url: '//admin-api/system/user/page', headers: navigation },
    { url: '/system//user', headers: { accept: 'application/json' } },
  ]
  for (const ask of asks) expect((await app.inject(ask)).json()).toMatchObject({ code: 400 })
})

it.each(['/warn/desk', '/nothing/here', '/assets', '/assets/', '/admin-api', '/device-api/'])(
  'answers 404 with an envelope when a program asks for %s',
  async (url) => {
    const answer = await app.inject({ url, headers: { accept: 'application/json' } })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 404])
  },
)

it.each(['/assets', '/assets/', '/admin-api', '/device-api/none'])(
  'serves no page to a browser at %s, which belongs to files and calls',
  async (url) => {
    expect((await app.inject({ url, headers: navigation })).statusCode).toBe(404)
  },
)

it.each(['/nothing/here', '/warn/desk', '/assets/'])('answers 404 to an upgrade at %s, and no page', async (url) => {
  const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
  const answer = await app.inject({ url, headers })
  expect([answer.statusCode, answer.json().code]).toEqual([404, 404])
})

it('serves the console to a browser for an unknown address with a dot, and 404 to a script', async () => {
  const [opened, result] = [navigation, { accept: 'image/avif,*/*' }].map((headers) =>
    app.inject({ url: '/redirect/evil.cn', headers }),
  )
  expect((await opened)?.body).toBe('the console')
  expect((await result)?.statusCode).toBe(404)
})
