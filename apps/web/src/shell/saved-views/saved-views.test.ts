import { expect, it } from 'vitest'
import { parseViews, toViewQuery, withoutView, withView } from './saved-views.ts'

it('keeps the filter of an address without its page, in one order', () => {
  const params = new URLSearchParams('state=SIGNED&pageNo=3&keyword=&light=RED&pageSize=20')
  expect(toViewQuery(params)).toBe('light=RED&state=SIGNED')
  expect(toViewQuery(new URLSearchParams('pageNo=2'))).toBe('')
})

it('stores views by list, replaces one of the same name, and ignores other content', () => {
  const red = withView('', 'order', { name: '红灯', query: 'light=RED' })
  const both = withView(red, 'order', { name: '黄灯', query: 'light=YELLOW' })
  const changed = withView(both, 'order', { name: '红灯', query: 'light=RED&view=MINE' })
  expect(parseViews(changed)['order']?.map(({ query }) => query)).toEqual(['light=YELLOW', 'light=RED&view=MINE'])
  expect(parseViews(withoutView(changed, 'order', '红灯'))['order']).toHaveLength(1)
  expect(parseViews(withoutView(red, 'order', '红灯'))).toEqual({})
  for (const other of ['', '{', '[]', '{"order":1}', 'null']) expect(parseViews(other)).toEqual({})
})
