import { describe, expect, it } from 'vitest'
import { type DayRange, endsRange, orderDays } from './day-range.ts'

type Pointer = ['down' | 'up', day: string]

/** The ranges that a pointer chooses; each press and release reaches the grid as here. */
const rangesOf = (...acts: Pointer[]): DayRange[] => {
  const ranges: DayRange[] = []
  let anchor: string | undefined
  let press: Parameters<typeof endsRange>[0]
  for (const [kind, day] of acts) {
    if (kind === 'down') {
      press = { day, isFirst: anchor === undefined }
      anchor ??= day
      continue
    }
    if (endsRange(press, day) && anchor !== undefined) {
      ranges.push(orderDays(anchor, day))
      anchor = undefined
    }
    press = undefined
  }
  return ranges
}
const click = (day: string): Pointer[] => [
  ['down', day],
  ['up', day],
]
const [monday, tuesday] = ['2026-06-22', '2026-06-23']

describe('endsRange', () => {
  it('chooses a single day by two clicks on it', () => {
    expect(rangesOf(...click(monday))).toEqual([])
    expect(rangesOf(...click(monday), ...click(monday))).toEqual([{ from: monday, to: monday }])
  })

  it('chooses several days by two clicks or by a drag, in either direction', () => {
    const both = [{ from: monday, to: tuesday }]
    expect(rangesOf(...click(monday), ...click(tuesday))).toEqual(both)
    expect(rangesOf(...click(tuesday), ...click(monday))).toEqual(both)
    expect(rangesOf(['down', tuesday], ['up', monday])).toEqual(both)
    expect(rangesOf(...click(monday), ...click(monday), ['down', monday], ['up', tuesday])).toHaveLength(2)
  })

  it('chooses nothing when the press began elsewhere', () => {
    expect(rangesOf(['up', monday])).toEqual([])
  })
})
