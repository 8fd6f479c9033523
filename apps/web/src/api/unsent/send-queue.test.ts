import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, fault } from '../error.ts'
import { clearStorage } from '../storage.ts'
import { isRefused, retryDelay } from './retry.ts'
import { createSendQueue } from './send-queue.ts'

type Item = { stepKey: string }
const stored = new Map<string, string>()
const memory = () => {
  stored.clear()
  const api = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      stored.set(key, value)
      Object.assign(api, { [key]: value })
    },
    removeItem: (key: string) => {
      stored.delete(key)
      Reflect.deleteProperty(api, key)
    },
    clear: () => [...stored.keys()].forEach(api.removeItem),
  }
  return api
}
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', memory())
  vi.stubGlobal('sessionStorage', memory())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const failure = (code: number | string, status = 200) => new ApiError({ code, msg: '', status })

/** A queue whose server answers each item with the error named for it, else takes it. */
const openQueue = (isOrdered = false) => {
  const errors = new Map<string, ApiError>()
  const sent: string[] = []
  const refused: string[] = []
  const queue = createSendQueue<Item>({
    name: 'test',
    parse: (text) => JSON.parse(text ?? '[]') as Item[],
    format: (items) => JSON.stringify(items),
    send: async ({ stepKey }) => {
      sent.push(stepKey)
      const error = errors.get(stepKey)
      if (error) throw error
    },
    onSent: async () => undefined,
    onRefused: (_error, { stepKey }) => refused.push(stepKey),
    isOrdered,
  })
  queue.open(7)
  const keys = () => queue.useQueue.getState().items.map(({ stepKey }) => stepKey)
  return { ...queue, errors, sent, refused, keys }
}

describe('an item of a phone', () => {
  it('stays when the network, the server or the session fails, and goes when the server refuses it', () => {
    for (const error of [
      fault('OFFLINE'),
      fault('TIMEOUT'),
      fault('MALFORMED', 200),
      failure(500),
      failure('B0001', 500),
    ])
      expect(isRefused(error), String(error.code)).toBe(false)
    for (const error of [failure(401), failure(401, 401), failure('A0230', 401), failure(503, 503), failure(429, 429)])
      expect(isRefused(error), String(error.code)).toBe(false)
    expect(isRefused(new TypeError('broken page'))).toBe(false)
    for (const code of [400, 403, 404, 1_005_004_001]) expect(isRefused(failure(code)), String(code)).toBe(true)
  })

  it('is sent again after growing delays, and lets the others pass', async () => {
    const queue = openQueue()
    queue.errors.set('a', failure(500)).set('b', failure(1_005_004_000))
    for (const stepKey of ['a', 'b', 'c']) queue.add({ stepKey })
    await vi.advanceTimersByTimeAsync(0)
    expect([queue.keys(), queue.refused]).toEqual([['a'], ['b']])
    expect(stored.get('unsent.test.7')).toContain('"a"')
    expect(queue.useQueue.getState().isFailing).toBe(true)
    const before = queue.sent.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(queue.sent.length - before).toBeLessThan(8)
    queue.errors.clear()
    await vi.advanceTimersByTimeAsync(240_000)
    expect([queue.keys(), stored.size]).toEqual([[], 0])
  })

  it('waits for those before it where the order counts', async () => {
    const queue = openQueue(true)
    queue.errors.set('a', fault('OFFLINE'))
    for (const stepKey of ['a', 'b']) queue.add({ stepKey })
    await vi.advanceTimersByTimeAsync(0)
    expect([queue.keys(), queue.sent.includes('b')]).toEqual([['a', 'b'], false])
  })

  it('outlives the session, and is never sent by another person', async () => {
    const queue = openQueue()
    queue.errors.set('a', failure(401, 401))
    queue.add({ stepKey: 'a' })
    await vi.advanceTimersByTimeAsync(0)
    stored.set('token', 'x')
    clearStorage()
    expect([...stored.keys()]).toEqual(['unsent.test.7'])
    queue.open(8)
    expect(queue.keys()).toEqual([])
    queue.open(7)
    expect(queue.keys()).toEqual(['a'])
  })
})

it('doubles the delay up to two minutes, with a random half', () => {
  expect([1, 2, 3, 20].map((failures) => retryDelay(failures, () => 1))).toEqual([3_000, 6_000, 12_000, 120_000])
  expect(retryDelay(1, () => 0)).toBe(1_500)
})
