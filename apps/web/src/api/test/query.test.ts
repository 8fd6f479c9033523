import { focusManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, fault } from '../error.ts'
import {
  client,
  cachedQueryHashes,
  retainAll,
  invalidate,
  refetchOne,
  enableBackgroundRefetch,
  retryTransient,
} from '../query.ts'

const RECORD = { path: '/warn/record/page' } as const

/** A page that shows what `answer` returns; each call is one read, numbered from 1. */
const page = (answer: (read: number) => Promise<string>, name = 'page') => {
  const state = { reads: 0 }
  const observer = new QueryObserver<string, ApiError>(client, {
    queryKey: ['/warn/record', name],
    queryFn: () => answer((state.reads += 1)),
    retryDelay: 0,
    // As in a browser; elsewhere nothing is ever evicted.
    gcTime: 300_000,
  })
  const close = observer.subscribe(() => {})
  return { state, shown: () => observer.getCurrentResult().data, error: () => observer.getCurrentResult().error, close }
}

afterEach(() => {
  client.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  focusManager.setFocused(undefined)
})

describe('refetching', () => {
  it('reads once more where the first read was in progress, which may have been answered before', async () => {
    const first = Promise.withResolvers<string>()
    const { shown, close } = page((read) => (read === 1 ? first.promise : Promise.resolve('with the alarm')))
    const anew = invalidate(RECORD)
    first.resolve('without it')
    await anew
    expect(shown()).toBe('with the alarm')
    close()
  })

  it('waits for its own first read only', async () => {
    const [slow, first] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    const review = page(() => slow.promise, 'review')
    const queue = page((read) => (read === 1 ? first.promise : Promise.resolve('with the alarm')), 'queue')
    for (const hash of cachedQueryHashes({ queryKey: ['/warn/record'] })) void refetchOne(hash)
    first.resolve('without it')
    await vi.waitFor(() => expect(queue.shown()).toBe('with the alarm'))
    expect(review.state.reads).toBe(1)
    for (const { close } of [queue, review]) close()
  })

  it('removes data of other pages too when the server rejects the read', async () => {
    const refused = new ApiError({ code: 403, msg: '' })
    const away = new ApiError({ code: 500, msg: '' })
    const other = page(() => Promise.resolve('rows of before'))
    await vi.waitFor(() => expect(other.shown()).toBe('rows of before'))
    const again = (error: ApiError) => (read: number) => (read === 1 ? Promise.resolve('rows') : Promise.reject(error))
    const [rows, broken] = [page(again(refused), 'rows'), page(again(away), 'broken')]
    await vi.waitFor(() => expect([rows.shown(), broken.shown()]).toEqual(['rows', 'rows']))
    client.setQueryData(['/warn/record', 'rows', 'page 2'], 'more rows')
    await invalidate(RECORD)
    expect(rows.error()).toBe(refused)
    expect([rows.shown(), broken.shown(), other.shown()]).toEqual([undefined, 'rows', 'rows of before'])
    expect(client.getQueryData(['/warn/record', 'rows', 'page 2'])).toBe(undefined)
    for (const { close } of [other, rows, broken]) close()
  })

  it('reads once what is cached already', async () => {
    const { state, shown, close } = page((read) => Promise.resolve(`reading ${read}`))
    await vi.waitFor(() => expect(shown()).toBe('reading 1'))
    await invalidate(RECORD)
    expect(shown()).toBe('reading 2')
    expect(state.reads).toBe(2)
    close()
  })
})

describe('cached data', () => {
  it('stays for as long as it is held, shown or not, and is not read meanwhile', async () => {
    vi.useFakeTimers()
    const { state, close } = page(() => Promise.resolve('a form begun with it'))
    await vi.advanceTimersByTimeAsync(0)
    const release = retainAll()
    close()
    await vi.advanceTimersByTimeAsync(3_600_000)
    await invalidate(RECORD)
    expect(client.getQueryData(['/warn/record', 'page'])).toBe('a form begun with it')
    expect(state.reads).toBe(1)
    const again = page((read) => Promise.resolve(`reading ${read}`))
    await vi.advanceTimersByTimeAsync(0)
    expect(again.shown()).toBe('reading 1')
    again.close()
    release()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(client.getQueryData(['/warn/record', 'page'])).toBe(undefined)
  })
})

it('that is momentary is not kept', async () => {
  const options = { queryKey: ['/warn/record', 'desk'], queryFn: () => 'one alarm', meta: { ofNow: true } }
  await client.fetchQuery(options)
  const release = retainAll()
  expect(client.getQueryData(options.queryKey)).toBe(undefined)
  release()
})

describe('a failed read', () => {
  it('is retried in a hidden window', async () => {
    vi.stubGlobal('document', { visibilityState: 'hidden' })
    vi.stubGlobal('window', new EventTarget())
    enableBackgroundRefetch()
    const { shown, close } = page((read) => (read === 1 ? Promise.reject(fault('OFFLINE')) : Promise.resolve('alarm')))
    await vi.waitFor(() => expect(shown()).toBe('alarm'))
    close()
  })

  it('is retried once at a sign of life, long after the retries were used up', async () => {
    const { state, shown, error, close } = page((read) =>
      [1, 5].includes(read) ? Promise.resolve(`reading ${read}`) : Promise.reject(fault('OFFLINE')),
    )
    await vi.waitFor(() => expect(shown()).toBe('reading 1'))
    await invalidate(RECORD)
    expect(error()).not.toBe(null)
    await retryTransient()
    expect(state.reads).toBe(4)
    await retryTransient(Date.now() + 20_000)
    expect(shown()).toBe('reading 5')
    close()
  })

  it('is not retried after a refusal, nor where no old data is shown', async () => {
    const refused = page((read) =>
      read === 1 ? Promise.resolve('known') : Promise.reject(new ApiError({ code: 403, msg: 'no' })),
    )
    await vi.waitFor(() => expect(refused.shown()).toBe('known'))
    const never = page(() => Promise.reject(fault('OFFLINE')), 'never')
    await invalidate(RECORD)
    const before = [refused.state.reads, never.state.reads]
    await retryTransient(Date.now() + 60_000)
    expect([refused.state.reads, never.state.reads]).toEqual(before)
    for (const { close } of [refused, never]) close()
  })
})
