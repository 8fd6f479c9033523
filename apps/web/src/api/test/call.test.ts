import { queryDate, queryList } from '@tocsin/contract/codecs'
import { endpoint } from '@tocsin/contract/endpoint'
import { field } from '@tocsin/contract/field'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ApiError } from '../error.ts'
import { toDisplayedError } from '../error-display.ts'
import { createApiClient, type ApiTransport } from '../wire/api-client.ts'
import { envelope, localServer } from './local-server.ts'

const words = { kind: 'json', permission: 'token', scope: 'none', summary: '试', summaryEn: 'Try' } as const
const list = endpoint({
  ...words,
  method: 'GET',
  path: '/try/thing/:id',
  params: z.strictObject({ id: z.int() }),
  query: z.strictObject({
    keyword: z.string().nullable().optional(),
    state: queryList(['A', 'B']).optional(),
    createTime: z.tuple([queryDate, queryDate]).optional(),
    nested: z.object({ a: z.object({ b: z.string().nullable() }) }).optional(),
  }),
  data: z.null(),
})
const save = endpoint({
  ...words,
  method: 'POST',
  path: '/try/thing/save',
  body: z.strictObject({
    name: field(z.string().min(2), '名称', 'Name'),
    note: z.string().nullable(),
    deep: z.array(z.object({ text: z.string().nullable() })),
  }),
  data: z.null(),
})
const plain = endpoint({ ...words, method: 'GET', path: '/try/thing/get', data: z.number() })
const file = endpoint({ ...words, kind: 'file', method: 'GET', path: '/try/thing/export', data: z.null() })

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const open = async (answer: Parameters<typeof localServer>[0], door: Partial<ApiTransport> = {}) => {
  const server = await localServer(answer)
  closers.push(server.close)
  const items: string[] = []
  const calls = createApiClient({
    base: server.base,
    token: () => 'old',
    refreshToken: async () => 'new',
    onSessionKilled: (why) => void items.push(why ? `killed ${why}` : 'killed'),
    onUnauthorized: () => void items.push('refused'),
    onMustChangePassword: () => void items.push('mustChange'),
    onLocked: () => void items.push('locked'),
    ...door,
  })
  return { ...server, ...calls, told: items }
}

const failure = async (answer: Parameters<typeof localServer>[0]) => {
  const { call, told } = await open(answer)
  const error: unknown = await call(plain).catch((thrown: unknown) => thrown)
  if (!(error instanceof ApiError)) throw new Error('the call did not fail')
  return { error, shown: toDisplayedError(error, 'zh-cn'), told }
}

describe('request encoding', () => {
  it('sends bearer token and tenant, fills the path, brackets nested keys and skips nulls and empty strings', async () => {
    const { call, seen } = await open(() => envelope(200))
    const day = [new Date(1000), new Date(2000)] as [Date, Date]
    await call(list, {
      params: { id: 7 },
      query: { keyword: '', state: ['A', 'B'], createTime: day, nested: { a: { b: 'x' } } },
    })
    const [first] = seen
    expect(decodeURIComponent(first?.url ?? '')).toBe(
      '/try/thing/7?state=A,B&createTime[0]=1000&createTime[1]=2000&nested[a][b]=x',
    )
    expect(first?.headers).toMatchObject({ authorization: 'Bearer old', 'tenant-id': '1' })
  })

  it('turns empty strings of a body into null at any depth', async () => {
    const { call, seen } = await open(() => envelope(200))
    await call(save, { body: { name: '门铃', note: '', deep: [{ text: '' }] } })
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ name: '门铃', note: null, deep: [{ text: null }] })
  })

  it('never sends what the contract rejects, and names the field', async () => {
    const { call, seen } = await open(() => envelope(200))
    await expect(call(save, { body: { name: '门', note: null, deep: [] } })).rejects.toMatchObject({
      code: 400,
      errors: [{ field: 'name', rule: 'tooShort', bound: 2 }],
    })
    expect(seen).toHaveLength(0)
  })
})

