import { describe, expect, it } from 'vitest'
import { markChanges, splitBlocks } from './text-blocks.ts'

describe('splitBlocks', () => {
  it('cuts at the top level and keeps nested elements together', () => {
    const list = '<ul><li>一<br />续</li><li><p>二</p></li></ul>'
    expect(splitBlocks(`头<p>甲 <img src="/x" alt="" /> 乙</p><hr />${list}尾`)).toEqual([
      '头',
      '<p>甲 <img src="/x" alt="" /> 乙</p>',
      '<hr />',
      list,
      '尾',
    ])
  })
})

describe('markChanges', () => {
  const p = (...words: string[]) => words.map((word) => `<p>${word}</p>`).join('')
  const marked = (before: string, after: string) => {
    const { blocks, changeCount: count } = markChanges(before, after)
    return { count, changed: blocks.filter(({ isChanged }) => isChanged).map(({ html }) => html.slice(3, -4)) }
  }
  it.each([
    ['nothing when the texts are equal', p('a', 'b'), p('a', 'b'), { count: 0, changed: [] }],
    ['a changed part', p('a', 'b', 'c'), p('a', 'x', 'c'), { count: 1, changed: ['x'] }],
    ['two places as two changes', p('a', 'b', 'c'), p('x', 'b', 'y'), { count: 2, changed: ['x', 'y'] }],
    ['parts that stand together as one change', p('a', 'd'), p('a', 'b', 'c', 'd'), { count: 1, changed: ['b', 'c'] }],
    ['a removed part', p('a', 'b', 'c'), p('a', 'c'), { count: 1, changed: [] }],
    ['a removed end', p('a', 'b'), p('a'), { count: 1, changed: [] }],
    ['a part that moved', p('a', 'b', 'c'), p('b', 'c', 'a'), { count: 2, changed: ['a'] }],
  ])('marks %s', (_, before, after, expected) => expect(marked(before, after)).toEqual(expected))
})
