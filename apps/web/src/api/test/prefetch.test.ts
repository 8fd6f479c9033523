import { endpoint } from '@tocsin/contract/endpoint'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { prefetch } from '../wire/prefetch.ts'
import { createApiClient } from '../wire/api-client.ts'
import { envelope, localServer } from './local-server.ts'

const words = { kind: 'json', permission: 'token', scope: 'none', summary: '试', summaryEn: 'Try' } as const
const get = endpoint({ ...words, method: 'GET', path: '/try/thing/get', data: z.number() })

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closers.splice(0)) await close()
})

/** Counts its answers; the token `ended` is rejected. */
const open = async (token = 'own') => {
  const server = await localServer(({ headers }) => {
    const refused = headers.authorization === 'Bearer ended'
    return refused ? envelope(401, '账号未登录') : envelope(200, '', server.seen.length)
  })
  closers.push(server.close)
  const nothing = () => undefined
  const { call } = createApiClient({
    base: server.base,
    token: () => token,
    refreshToken: async () => 'new',
    onSessionKilled: nothing,
    onUnauthorized: nothing,
    onMustChangePassword: nothing,
    onLocked: nothing,
  })
  const bearers = () => server.seen.map(({ headers }) => headers.authorization)
  return { call: (signal?: AbortSignal) => call(get, undefined, signal), address: server.base + get.path, bearers }
}

it('answers the first call with the prefetched answer, and no other', async () => {
  const { call, address, bearers } = await open()
  prefetch(address, 'own')
  expect([await call(), await call()]).toEqual([1, 2])
  expect(bearers()).toEqual(['Bearer own', 'Bearer own'])
})

it('renews a rejected token as usual', async () => {
  const { call, address, bearers } = await open('ended')
  prefetch(address, 'ended')
  expect(await call()).toBe(2)
  expect(bearers()).toEqual(['Bearer ended', 'Bearer new'])
})

it('fetches again what another user or an old page prefetched', async () => {
  const { call, address, bearers } = await open()
  prefetch(address, 'other')
  await vi.waitFor(() => expect(bearers()).toEqual(['Bearer other']))
  expect(await call()).toBe(2)
  vi.useFakeTimers({ toFake: ['Date'] })
  prefetch(address, 'own')
  await vi.waitFor(() => expect(bearers()).toHaveLength(3))
  vi.setSystemTime(Date.now() + 11_000)
  expect(await call()).toBe(4)
})

it('drops its answer with an aborted call', async () => {
  const { call, address } = await open()
  prefetch(address, 'own')
  const giving = new AbortController()
  const answer = call(giving.signal)
  giving.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
})
