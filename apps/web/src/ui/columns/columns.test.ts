import { describe, expect, it } from 'vitest'
import { parseColumnChoices } from './column-choice.ts'
import { isColumnShown } from './use-columns.ts'

describe('isColumnShown', () => {
  it.each([
    ['a column of the list', { key: 'name' }, {}, true],
    ['a column that was hidden', { key: 'name' }, { name: false }, false],
    ['an optional column', { key: 'index', optional: true }, {}, false],
    ['an optional column that was chosen', { key: 'index', optional: true }, { index: true }, true],
  ])('decides about %s', (_what, column, choice, shown) => {
    expect(isColumnShown(column, choice)).toBe(shown)
  })
})

describe('parseColumnChoices', () => {
  it('returns what was stored, and nothing when it cannot be read', () => {
    expect(parseColumnChoices('{"/system/user/page":{"index":true}}')).toEqual({ '/system/user/page': { index: true } })
    for (const text of [null, '{', '[]', '{"a":1}']) expect(parseColumnChoices(text)).toEqual({})
  })
})
