import type { MenuNode } from '@tocsin/contract/access/rights/menu-node'
import nprogress from 'nprogress'
import { describe, expect, it } from 'vitest'
import { TIMEOUT_MS } from '#api/wire/send.ts'
import './navigation/NavigationEffects.tsx'
import { guard } from './guard.ts'
import { joinPaths, parseComponent, buildRoutes } from './menu-routes.ts'

let nextId = 1
const makeMenu = (path: string, more: Partial<MenuNode> = {}): MenuNode => ({
  id: nextId++,
  parentId: 0,
  type: more.children ? 'DIR' : 'MENU',
  name: path,
  nameEn: `${path} en`,
  path,
  component: null,
  componentName: null,
  redirect: null,
  icon: '',
  visible: true,
  keepAlive: true,
  alwaysShow: true,
  children: null,
  ...more,
})
const known = new Set(['a/index', 'b/index', 'c/index'])
const plan = (...menus: MenuNode[]) => buildRoutes(menus, (screen) => known.has(screen))
const at = (pathname: string, search = '', hash = '') => ({ pathname, search, hash })

describe('the guard', () => {
  it('sends a signed-out user to the sign-in page and remembers path, query and hash', () => {
    expect(guard(at('/warn/record', '?state=NEW', '#x'), null)).toBe(
      '/login?redirect=%2Fwarn%2Frecord%3Fstate%3DNEW%23x',
    )
    expect(guard(at('/'), null)).toBe('/login')
  })

  it('lets a signed-in user stay, and leads from the sign-in page to the start', () => {
    expect(guard(at('/warn/record'), 'token')).toBeUndefined()
    expect(guard(at('/login'), 'token')).toBe('/')
    expect(guard(at('/register'), null)).toBeUndefined()
  })
})

