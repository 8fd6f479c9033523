import { describe, expect, it } from 'vitest'
import { shareUnchanged } from '../structural-sharing.ts'

const at = (ms: number) => new Date(ms)

describe('a refetched answer', () => {
  it('is the previous one when nothing changed, dates included', () => {
    const before = { list: [{ id: 1, at: at(5), tags: ['a'], none: null }], total: 1 }
    expect(shareUnchanged(before, structuredClone(before))).toBe(before)
  })

  it('reuses unchanged parts beside a change', () => {
    const before = {
      list: [
        { id: 1, at: at(5) },
        { id: 2, at: at(6) },
      ],
    }
    const after = {
      list: [
        { id: 1, at: at(5) },
        { id: 2, at: at(7) },
      ],
    }
    const now = shareUnchanged(before, after) as typeof before
    expect(now).toEqual(after)
    expect(now.list[0]).toBe(before.list[0])
  })

  it('is new where a part was removed, added, moved or changed its type', () => {
    const pairs: [unknown, unknown][] = [
      [{ a: 1, b: 2 }, { a: 1 }],
      [{ a: undefined }, { b: undefined }],
      [
        [1, 2],
        [2, 1],
      ],
      [[1], [1, 2]],
      [[1, 2], [1]],
      [[], {}],
      [at(1), 1],
      [null, {}],
      [undefined, []],
    ]
    for (const [before, after] of pairs) expect(shareUnchanged(before, after)).toEqual(after)
    for (const [before, after] of pairs) expect(shareUnchanged(before, after)).not.toBe(before)
  })
})
