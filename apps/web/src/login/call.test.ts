import { describe, expect, it } from 'vitest'
import { showFailure } from './call.ts'

describe('showFailure', () => {
  it.each([
    [200, '维护中', '系统出错'],
    [503, '维护中', '维护中'],
    [503, undefined, '系统出错'],
  ])('shows B0001 with status %s and message %s as %s', (status, message, shown) => {
    const failure = { reason: 'refused', status, code: 'B0001', ...(message && { message }) } as const
    expect(showFailure(failure, 'zh-cn')).toBe(shown)
  })
})