describe('menus become routes', () => {
  it('makes a leaf at the top its screen under its path', () => {
    expect(plan(makeMenu('/a', { component: 'a/index' })).routes).toMatchObject([
      { kind: 'screen', path: '/a', screen: 'a/index', query: {} },
    ])
  })

  it('names a route after its item, or its path with a capital', () => {
    const below = makeMenu('dict-data', { component: 'b/index' })
    const named = makeMenu('own', { component: 'c/index', componentName: 'TheOwn' })
    const { routes } = plan(makeMenu('/system', { children: [below, named] }))
    expect(routes.map(({ name }) => name)).toEqual(['System', 'System/dictData', 'TheOwn'])
  })

  it('titles a page like its item, unless the item has a page title', () => {
    const titles = (component: string) => plan(makeMenu('/a', { component })).routes.map(({ title }) => title)
    expect(titles('a/index?title=一号楼')).toEqual([{ name: '一号楼', nameEn: '一号楼' }])
    for (const none of ['?title[]=一号楼', '?title=', '?title=%20'])
      expect(titles(`a/index${none}`)).toEqual([{ name: '/a', nameEn: '/a en' }])
  })

  it('redirects a directory to its first visible leaf, skipping external links', () => {
    const children = [
      makeMenu('https://example.invalid'),
      makeMenu('hidden', { component: 'a/index', visible: false }),
      makeMenu('deep', { children: [makeMenu('b', { component: 'b/index' })] }),
    ]
    const { routes, home } = plan(makeMenu('/dir', { children }))
    expect(routes).toContainEqual(expect.objectContaining({ kind: 'redirect', path: '/dir', to: '/dir/deep/b' }))
    expect(routes).toContainEqual(expect.objectContaining({ kind: 'screen', path: '/dir/hidden' }))
    expect(home).toBe('/dir/deep/b')
  })

  it('lets a directory name its own redirect', () => {
    const menu = makeMenu('/dir', { redirect: '/dir/c', children: [makeMenu('b', { component: 'b/index' })] })
    expect(plan(menu).routes[0]).toMatchObject({ kind: 'redirect', to: '/dir/c' })
  })

  it.each([
    ['//evil.example/x', '/evil.example/x'],
    ['/\\evil.example', '/evil.example'],
    ['/\t/evil.example', '/evil.example'],
    ['/c?x=1//2', '/c?x=1//2'],
  ])('a redirect stays on this site: %j', (redirect, to) => {
    const menu = makeMenu('/dir', { redirect, children: [makeMenu('b', { component: 'b/index' })] })
    expect(plan(menu).routes[0]).toMatchObject({ kind: 'redirect', to })
  })

  it('treats circular redirects as directories without a page', () => {
    const dir = (path: string, redirect: string) =>
      makeMenu(path, { redirect, children: [makeMenu('b', { component: 'b/index' })] })
    const { routes } = plan(
      dir('/one', '/two'),
      dir('/two', '/one?x=1'),
      dir('/three', '/three'),
      dir('/four', '/four/b'),
    )
    const kinds = Object.fromEntries(routes.map(({ path, kind }) => [path, kind]))
    expect(kinds).toMatchObject({ '/one': 'empty', '/two': 'empty', '/three': 'empty', '/four': 'redirect' })
  })

  it('gives a directory without visible entries an empty page and no menu line', () => {
    const { routes, entries, home } = plan(makeMenu('/dir', { type: 'DIR' }))
    expect(routes).toMatchObject([{ kind: 'empty', path: '/dir' }])
    expect([entries, home]).toEqual([[], undefined])
  })

  it('shows an unknown component as missing, and looks an absent one up by path', () => {
    expect(plan(makeMenu('/x', { component: 'user/index' })).routes).toMatchObject([
      { kind: 'missing', screen: 'user/index' },
    ])
    expect(plan(makeMenu('/c/index')).routes).toMatchObject([{ kind: 'screen', screen: 'c/index' }])
  })

  it('matches a component whole, never by a part of its name', () => {
    expect(plan(makeMenu('/x', { component: 'merchant/a/index' })).routes).toMatchObject([{ kind: 'missing' }])
  })

  it('parses a query behind the component, arrays by brackets', () => {
    expect(parseComponent('a/index?x=1&y[]=2&y[]=3')).toEqual({ screen: 'a/index', query: { x: '1', y: ['2', '3'] } })
    expect(parseComponent('a/index?x=1&x=2&y=3&y[]=4&constructor=5').query).toEqual({
      x: ['1', '2'],
      y: ['3', '4'],
      constructor: '5',
    })
    expect(parseComponent('a/index?x=1?y=2')).toEqual({ screen: 'a/index', query: { x: '1' } })
  })

  it('encodes a path like a browser, once, at any depth', () => {
    const paths = ['学校 一', '%E5%AD%A6%E6%A0%A1%20%E4%B8%80', '100%', ':id', 'a+b&c'].map((path) =>
      joinPaths('/学校', path),
    )
    expect(paths.map((path) => joinPaths('', path))).toEqual(paths)
    const school = '/%E5%AD%A6%E6%A0%A1'
    expect(paths).toEqual(
      [`${school}%20%E4%B8%80`, `${school}%20%E4%B8%80`, '/100%25', '/:id', '/a+b&c'].map((path) => school + path),
    )
  })

  it('joins paths without double slashes; absolute ones leave their parent, queries are dropped', () => {
    expect([joinPaths('/a/', 'b'), joinPaths('/a', '/b'), joinPaths('', 'a?x=1')]).toEqual(['/a/b', '/b', '/a'])
  })

  it('makes an external address a link in the menu and no route', () => {
    const { routes, entries } = plan(makeMenu('https://example.invalid/help', { type: 'LINK' }))
    expect(routes).toEqual([])
    expect(entries).toMatchObject([{ href: 'https://example.invalid/help' }])
  })

  it('gives hidden items a route but no menu line', () => {
    const { routes, entries } = plan(makeMenu('/a', { component: 'a/index', visible: false }))
    expect([routes.length, entries.length]).toEqual([1, 0])
  })

  it('keeps a group of one child only with alwaysShow', () => {
    const children = [makeMenu('a', { component: 'a/index' })]
    expect(plan(makeMenu('/dir', { children })).entries).toMatchObject([{ children: [{ path: '/dir/a' }] }])
    expect(plan(makeMenu('/dir', { children, alwaysShow: false })).entries).toMatchObject([{ path: '/dir/a' }])
  })

  it('shows the only visible child in place of its group', () => {
    const children = [makeMenu('a', { component: 'a/index' }), makeMenu('b', { component: 'b/index', visible: false })]
    expect(plan(makeMenu('/dir', { children })).entries).toMatchObject([{ path: '/dir/a' }])
  })

  it('keeps pages of one name, or of one screen, under two directories apart', () => {
    const dir = (path: string, component: string) => makeMenu(path, { children: [makeMenu('index', { component })] })
    const { routes } = plan(dir('/one', 'a/index?type=1'), dir('/two', 'a/index?type=2'))
    expect(routes.filter(({ kind }) => kind === 'screen')).toMatchObject([
      { path: '/one/index', screen: 'a/index', query: { type: '1' } },
      { path: '/two/index', screen: 'a/index', query: { type: '2' } },
    ])
  })

  it('uses the first of two equal paths, and accepts empty menus', () => {
    const twice = plan(makeMenu('/a', { component: 'a/index' }), makeMenu('/a', { component: 'b/index' }))
    expect(twice.routes).toMatchObject([{ screen: 'a/index' }])
    expect(plan()).toEqual({ routes: [], entries: [], home: undefined })
  })
})

it('has the delays and the progress bar of SPEC 9', () => {
  expect(TIMEOUT_MS).toBe(50_000)
  expect(nprogress.settings).toMatchObject({ speed: 500, minimum: 0.3 })
})
