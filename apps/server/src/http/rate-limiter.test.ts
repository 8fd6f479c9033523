import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFullServer, type FullServer } from '../../test/full-server.ts'
import { registry } from '../metrics.ts'
import { createRateLimiter } from './rate-limiter.ts'

describe('the rate limit of one user', () => {
  it('allows the rate per second, after a burst', () => {
    const mayCall = createRateLimiter({ perSecond: 50, atOnce: 100 })
    const taken = (from: number, to: number, every: number) => {
      let count = 0
      for (let at = from; at < to; at += every) if (mayCall(1, at)) count += 1
      return count
    }
    expect(taken(1000, 1001, 0.001)).toBe(100)
    expect(taken(1001, 11_001, 1)).toBe(500)
    // An idle time refills the bucket to its capacity and no further.
    expect(taken(60_000, 60_001, 0.001)).toBe(100)
  })

  it('is separate for each user', () => {
    const mayCall = createRateLimiter({ perSecond: 1, atOnce: 1 })
    expect([mayCall(1, 0), mayCall(1, 1), mayCall(2, 1), mayCall(1, 1001)]).toEqual([true, false, true, true])
  })

  it('is not expired before the bucket is full again', () => {
    const mayCall = createRateLimiter({ perSecond: 1, atOnce: 10 })
    const taken = (at: number) => Array.from({ length: 20 }, () => mayCall(1, at)).filter(Boolean).length
    // Empty just before idle buckets expire, and checked just after.
    expect([taken(9999), taken(10_001), taken(10_999), taken(19_998), taken(19_999), taken(20_001)]).toEqual([
      10, 0, 1, 8, 1, 0,
    ])
    expect([taken(60_000), taken(90_000)]).toEqual([10, 10])
  })
})

describe('calls beyond the rate limit', () => {
  const PACE = { perSecond: 0.001, atOnce: 3 }
  let site: FullServer
  beforeAll(async () => {
    site = await startFullServer({ pace: PACE })
  })
  afterAll(() => site.close())

  const codeOf = async (path: string, token: string, method = 'GET') =>
    JSON.parse((await site.call(method, path, { token, ...(method === 'POST' && { payload: {} }) })).text).code

  it('are rejected in every session of the user and counted; other users continue', async () => {
    const [first, second] = [await site.session(site.admin), await site.session(site.admin)]
    const figure = async () =>
      (await registry.getSingleMetric('tocsin_http_rate_limited_requests_total')?.get())?.values[0]?.value
    const before = (await figure()) ?? 0
    const path = '/system/auth/get-permission-info'
    expect([await codeOf(path, first), await codeOf(path, second), await codeOf(path, first)]).toEqual([200, 200, 200])
    const refused = await site.app.inject({
      url: `/admin-api${path}`,
      headers: { authorization: `Bearer ${second}` },
    })
    expect(refused.json()).toMatchObject({ code: 429 })
    expect(refused.headers['retry-after']).toBe('5')
    expect(await figure()).toBe(before + 1)
    expect(await codeOf(path, await site.session(site.nobody))).toBe(200)
  })

  it('are accepted when they are about alarms or sign out', async () => {
    const token = await site.session(site.admin)
    expect(await codeOf('/system/user/page', token)).toBe(429)
    expect(await codeOf('/warn/record/desk', token)).toBe(200)
    expect(await codeOf('/warn/record/claim', token, 'POST')).toBe(400)
    expect(await codeOf('/system/auth/logout', token, 'POST')).toBe(200)
  })
})
