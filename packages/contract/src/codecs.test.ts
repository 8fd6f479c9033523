import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { queryDays, queryIdsUpTo, queryNumber, queryRange, queryTexts } from './codecs.ts'

it.each([0, -0.5, 0.000001, 999_999_999.999999, 1e-9, 1e21, -1.5e300])('%s comes back from an address', (number) => {
  expect(z.decode(queryNumber(), z.encode(queryNumber(), number))).toBe(number)
})

it.each(['', ' 1', '0x10', '1e999', 'Infinity', 'NaN', '1,5', '11'])('%j is no number up to ten', (text) => {
  expect(z.safeDecode(queryNumber(-10, 10), text).success).toBe(false)
})

it('several texts come by commas or one by one, none of them longer than said', () => {
  const texts = queryTexts(5)
  expect(z.decode(texts, 'a,,b c')).toEqual(['a', 'b c'])
  expect(z.decode(texts, ['a', 'b'])).toEqual(['a', 'b'])
  expect(z.encode(texts, ['a', 'b'])).toBe('a,b')
  expect(z.safeDecode(texts, 'a,123456').success).toBe(false)
  expect(z.safeDecode(texts, Array.from({ length: 21 }, String).join()).success).toBe(false)
})

describe('a list of ids', () => {
  it('comes with commas or repeated, each id once, and not empty, of anything else or too long', () => {
    const read = (given: unknown) => z.safeDecode(queryIdsUpTo(3), given as never).data
    expect([read('7'), read('7,8,7'), read(['7', '8', '7'])]).toEqual([[7], [7, 8], [7, 8]])
    for (const wrong of ['', '7,', 'x', '0', [], ['7', 'x'], ['1,2'], '1,2,3,4', ['1', '2', '3', '4'], { 0: '7' }])
      expect(read(wrong)).toBeUndefined()
    expect(z.encode(queryIdsUpTo(3), [7, 8])).toBe('7,8')
  })
})

describe('the end of a span', () => {
  const from = '2026-11-25 00:00:00'
  const end = (span: typeof queryRange | typeof queryDays, text: string) => z.decode(span, [from, text])[1].getTime()
  /** Of the day after, in Asia/Shanghai. */
  const midnight = Date.UTC(2026, 10, 25, 16)

  it('told in seconds takes in all of the last one, and so all of a day', () => {
    for (const span of [queryRange, queryDays]) expect(end(span, '2026-11-25 23:59:59')).toBe(midnight - 1)
    expect(end(queryDays, '2026-11-25')).toBe(midnight - 1)
  })

  it('told to the millisecond is what it says, also when it comes back', () => {
    const span = z.decode(queryRange, [from, String(midnight)])
    expect(z.decode(queryRange, z.encode(queryRange, span))[1].getTime()).toBe(midnight)
    expect(end(queryRange, '2026-11-25T23:59:59.5+08:00')).toBe(midnight - 500)
    expect(z.safeDecode(queryRange, [from, '2026-02-30 23:59:59']).success).toBe(false)
  })
})
