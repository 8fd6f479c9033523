import { describe, expect, it } from 'vitest'
import type { MenuEntry } from '../menu-routes.ts'
import { recentTargets, searchMenu, searchTargets, withRecent } from './search.ts'

const entry = (name: string, nameEn: string, more: Partial<MenuEntry> = {}): MenuEntry => ({
  key: nameEn,
  name,
  nameEn,
  icon: '',
  path: `/${nameEn.toLowerCase().replaceAll(' ', '-')}`,
  ...more,
})
const targets = searchTargets([
  entry('接警台', 'Alarm desk'),
  entry('预警', 'Alarms', { children: [entry('预警规则', 'Rules'), entry('预警记录', 'Records')] }),
  entry('设备', 'Devices', { children: [entry('设备型号', 'Device models'), entry('设备台账', 'Device register')] }),
])
const found = (text: string) => searchMenu(targets, text).map(({ nameEn }) => nameEn)

describe('the search in the menu', () => {
  it('lists pages with the names of their groups, but no groups', () => {
    expect(targets.map(({ nameEn, above }) => [nameEn, ...above.map((item) => item.name)])).toEqual([
      ['Alarm desk'],
      ['Rules', '预警'],
      ['Records', '预警'],
      ['Device models', '设备'],
      ['Device register', '设备'],
    ])
  })

  it('finds by names of both languages, whichever is displayed', () => {
    expect([found('记录'), found('RECORD')]).toEqual([['Records'], ['Records']])
  })

  it('requires every word, in the name or the groups', () => {
    expect(found('预警 rules')).toEqual(['Rules'])
    expect(found('device reg')).toEqual(['Device register'])
    expect(found('device nothing')).toEqual([])
  })

  it('sorts matches at the start of a name before matches inside it, and those before matches in groups', () => {
    expect(found('r')).toEqual(['Rules', 'Records', 'Alarm desk', 'Device register'])
    expect(found('alarm')).toEqual(['Alarm desk', 'Rules', 'Records'])
  })

  it('finds nothing for an empty text', () => {
    expect([found(''), found('   ')]).toEqual([[], []])
  })
})

describe('recent pages', () => {
  it('are at most six without duplicates, latest first', () => {
    expect(withRecent(['a', 'b', 'c'], 'b')).toEqual(['b', 'a', 'c'])
    expect(withRecent(['a', 'b', 'c', 'd', 'e', 'f'], 'g')).toEqual(['g', 'a', 'b', 'c', 'd', 'e'])
  })

  it('are hidden when the user lost the permission', () => {
    expect(recentTargets(targets, ['Records', 'gone', 'Alarm desk']).map(({ nameEn }) => nameEn)).toEqual([
      'Records',
      'Alarm desk',
    ])
  })
})
