import type { ScanDraft } from '@tocsin/contract/security/patrol'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

const scan: ScanDraft = {
  stepKey: '2f0f9d3a-6a52-4d39-9d5b-4f5f3f5b7a11',
  runId: 3,
  code: 'PATR00KK',
  scannedAt: new Date(1_760_000_000_000),
  isOdd: true,
  note: '围栏破损',
}
const reason = { 'zh-cn': '第 1 轮的时间为 08:00–09:00，该点未计入', en: 'The point was not counted' }

/** As a page that was loaded again: modules have no memory of the one before. */
const reload = async () => {
  vi.resetModules()
  return import('./scan-outcome.ts')
}

it('keeps a refused scan with its reason over a reload until its person has read it', async () => {
  const first = await reload()
  first.openOutcome(7)
  first.addOutcome(7, { refused: [{ scan, reason }] })
  first.addOutcome(7, { removed: ['操场'] })

  const second = await reload()
  second.openOutcome(8)
  expect(second.useScanOutcome.getState()).toEqual({ refused: [], removed: [] })
  // The answer arrived after another person had signed in on this phone.
  second.addOutcome(7, { removed: ['东门'] })
  second.openOutcome(7)
  expect(second.useScanOutcome.getState()).toEqual({ refused: [{ scan, reason }], removed: ['操场', '东门'] })
  second.dismissOutcome()

  const third = await reload()
  third.openOutcome(7)
  expect(third.useScanOutcome.getState()).toEqual({ refused: [], removed: [] })
})
