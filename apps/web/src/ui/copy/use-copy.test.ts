import { afterEach, expect, it, vi } from 'vitest'
import { sayFor } from './use-copy.ts'

afterEach(() => vi.useRealTimers())

it('says for 1500 ms that something was copied, and begins anew with the next', () => {
  vi.useFakeTimers()
  const unsay = vi.fn()
  const end = sayFor(unsay)
  vi.advanceTimersByTime(1000)
  end()
  sayFor(unsay)
  vi.advanceTimersByTime(1499)
  expect(unsay).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(unsay).toHaveBeenCalledOnce()
})
