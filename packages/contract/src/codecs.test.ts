import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { queryIdsUpTo, queryNumber, queryRange, queryTexts } from './codecs.ts'

it.each([0, -0.5, 0.000001, 999_999_999.999999, 1e-9, 1e21, -1.5e300])('decodes %s from an address', (number) => {
  expect(z.decode(queryNumber(), z.encode(queryNumber(), number))).toBe(number)
})

it.each(['', ' 1', '0x10', '1e999', 'Infinity', 'NaN', '1,5', '11'])('rejects %j as a number up to ten', (text) => {
  expect(z.safeDecode(queryNumber(-10, 10), text).success).toBe(false)
})

it('reads several texts separated by commas or repeated, and rejects one beyond the limit', () => {
  const texts = queryTexts(5)
  expect(z.decode(texts, 'a,,b c')).toEqual(['a', 'b c'])
  expect(z.decode(texts, ['a', 'b'])).toEqual(['a', 'b'])
  expect(z.encode(texts, ['a', 'b'])).toBe('a,b')
  expect(z.safeDecode(texts, 'a,123456').success).toBe(false)
  expect(z.safeDecode(texts, Array.from({ length: 21 }, String).join()).success).toBe(false)
})

describe('a list of ids', () => {
  it('reads ids separated by commas or repeated, each once, and rejects empty, invalid and too long lists', () => {
    const read = (given: unknown) => z.safeDecode(queryIdsUpTo(3), given as never).data
    expect([read('7'), read('7,8,7'), read(['7', '8', '7'])]).toEqual([[7], [7, 8], [7, 8]])
    for (const wrong of ['', '7,', 'x', '0', [], ['7', 'x'], ['1,2'], '1,2,3,4', ['1', '2', '3', '4'], { 0: '7' }])
      expect(read(wrong)).toBeUndefined()
    expect(z.encode(queryIdsUpTo(3), [7, 8])).toBe('7,8')
  })
})

describe('the end of a range', () => {
  const from = '2026-11-25 00:00:00'
  const end = (text: string) => z.decode(queryRange, [from, text])[1].getTime()
  /** Start of the next day in Asia/Shanghai. */
  const midnight = Date.UTC(2026, 10, 25, 16)

  it('includes the last second of a time with seconds, and the whole day of a date', () => {
    for (const text of ['2026-11-25 23:59:59', '2026-11-25']) expect(end(text)).toBe(midnight - 1)
  })

  it('keeps milliseconds exactly, also when encoded again', () => {
    const span = z.decode(queryRange, [from, String(midnight)])
    expect(z.decode(queryRange, z.encode(queryRange, span))[1].getTime()).toBe(midnight)
    expect(end('2026-11-25T23:59:59.5+08:00')).toBe(midnight - 500)
    expect(z.safeDecode(queryRange, [from, '2026-02-30 23:59:59']).success).toBe(false)
  })

  it('is rejected before the start, naming the bound', () => {
    expect(end('2026-11-25 00:00:00')).toBeGreaterThan(0)
    const given = z.safeDecode(queryRange, ['2026-11-26', '2026-11-25'])
    expect(given.error?.issues).toEqual([
      expect.objectContaining({ params: { rule: 'tooBig', bound: '2026-11-25 23:59:59' } }),
    ])
  })
})
