import { codes } from '@tocsin/contract/codes'
import { queryBool, queryList, queryRange } from '@tocsin/contract/codecs'
import { queryFlag } from '@tocsin/contract/settings/wire-codecs'
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

const Query = z.strictObject({
  createTime: queryRange.optional(),
  state: queryList(['NEW', 'DONE']).optional(),
  name: z.string().optional(),
  isRead: queryBool.optional(),
  visible: queryFlag.optional(),
})
const Body = z.strictObject({
  name: z.string().min(1),
  mobile: z
    .string()
    .regex(/^1\d{10}$/)
    .nullable()
    .optional(),
  sort: z.int().optional(),
  remark: z.string().optional(),
  parts: z.array(z.strictObject({ id: z.int().optional() })).optional(),
})

let app: Awaited<ReturnType<typeof createHttpApp>>
beforeAll(async () => {
  app = await createHttpApp({})
  const shaped = route(
    { ...call('POST', '/thing/shaped'), query: Query, body: Body, data: z.any() },
    async (given) => ({
      query: given.query,
      body: given.body,
    }),
  )
  const calls = [call('GET', '/thing/page'), call('POST', '/thing/create'), call('PUT', '/thing/:id')]
  mountRoutes(app, [...calls.map((call) => route(call, inside)), shaped], {
    authenticate: async () => ({ kind: 'none' }),
    exempt: { mustChange: new Set(), locked: new Set(), readonlyDemo: new Set() },
  })
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

const send = async (query: string, body: object = { name: 'x' }) => {
  const answer = await app.inject({ method: 'POST', url: `/admin-api/thing/shaped?${query}`, payload: body })
  return answer.json<{ code: number; data: { query?: object; body?: object; errors?: { field: string }[] } }>()
}

describe('filters', () => {
  it.each([
    ['a range of empty texts is absent', 'createTime%5B0%5D=&createTime%5B1%5D=', {}],
    ['an empty list is absent', 'state%5B%5D=&state%5B%5D=', {}],
    ['empty texts in a list are left out', 'state%5B%5D=&state%5B%5D=DONE', { state: ['DONE'] }],
    ['a repeated value is one value', 'name=a&name=a&name=', { name: 'a' }],
    ['blanks and invisible marks around a text are left out', 'name=%20YJ20260001%E2%80%8B%20', { name: 'YJ20260001' }],
    ['1 is yes', 'isRead=1&visible=1', { isRead: true, visible: true }],
    ['0 is no', 'isRead=0&visible=0', { isRead: false, visible: false }],
    ['true is yes', 'isRead=true&visible=true', { isRead: true, visible: true }],
    ['false is no', 'isRead=false&visible=false', { isRead: false, visible: false }],
    ['pages of a list without pages are ignored', 'pageNo=1&pageSize=10&pageNum=', {}],
    ['a timestamp against caches is ignored', '_t=1700000000000', {}],
  ])('%s', async (_what, query, read) => {
    expect((await send(query)).data.query).toEqual(read)
  })

  it.each([
    ['two different values', 'name=a&name=b', 'name'],
    ['a range the wrong way round', 'createTime%5B0%5D=2026-01-02&createTime%5B1%5D=2026-01-01', 'createTime'],
    ['half a range', 'createTime%5B0%5D=2026-01-01&createTime%5B1%5D=', 'createTime.1'],
    ['another number for a boolean', 'isRead=2', 'isRead'],
    ['an unknown parameter', 'nmae=a', 'nmae'],
  ])('rejects %s by name', async (_what, query, field) => {
    const { code, data } = await send(query)
    expect({ code, fields: data.errors?.map((error) => error.field) }).toEqual({ code: 400, fields: [field] })
  })
})

describe('an empty text in a body', () => {
  it('means null, or absent where null is not allowed, or stays where the field takes it', async () => {
    const body = { name: 'x', mobile: '', sort: '', remark: '', parts: [{ id: '' }] }
    expect((await send('', body)).data.body).toEqual({ name: 'x', mobile: null, remark: '', parts: [{}] })
  })

  it('is rejected by name in a required field', async () => {
    const { code, data } = await send('', { name: '', mobile: '' })
    expect({ code, fields: data.errors?.map((error) => error.field) }).toEqual({ code: 400, fields: ['name'] })
  })
})

describe('an upload', () => {
  it('is rejected before it is read while the disk has too little space, and other calls go on', async () => {
    let hasSpace = true
    const full = await createHttpApp({})
    const file = { title: '文件', titleEn: 'File', bytes: 10 }
    const upload = { ...call('POST', '/thing/upload'), kind: 'upload', files: { file } } as const
    mountRoutes(full, [route(upload, inside), route(call('GET', '/thing/page'), inside)], {
      authenticate: async () => ({ kind: 'none' }),
      exempt: { mustChange: new Set(), locked: new Set(), readonlyDemo: new Set() },
      hasUploadSpace: async () => hasSpace,
    })
    const codeOf = async (method: 'GET' | 'POST', url: string) => {
      const headers = method === 'POST' ? { 'content-type': 'multipart/form-data; boundary=x' } : {}
      const answer = await full.inject({ method, url: `/admin-api${url}`, headers, payload: '--x--' })
      return answer.json<{ code: number }>().code
    }
    expect(await codeOf('POST', '/thing/upload')).not.toBe(codes.noDiskSpace.code)
    hasSpace = false
    expect(await codeOf('POST', '/thing/upload')).toBe(codes.noDiskSpace.code)
    expect(await codeOf('GET', '/thing/page')).toBe(200)
    await full.close()
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
    // The addresses begin like a route, but no route matches them.
    for (const url of ['/thing/%zz', `/thing/${'7'.repeat(300)}`])
      expect(await ask(url, { method: 'PUT' })).toMatchObject({ status: 404, code: 404, allow: undefined })
  })
})
