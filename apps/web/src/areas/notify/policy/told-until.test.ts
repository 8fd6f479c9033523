import type { PolicyTarget } from '@tocsin/contract/notify/policy'
import { describe, expect, it } from 'vitest'
import { formatTarget, parseTarget } from './targets.ts'
import { listMoments } from './told-until.ts'

const guard: PolicyTarget = { kind: 'ROLE', roleCode: 'guard' }
const station: PolicyTarget = { kind: 'STATION' }

describe('listMoments', () => {
  it('repeats the steps by loops and ends with the fallback', () => {
    const steps = [
      { afterSec: 60, targets: [station], channels: ['VOICE' as const] },
      { afterSec: 0, targets: [guard], channels: ['INAPP' as const] },
    ]
    const moments = listMoments({ steps, loops: 1, fallback: { targets: [station], channels: ['SMS'] } })
    expect(moments.map(({ sec, isFallback }) => [sec, isFallback])).toEqual([
      [0, false],
      [60, false],
      [120, false],
      [180, false],
      [210, true],
    ])
  })
})

describe('parseTarget', () => {
  it('parses the output of formatTarget', () => {
    for (const target of [guard, station, { kind: 'USER', userId: 5 } as const])
      expect(parseTarget(formatTarget(target))).toEqual(target)
  })
})