describe('the envelope table of wire 2.2', () => {
  it.each([[200], [0], [undefined], [null]])('accepts code %s as success', async (code) => {
    const { call } = await open(() => envelope(code, '', 5))
    await expect(call(plain)).resolves.toBe(5)
  })

  it.each([
    ['无效的刷新令牌', 400, 'silent'],
    ['刷新令牌已过期', 401, 'silent'],
    ['用户账号已经存在', 1_002_003_000, 'toast'],
    ['验证码已使用', 1_002_014_002, 'toast'],
    ['手机号已经存在', 1_002_003_001, 'toast'],
    ['验证码不存在', 1_002_014_000, 'toast'],
    ['名称已存在', 1003, 'notification'],
  ])('shows %s (%s) as %s', async (msg, code, place) => {
    const { shown } = await failure(() => envelope(code, msg))
    expect(shown).toMatchObject({ place, text: msg })
  })

  it('ignores the message of code 500 and keeps the trace id', async () => {
    const { shown } = await failure(() => ({ body: JSON.stringify({ code: 500, msg: 'stack', traceId: 't1' }) }))
    expect(shown).toEqual({ place: 'toast', text: '服务器错误,请联系管理员!', traceId: 't1' })
  })

  it('shows B0001 as the system error and 901 as the demo notice', async () => {
    expect((await failure(() => envelope('B0001', 'x'))).shown).toMatchObject({ place: 'toast', text: '系统出错' })
    expect((await failure(() => envelope(901))).shown).toMatchObject({
      place: 'info',
      text: '演示模式，不能进行写操作!',
    })
  })

  it('ends the session on A0230 with HTTP 401 and shows no second message', async () => {
    const { told, shown } = await failure(() => ({ status: 401, ...envelope('A0230', '您的会话已过期，请重新登录') }))
    expect(told).toEqual(['killed'])
    expect(shown.place).toBe('silent')
  })

  it('shows why a session was ended', async () => {
    const answer = envelope('A0230', '您的会话已过期，请重新登录', { reason: 'DISABLED' })
    expect((await failure(() => ({ status: 401, ...answer }))).told).toEqual(['killed DISABLED'])
  })

  it('shows the message of any other HTTP error as a toast, or the sentence of its status', async () => {
    expect((await failure(() => ({ status: 404, ...envelope(404, '请求未找到') }))).shown).toMatchObject({
      place: 'toast',
      text: '请求未找到',
    })
    expect((await failure(() => ({ status: 502, body: '<html>' }))).shown).toMatchObject({
      place: 'toast',
      text: '网络错误!',
    })
  })

  it('distinguishes an unreadable answer and an unreachable server from a refusal', async () => {
    expect((await failure(() => ({ body: 'no json' }))).error.code).toBe('MALFORMED')
    expect((await failure(() => envelope(200, '', 'text'))).error.code).toBe('MALFORMED')
    const { call, close } = await open(() => envelope(200))
    await close()
    closers.pop()
    await expect(call(plain)).rejects.toMatchObject({ code: 'OFFLINE' })
  })

  it('fails after the time limit', async () => {
    const { call } = await open(() => new Promise(() => {}), { timeoutMs: 50 })
    await expect(call(plain)).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it('aborts a stalled file, but not a slow one that makes progress', async () => {
    const headers = { 'content-type': 'text/csv', 'content-disposition': "attachment; filename*=UTF-8''a.csv" }
    async function* pieces(last: () => Promise<unknown>) {
      for (let n = 0; n < 5; n += 1) {
        yield String(n)
        await pause(600)
      }
      await last()
    }
    const slow = await open(() => ({ headers, body: Readable.from(pieces(async () => {})) }), { timeoutMs: 2000 })
    expect(await (await slow.fetchFile(file)).file.text()).toBe('01234')
    const still = await open(() => ({ headers, body: Readable.from(pieces(() => new Promise(() => {}))) }), {
      timeoutMs: 2000,
    })
    await expect(still.fetchFile(file)).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it('returns a file, and reads an envelope that was sent instead of a file', async () => {
    const headers = { 'content-type': 'text/csv', 'content-disposition': "attachment; filename*=UTF-8''%E8%A1%A8.csv" }
    const good = await open(() => ({ headers, body: 'a,b' }))
    const answer = await good.fetchFile(file)
    expect([answer.name, await answer.file.text()]).toEqual(['表.csv', 'a,b'])
    const bad = await open(() => envelope(403, '没有该操作权限'))
    await expect(bad.fetchFile(file)).rejects.toMatchObject({ code: 403 })
  })
})

describe('a call refused with 401', () => {
  it('is repeated with the renewed token', async () => {
    const { call, seen } = await open(({ headers }) =>
      headers.authorization === 'Bearer new' ? envelope(200, '', 1) : envelope(401, '账号未登录'),
    )
    await expect(call(plain)).resolves.toBe(1)
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
  })

  it('is not tried a third time when the renewed token is rejected too', async () => {
    const { call, seen, told } = await open(() => envelope(401, '账号未登录'))
    await expect(call(plain)).rejects.toMatchObject({ code: 401 })
    expect(seen).toHaveLength(2)
    expect(told).toEqual(['refused'])
  })
})
