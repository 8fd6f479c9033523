import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createHttpApp } from './app.ts'
import { mountRoutes } from './mount.ts'
import { route } from './route.ts'

// What wire.md 1.0, 2.3, 2.5 and SPEC 9 require of every call.

const call = (method: 'GET' | 'POST' | 'PUT', path: `/${string}`) =>
  ({
    method,
    path,
    kind: 'json',
    permission: 'open',
    scope: 'none',
    summary: '测试',
    summaryEn: 'Test',
    data: z.literal('inside'),
  }) as const
const inside = async () => 'inside' as const

let app: Awaited<ReturnType<typeof createHttpApp>>
beforeAll(async () => {
  app = await createHttpApp({})
  const calls = [call('GET', '/thing/page'), call('POST', '/thing/create'), call('PUT', '/thing/:id')]
  mountRoutes(
    app,
    calls.map((one) => route(one, inside)),
    {
      authenticate: async () => ({ kind: 'none' }),
      exempt: { mustChange: new Set(), locked: new Set(), readonlyDemo: new Set() },
    },
  )
})
afterAll(() => app.close())

const ask = async (url: string, { method = 'GET' as 'GET' | 'POST' | 'PUT' | 'DELETE', headers = {} } = {}) => {
  const answer = await app.inject({ method, url: `/admin-api${url}`, headers })
  const { allow, 'cache-control': kept } = answer.headers
  return { status: answer.statusCode, allow, kept, ...answer.json<{ code: number; msg: string }>() }
}

describe('the tenant (wire 1.0)', () => {
  it.each([
    [undefined, 200],
    ['1', 200],
    ['2', 400],
    ['0', 400],
    ['', 400],
    ['01', 400],
    ['1, 2', 400],
    ['x', 400],
  ])('%j answers %i', async (tenant, code) => {
    const headers = tenant === undefined ? {} : { 'tenant-id': tenant }
    expect(await ask('/thing/page', { headers })).toMatchObject({ status: 200, code })
  })
})

describe('a query (SPEC 9: 20 of a list, 5 levels, 1000 parameters)', () => {
  const list = (n: number) => Array.from({ length: n }, (_, i) => `a[${i}]=x`).join('&')
  const many = (n: number) => Array.from({ length: n }, (_, i) => `p${i}=x`).join('&')
  const deep = (n: number) => `a${'[b]'.repeat(n)}=x`
  const dots = (n: number) => `a${'.b'.repeat(n)}=x`

  it.each([
    ['20 of a list', list(20), 200],
    ['21 of a list', list(21), 400],
    ['20 of a name that comes again', 'a=x&'.repeat(20), 200],
    ['21 of a name that comes again', 'a=x&'.repeat(21), 400],
    ['5 levels', deep(5), 200],
    ['6 levels', deep(6), 400],
    ['5 levels by dots', dots(5), 200],
    ['6 levels by dots', dots(6), 400],
    ['1000 parameters', many(1000), 200],
    ['1001 parameters', many(1001), 400],
  ])('of %s', async (_what, query, code) => {
    expect(await ask(`/thing/page?${query}`)).toMatchObject({ status: 200, code })
  })
})

describe('a known address by another method (wire 2.3)', () => {
  it.each([
    ['POST', '/thing/page', 'GET, HEAD, PUT'],
    ['GET', '/thing/create', 'POST, PUT'],
    ['DELETE', '/thing/create/?a=1', 'POST, PUT'],
    ['DELETE', '/thing/7', 'PUT'],
  ] as const)('%s %s is answered 405 and which it may be', async (method, url, allow) => {
    const { code, zh: msg } = codes.method
    expect(await ask(url, { method })).toMatchObject({ status: 405, code, msg, allow, kept: 'no-store' })
  })

  it('is different from an unknown address', async () => {
    for (const url of ['/thing', '/thing/7/8', '/other/page'])
      expect(await ask(url, { method: 'DELETE' })).toMatchObject({ status: 404, code: 404, allow: undefined })
    // No such address, though it looks like one.
    for (const url of ['/thing/%zz', `/thing/${'7'.repeat(300)}`])
      expect(await ask(url, { method: 'PUT' })).toMatchObject({ status: 404, code: 404, allow: undefined })
  })
})
