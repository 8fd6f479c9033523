import { focusManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, fault } from '../error.ts'
import { client, readAnew, readUnseen, retryFailed } from '../query.ts'

/** A page that shows what `answer` gives; each call is one read, numbered from 1. */
const page = (answer: (read: number) => Promise<string>, retryDelay = 0) => {
  const state = { reads: 0 }
  const observer = new QueryObserver<string, ApiError>(client, {
    queryKey: ['/warn/record', 'page'],
    queryFn: () => answer((state.reads += 1)),
    retryDelay,
  })
  const close = observer.subscribe(() => {})
  return { state, shown: () => observer.getCurrentResult().data, error: () => observer.getCurrentResult().error, close }
}

afterEach(() => {
  client.clear()
  vi.unstubAllGlobals()
  focusManager.setFocused(undefined)
})

describe('what is read anew', () => {
  it('is read once more where the first read was under way, which may have been answered before', async () => {
    const first = Promise.withResolvers<string>()
    const { shown, close } = page((read) => (read === 1 ? first.promise : Promise.resolve('with the alarm')))
    const anew = readAnew({ queryKey: ['/warn/record'] })
    first.resolve('without it')
    await anew
    expect(shown()).toBe('with the alarm')
    close()
  })

  it('is read once where it stood already', async () => {
    const { state, shown, close } = page((read) => Promise.resolve(`reading ${read}`))
    await vi.waitFor(() => expect(shown()).toBe('reading 1'))
    await readAnew({ queryKey: ['/warn/record'] })
    expect(shown()).toBe('reading 2')
    expect(state.reads).toBe(2)
    close()
  })
})

describe('a read that fails', () => {
  it('is tried again in a window that nobody looks at', async () => {
    vi.stubGlobal('document', { visibilityState: 'hidden' })
    vi.stubGlobal('window', new EventTarget())
    readUnseen()
    const { shown, close } = page((read) => (read === 1 ? Promise.reject(fault('OFFLINE')) : Promise.resolve('alarm')))
    await vi.waitFor(() => expect(shown()).toBe('alarm'))
    close()
  })

  it('is tried once more at a sign of life when every try was used up, unless it was refused for good', async () => {
    let error = fault('OFFLINE')
    const {
      state,
      shown,
      error: said,
      close,
    } = page((read) => (read === 4 ? Promise.resolve('alarm') : Promise.reject(error)))
    await vi.waitFor(() => expect(said()).toBe(error))
    expect(state.reads).toBe(3)
    await retryFailed()
    expect(shown()).toBe('alarm')

    error = new ApiError({ code: 403, msg: 'no' })
    await readAnew()
    await vi.waitFor(() => expect(said()).toBe(error))
    await retryFailed()
    expect(state.reads).toBe(5)
    close()
  })
})
