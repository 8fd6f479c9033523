import { describe, expect, it } from 'vitest'
import { menuDraft, pathProblem, parseScreen, formatScreen, menuTypeOf } from './menu-draft.ts'

describe('a menu entry', () => {
  it('is a link when its path is an address', () => {
    expect(menuTypeOf({ type: 'MENU', path: 'https://example.org/' })).toBe('LINK')
    expect(menuTypeOf({ type: 'MENU', path: 'user' })).toBe('MENU')
    expect(menuTypeOf({ type: 'BUTTON', path: null })).toBe('BUTTON')
  })

  it('has a leading slash in its path at the top level only', () => {
    const problem = (type: 'DIR' | 'LINK' | 'BUTTON', parentId: number | null, path: string) =>
      pathProblem({ type, parentId, path })
    expect(problem('DIR', 0, '/system')).toBeUndefined()
    expect(problem('DIR', null, 'system')).toBe('menu.pathTop')
    expect(problem('DIR', 7, 'user')).toBeUndefined()
    expect(problem('DIR', 7, '/user')).toBe('menu.pathBelow')
    expect(problem('DIR', 7, ' ')).toBe('menu.pathNeeded')
    expect(problem('LINK', 7, 'javascript:alert(1)')).toBe('menu.linkNeeded')
    expect(problem('LINK', 7, 'http://example.org')).toBeUndefined()
    expect(problem('BUTTON', 7, '')).toBeUndefined()
  })

  it('gets the Chinese name in English by default, and loses fields that its type does not have', () => {
    const draft = menuDraft({ name: '巡查', nameEn: '', type: 'BUTTON', parentId: 3, sort: 1, permission: 'a:b' })
    expect(draft).toMatchObject({ nameEn: '巡查', permission: 'a:b', path: null, component: null, icon: null })
  })

  it('stores the parameters of its screen after the component name', () => {
    const params = [
      { key: 'type', value: '1' },
      { key: 'q', value: 'a b&c=?' },
    ]
    expect(formatScreen({ screen: 'shown/index', params })).toBe('shown/index?type=1&q=a+b%26c%3D%3F')
    expect(parseScreen('shown/index?type=1&q=a+b%26c%3D%3F?x=1')).toEqual({ screen: 'shown/index', params })
    const title = [{ key: 'title', value: '50%的 校门' }]
    expect(formatScreen({ screen: 'x', params: title })).toBe('x?title=50%25的+校门')
    expect(parseScreen('x?title=50%25的+校门')).toEqual({ screen: 'x', params: title })
    expect(parseScreen('')).toEqual({ screen: '', params: [] })
    expect(formatScreen({ screen: 'x', params: [{ key: ' ', value: '1' }] })).toBe('x')
    expect(formatScreen({ screen: '', params })).toBe('')
  })
})
