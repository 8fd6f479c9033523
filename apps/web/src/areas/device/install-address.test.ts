import { describe, expect, it } from 'vitest'
import { daysUntilLow } from './detail/BatteryTab.tsx'
import { toBand } from './detail/ConnectivityBand.tsx'
import { parseSerialNumber } from './install-address.ts'
import { toSheets } from './labels/LabelPage.tsx'

describe('parseSerialNumber', () => {
  it.each([
    ['BTN-0001', 'BTN-0001'],
    [' BTN_0001 ', 'BTN_0001'],
    ['http://10.1.2.3:8080/m/install?sn=BTN-0001', 'BTN-0001'],
    ['https://example.org/', undefined],
    ['报警按钮', undefined],
    ['', undefined],
  ])('reads %j as %j', (text, sn) => {
    expect(parseSerialNumber(text)).toBe(sn)
  })
})

describe('toSheets', () => {
  it('leaves the used labels of the first sheet free and starts another sheet when one is full', () => {
    const sheets = toSheets([1, 2, 3], 23)
    expect(sheets).toHaveLength(2)
    expect(sheets[0]?.slice(21)).toEqual([undefined, 1, 2])
    expect(sheets[1]).toEqual([3])
  })
})

describe('toBand', () => {
  it('starts with the state before the period, and ends with the last one', () => {
    const at = (ms: number) => new Date(ms)
    const changes = [
      { at: at(50), toState: 'ONLINE' as const },
      { at: at(150), toState: 'OFFLINE' as const },
    ]
    expect(toBand(changes, 100, 200)).toEqual([
      { state: 'ONLINE', from: 100, to: 150 },
      { state: 'OFFLINE', from: 150, to: 200 },
    ])
    expect(toBand([], 100, 200)).toEqual([{ state: 'NEVER_SEEN', from: 100, to: 200 }])
  })
})

describe('daysUntilLow', () => {
  it('counts to twenty percent, not to empty', () => {
    expect(daysUntilLow(80, 80)).toBe(60)
    expect(daysUntilLow(20, 10)).toBe(0)
  })
})
