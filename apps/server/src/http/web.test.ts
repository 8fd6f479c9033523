import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { httpApp } from './app.ts'

let app: Awaited<ReturnType<typeof httpApp>>
const dist = mkdtempSync(join(tmpdir(), 'tocsin-web-'))
beforeAll(async () => {
  writeFileSync(join(dist, 'index.html'), 'the console')
  writeFileSync(join(dist, 'dashboard.html'), 'the console at its start')
  writeFileSync(join(dist, 'login.html'), 'the sign-in page')
  writeFileSync(join(dist, 'csp.json'), '{"script":["sha256-x"]}')
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

it('keeps what the pages are made of to itself', async () => {
  const answer = await app.inject({ url: '/csp.json' })
  expect([answer.statusCode, answer.json().code]).toEqual([404, 404])
})
