import type { MapRecord } from '@tocsin/contract/insight/map'
import { expect, it } from 'vitest'
import { buildDeviceItem, buildItems, filterItems, findHref, type MapItem } from './map-items.ts'

const item = (given: Partial<MapItem>): MapItem => ({
  key: '',
  part: 'RECORDS',
  id: 7,
  title: '一键报警',
  subtitle: '301室',
  ...given,
})

it('shows rows of the wanted parts, levels and words', () => {
  const rows = [
    item({ key: 'one', level: 1 }),
    item({ key: 'two', level: 2 }),
    item({ key: 'school', part: 'SCHOOLS' }),
  ]
  const keys = (levels: number[], parts: MapItem['part'][], keyword = '') =>
    filterItems(rows, { parts: new Set(parts) as never, keyword, levels }).map(({ key }) => key)
  expect(keys([], ['RECORDS', 'SCHOOLS'])).toEqual(['one', 'two', 'school'])
  expect(keys([2, 3], ['RECORDS', 'SCHOOLS'])).toEqual(['two', 'school'])
  expect(keys([], ['SCHOOLS'])).toEqual(['school'])
  expect(keys([], ['RECORDS'], '301 一键')).toEqual(['one', 'two'])
  expect(keys([], ['RECORDS'], '302')).toEqual([])
})

it('leads to the record, the school, the plan or the device', () => {
  expect(findHref(item({}), '/warn/desk')).toBe('/warn/desk?id=7')
  expect(findHref(item({}), undefined)).toBeUndefined()
  expect(findHref(item({ part: 'SCHOOLS' }), undefined)).toBe('/school/detail/7')
  expect(findHref(item({ part: 'FOUND', kind: 'PLACE', schoolId: 3 }), undefined)).toBe('/school/detail/3?tab=plans')
  expect(findHref(item({ part: 'FOUND', kind: 'STATION', schoolId: null }), undefined)).toBeUndefined()
  const devices = {
    ids: [4, 5],
    lngs: [100, 101],
    lats: [20, 21],
    connectivities: ['ONLINE' as const, 'LATE' as const],
  }
  const device = buildDeviceItem('device-5', devices, 'zh-cn')
  expect(device?.point).toMatchObject({ lng: 101, lat: 21, kind: 'offline' })
  expect(device && findHref(device, undefined)).toBe('/device/detail/5')
  expect(buildDeviceItem('school-5', devices, 'zh-cn')).toBeUndefined()
})

it('gives a test or drill its word and no colour, level or pulse of an alarm', () => {
  const live: MapRecord = {
    id: 1,
    no: 'W1',
    level: 1,
    class: 'PANIC',
    code: 'PANIC',
    mode: 'LIVE',
    isClaimed: false,
    schoolId: 3,
    schoolName: '东校',
    placePath: '301室',
    firstAt: new Date(1000),
    lng: 100,
    lat: 25,
  }
  const records = [live, { ...live, id: 2, mode: 'TEST' as const }, { ...live, id: 3, mode: 'DRILL' as const }]
  const describe = { lang: 'zh-cn', now: 2000, describeSchool: () => '', describeUnit: () => '' } as const
  const items = buildItems({ schools: [], stations: [], units: [] }, records, describe)
  expect(items.map(({ point }) => [point?.kind, point?.level, point?.isNew])).toEqual([
    ['alarm', 1, true],
    ['test', undefined, false],
    ['drill', undefined, false],
  ])
  expect(items.map(({ title }) => title.split(' · ')[0])).toEqual([items[0]?.title.split(' · ')[0], '测试', '演练'])
})
