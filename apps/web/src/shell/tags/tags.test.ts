import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { useSession } from '#api/session.ts'
import { parsePageTitles, usePageTitles } from '../page-title.ts'
import { setTags, useTags } from './tag-store.ts'
import {
  keepAliveTags,
  close,
  wouldClose,
  closeActions,
  MAX_ALIVE,
  move,
  nextTag,
  parseTags,
  visit,
  withPinned,
} from './tags.ts'
import { placeAt } from './use-drag.ts'

const tag = (path: string, to = path) => ({ path, to })
const tags = ['/home', '/a', '/b', '/c'].map((path) => tag(path))
const paths = (list: readonly { path: string }[]) => list.map(({ path }) => path).join(' ')
const closed = (label: (typeof closeActions)[number], path: string) => paths(close(tags, label, path, '/home'))

describe('visiting', () => {
  it('adds a screen once and stores its last address', () => {
    const once = visit(tags, tag('/d', '/d?x=1'))
    expect(paths(once)).toBe('/home /a /b /c /d')
    expect(visit(once, tag('/a', '/a?page=2'))[1]).toEqual({ path: '/a', to: '/a?page=2' })
    expect(visit(tags, tag('/a'))).toBe(tags)
  })
})

describe('closing', () => {
  it('never closes the pinned screen', () => {
    expect(closed('current', '/home')).toBe('/home /a /b /c')
    expect(closed('current', '/b')).toBe('/home /a /c')
    expect(closed('left', '/b')).toBe('/home /b /c')
    expect(closed('right', '/a')).toBe('/home /a')
    expect(closed('other', '/b')).toBe('/home /b')
    expect(closed('all', '/b')).toBe('/home')
  })

  it('offers only actions that would close something', () => {
    const offered = (path: string) =>
      closeActions.filter((closeAction) => wouldClose(tags, closeAction, path, '/home')).join(' ')
    expect(offered('/home')).toBe('right other all')
    expect(offered('/a')).toBe('current right other all')
    expect(offered('/c')).toBe('current left other all')
    expect(closeActions.some((closeAction) => wouldClose([tag('/home')], closeAction, '/home', '/home'))).toBe(false)
  })

  it('stays on the current page, else goes to the chosen one, to the right, to the last', () => {
    const next = (label: (typeof closeActions)[number], chosen: string, open: string) =>
      nextTag(tags, close(tags, label, chosen, '/home'), open, chosen)?.path
    expect(next('current', '/a', '/b')).toBeUndefined()
    expect(next('other', '/c', '/b')).toBe('/c')
    expect(next('current', '/b', '/b')).toBe('/c')
    expect(next('current', '/c', '/c')).toBe('/b')
    expect(next('all', '/a', '/a')).toBe('/home')
  })
})

describe('the order', () => {
  it('follows the drag, never before the pinned screen', () => {
    expect(paths(move(tags, '/c', 1, '/home'))).toBe('/home /c /a /b')
    expect(paths(move(tags, '/c', 0, '/home'))).toBe('/home /c /a /b')
    expect(paths(move(tags, '/a', 99, '/home'))).toBe('/home /b /c /a')
    expect(move(tags, '/home', 2, '/home')).toBe(tags)
  })

  it('keeps all tags wherever one is dropped', () => {
    fc.assert(
      fc.property(fc.constantFrom('/home', '/a', '/b', '/c', '/gone'), fc.integer({ min: -2, max: 9 }), (path, to) => {
        const moved = move(tags, path, to, '/home')
        expect([...moved].map((item) => item.path).toSorted()).toEqual(tags.map((tag) => tag.path).toSorted())
        expect(moved[0]?.path).toBe('/home')
      }),
    )
  })

  it('uses the middles of the other tags', () => {
    expect([placeAt([50, 150, 250], 10), placeAt([50, 150, 250], 160), placeAt([50, 150, 250], 999)]).toEqual([0, 2, 3])
  })

  it('starts with the pinned screen even when it was never visited', () => {
    expect(paths(withPinned([tag('/a')], '/home'))).toBe('/home /a')
    expect(withPinned([tag('/a'), tag('/home', '/home?x=1')], '/home')[0]?.to).toBe('/home?x=1')
    expect(paths(withPinned([tag('/a')], undefined))).toBe('/a')
  })
})

