import { describe, expect, it } from 'vitest'
import type { MenuEntry } from '../menu-routes.ts'
import { arrangeMenu, firstPage, dropdownChildren, topEntry, breadcrumbTo } from './menu-layout.ts'

const leaf = (path: string): MenuEntry => ({ key: path, name: path, nameEn: path, icon: '', path })
const group = (path: string, ...children: MenuEntry[]): MenuEntry => ({ ...leaf(path), children })
const site: MenuEntry = { key: 'site', name: 'site', nameEn: 'site', icon: '', href: 'https://example.invalid' }

const desk = leaf('/desk')
const warn = group('/warn', leaf('/warn/list'), leaf('/warn/list/old'), group('/warn/more', leaf('/warn/more/log')))
const device = group('/device', site, leaf('/device/list'))
const entries = [desk, warn, device, site]

const at = (layout: 'left' | 'top' | 'mix', pathname: string, more = {}) =>
  arrangeMenu(entries, { layout, wide: true, pathname, activeTopMenuPath: '', ...more })

describe('the layouts', () => {
  it('left shows the whole menu in the sidebar', () => {
    expect(at('left', '/desk')).toEqual({ top: [], side: entries, drawer: false })
  })

  it('top shows the whole menu in the header', () => {
    expect(at('top', '/desk')).toEqual({ top: entries, side: [], drawer: false })
  })

  it('mix shows the first level in the header and the children of the open entry in the sidebar', () => {
    expect(at('mix', '/warn/more/log')).toEqual({ top: entries, side: warn.children, drawer: false })
  })

  it('mix shows no sidebar for an entry without children', () => {
    expect(at('mix', '/desk').side).toEqual([])
  })

  it('mix keeps the previous entry on a page outside of the menu, and uses the first when that was removed', () => {
    expect(at('mix', '/profile', { activeTopMenuPath: '/device' }).side).toBe(device.children)
    expect(topEntry(entries, { pathname: '/profile', activeTopMenuPath: '/gone' })).toBe(desk)
  })

  it('mix shows a group that contains only links to other sites as a dropdown of the header', () => {
    const outside = group('/outside', site, group('/outside/more', site))
    expect(entries.map(dropdownChildren)).toEqual([undefined, undefined, undefined, undefined])
    expect(dropdownChildren(outside)).toBe(outside.children)
  })

  it('all use a drawer in a narrow window', () => {
    for (const layout of ['left', 'top', 'mix'] as const)
      expect(at(layout, '/desk', { wide: false })).toEqual({ top: [], side: entries, drawer: true })
  })
})

describe('the way to the open page', () => {
  it('contains the groups above the page', () => {
    expect(breadcrumbTo(entries, '/warn/more/log').map(({ key }) => key)).toEqual([
      '/warn',
      '/warn/more',
      '/warn/more/log',
    ])
  })

  it('ends at the longest path that is a prefix of the address by whole segments', () => {
    expect(breadcrumbTo(entries, '/warn/list/old/7').at(-1)?.key).toBe('/warn/list/old')
    expect(breadcrumbTo(entries, '/warn/list/7').at(-1)?.key).toBe('/warn/list')
    expect(breadcrumbTo(entries, '/warning')).toEqual([])
  })

  it('ends at the group of a hidden page, and at the menu entry that owns a page', () => {
    const keys = (pathname: string, of = entries) => breadcrumbTo(of, pathname).map(({ key }) => key)
    expect(keys('/warn/listing')).toEqual(['/warn'])
    expect(keys('/warn/more/hidden')).toEqual(['/warn', '/warn/more'])
    const owner = group('/system', leaf('/system/user'), { ...leaf('/words'), owns: '/system/dict-data' })
    expect(keys('/system/dict-data/sex', [owner])).toEqual(['/system', '/words'])
    // The page of the directory itself, whose path is empty.
    expect(keys('/own', [group('/own', leaf('/own/list'), { ...leaf('/own'), key: 'itself' })])).toEqual([
      '/own',
      'itself',
    ])
  })

  it('opens the first page of a group and skips links to other sites', () => {
    expect([firstPage(device), firstPage(warn), firstPage(site)]).toEqual(['/device/list', '/warn/list', undefined])
  })
})
