import { afterEach, expect, it, vi } from 'vitest'
import { showCopied } from './use-copy.ts'

afterEach(() => vi.useRealTimers())

it('reports a copy for 1500 ms, and restarts with the next one', () => {
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
