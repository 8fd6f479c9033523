import { afterEach, expect, it, vi } from 'vitest'
import { showCopied } from './use-copy.ts'

afterEach(() => vi.useRealTimers())

it('says for 1500 ms that something was copied, and begins anew with the next', () => {
  vi.useFakeTimers()
  const unsay = vi.fn()
  const end = showCopied(unsay)
  vi.advanceTimersByTime(1000)
  end()
  showCopied(unsay)
  vi.advanceTimersByTime(1499)
  expect(unsay).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(unsay).toHaveBeenCalledOnce()
})
