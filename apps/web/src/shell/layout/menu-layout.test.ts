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
  it('left has the whole menu at the side', () => {
    expect(at('left', '/desk')).toEqual({ top: [], side: entries, drawer: false })
  })

  it('top has the whole menu above', () => {
    expect(at('top', '/desk')).toEqual({ top: entries, side: [], drawer: false })
  })

  it('mix has the first level above and the open entry at the side', () => {
    expect(at('mix', '/warn/more/log')).toEqual({ top: entries, side: warn.children, drawer: false })
  })

  it('mix has no side for an entry without children', () => {
    expect(at('mix', '/desk').side).toEqual([])
  })

  it('mix keeps the last entry on a page outside the menu, and takes the first when that is gone', () => {
    expect(at('mix', '/profile', { activeTopMenuPath: '/device' }).side).toBe(device.children)
    expect(topEntry(entries, { pathname: '/profile', activeTopMenuPath: '/gone' })).toBe(desk)
  })

  it('mix hangs below its entry what no page brings to the side: a group of other sites alone', () => {
    const outside = group('/outside', site, group('/outside/more', site))
    expect(entries.map(dropdownChildren)).toEqual([undefined, undefined, undefined, undefined])
    expect(dropdownChildren(outside)).toBe(outside.children)
  })

  it('are all one drawer in a narrow window', () => {
    for (const layout of ['left', 'top', 'mix'] as const)
      expect(at(layout, '/desk', { wide: false })).toEqual({ top: [], side: entries, drawer: true })
  })
})

describe('the way to the open page', () => {
  it('goes through the groups above it', () => {
    expect(breadcrumbTo(entries, '/warn/more/log').map(({ key }) => key)).toEqual([
      '/warn',
      '/warn/more',
      '/warn/more/log',
    ])
  })

  it('ends at the longest path that begins the address, by whole steps', () => {
    expect(breadcrumbTo(entries, '/warn/list/old/7').at(-1)?.key).toBe('/warn/list/old')
    expect(breadcrumbTo(entries, '/warn/list/7').at(-1)?.key).toBe('/warn/list')
    expect(breadcrumbTo(entries, '/warning')).toEqual([])
  })

  it('ends at the group of a page that the menu does not show, and at the page of an entry it belongs to', () => {
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

  it('begins at the first page of a group, other sites skipped', () => {
    expect([firstPage(device), firstPage(warn), firstPage(site)]).toEqual(['/device/list', '/warn/list', undefined])
  })
})
