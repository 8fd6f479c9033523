import { describe, expect, it } from 'vitest'
import { diffStates, isLong } from './difference.ts'

describe('the difference of a change', () => {
  it('has the changed fields, old and new, and counts the rest', () => {
    const before = { id: 1, name: '旧', remark: null, roleIds: [1, 2], version: 1, updateTime: 1 }
    const after = { id: 1, name: '新', remark: '有', roleIds: [1, 2], version: 2, updateTime: 2 }
    expect(diffStates(before, after)).toEqual({
      changed: [
        { key: 'name', before: '旧', after: '新' },
        { key: 'remark', before: null, after: '有' },
      ],
      unchanged: 2,
    })
  })

  it('treats a cleared field as a change, and a missing one as unchanged', () => {
    expect(diffStates({ mobile: '1', name: 'a' }, { mobile: null })).toEqual({
      changed: [{ key: 'mobile', before: '1', after: null }],
      unchanged: 1,
    })
  })

  it('compares lists and objects deeply', () => {
    expect(diffStates({ a: { b: [1] }, c: [1] }, { a: { b: [2] }, c: [1] }).changed.map(({ key }) => key)).toEqual([
      'a',
    ])
  })

  it.each([
    ['new', null, { name: 'a', remark: null, enabled: false, sort: 0, version: 1 }],
    ['gone', { name: 'a', remark: '', enabled: false, sort: 0 }, null],
  ])('of a row that is %s is what it holds', (_, before, after) => {
    const { changed, unchanged } = diffStates(before, after)
    expect(changed.map(({ key }) => key)).toEqual(['name', 'enabled', 'sort'])
    expect(unchanged).toBe(0)
  })
})

describe('two lists side by side', () => {
  it('are shown in full while they are short, or when there is nothing to compare with', () => {
    expect(isLong([1, 2, 3], [1, 2])).toBe(false)
    expect(isLong([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], null)).toBe(false)
    expect(isLong([1, 2, 3, 4, 5], [1, 2, 3, 4])).toBe(true)
  })
})