describe('stored tags', () => {
  it('return after a reload', () => {
    expect(parseTags(JSON.stringify([tag('/a', '/a?x=1')]))).toEqual([tag('/a', '/a?x=1')])
  })

  it('are dropped when invalid', () => {
    const odd = [
      null,
      'nothing',
      '{',
      '{}',
      '[1, null, {"path": "/a"}]',
      '[{"path": "/a", "to": "//elsewhere.invalid"}]',
    ]
    expect(odd.map(parseTags)).toEqual(odd.map(() => []))
  })
})

describe('kept-alive pages', () => {
  it('are the last twelve pages with a tag', () => {
    const many = Array.from({ length: 20 }, (_, at) => tag(`/${at}`))
    const clean = { tags: many, unsaved: () => false }
    const opened = many.reduce<readonly string[]>((kept, { path }) => keepAliveTags(kept, path, clean), [])
    expect(opened).toHaveLength(MAX_ALIVE)
    expect([opened[0], opened.at(-1)]).toEqual(['/19', '/8'])
    expect(keepAliveTags(opened, '/8', clean)[0]).toBe('/8')
  })

  it('are unmounted when their tag is closed', () => {
    const left = { tags: [tag('/b'), tag('/c')], unsaved: () => true }
    expect(keepAliveTags(['/a', '/b'], '/c', left)).toEqual(['/c', '/b'])
  })

  it('stay beyond the twelve while they have unsaved input', () => {
    const many = Array.from({ length: 20 }, (_, at) => tag(`/${at}`))
    const half = { tags: many, unsaved: (path: string) => path === '/3' }
    const opened = many.reduce<readonly string[]>((kept, { path }) => keepAliveTags(kept, path, half), [])
    expect([opened.length, opened.at(-1)]).toEqual([MAX_ALIVE + 1, '/3'])
  })
})

const person = (id: number) => ({ id, username: 'a', nickname: '甲', avatar: null, deptId: 1, deptName: '' })

describe('kept tags', () => {
  it('belong to the user, once the server named the user, and to nobody after the sign-out', () => {
    const stored = new Map([['tags.7', JSON.stringify([tag('/a')])]])
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    })
    const shown = () => paths(useTags.getState().tags)
    expect(shown()).toBe('')
    useSession.setState({ user: person(7) })
    expect(shown()).toBe('/a')
    setTags((all) => visit(all, tag('/b')))
    useSession.setState({ user: person(8) })
    expect(shown()).toBe('')
    setTags((all) => visit(all, tag('/c')))
    useSession.setState({ user: undefined })
    expect(shown()).toBe('')
    setTags((all) => visit(all, tag('/d')))
    useSession.setState({ user: person(7) })
    expect(shown()).toBe('/a /b')
    expect([...stored.keys()]).toEqual(['tags.7', 'tags.8'])
    useSession.setState({ user: undefined })
  })
})

describe('titles that pages set', () => {
  const names = { '/system/dict-data/a': { name: '甲', nameEn: 'A' } }

  it('belong to the user, once the server named the user, in both languages', () => {
    const getItem = (key: string) => (key === 'pageNames.7' ? JSON.stringify(names) : null)
    vi.stubGlobal('sessionStorage', { getItem })
    useSession.setState({ user: person(7) })
    expect(usePageTitles.getState()).toEqual(names)
    useSession.setState({ user: person(8) })
    expect(usePageTitles.getState()).toEqual({})
  })

  it('are read as far as they are valid', () => {
    expect(parsePageTitles(JSON.stringify({ ...names, '/b': '乙', '/c': null }))).toEqual(names)
    for (const text of [null, 'x', 'null', '[1]']) expect(parsePageTitles(text)).toEqual({})
  })
})
