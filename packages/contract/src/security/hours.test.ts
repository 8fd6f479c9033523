import { describe, expect, it } from 'vitest'
import { formatMinute, localDay, mergeSpans, slotOnDay, slotsWithin, startOfWeek, subtractSpans } from './hours.ts'

const at = (text: string) => new Date(`${text}:00+08:00`)
const span = (from: string, to: string) => ({ from: at(from), to: at(to) })
const nights = { weekdays: 0b0011111, fromMin: 1320, toMin: 360 }

describe('slotsWithin', () => {
  it('ends a night on the next day, and skips days without the post', () => {
    expect(slotOnDay(nights, at('2026-11-27T12:00'))).toEqual(span('2026-11-27T22:00', '2026-11-28T06:00'))
    expect(slotOnDay(nights, at('2026-11-28T12:00'))).toBeUndefined()
  })

  it('cuts slots to the window, the one of the day before included', () => {
    expect(slotsWithin(nights, span('2026-11-24T03:00', '2026-11-24T23:00'))).toEqual([
      span('2026-11-24T03:00', '2026-11-24T06:00'),
      span('2026-11-24T22:00', '2026-11-24T23:00'),
    ])
  })
})

describe('subtractSpans', () => {
  it('returns the uncovered time', () => {
    const day = [span('2026-11-24T07:00', '2026-11-24T19:00')]
    const covered = [span('2026-11-24T06:00', '2026-11-24T12:00'), span('2026-11-24T13:00', '2026-11-24T18:00')]
    expect(subtractSpans(day, covered)).toEqual([
      span('2026-11-24T12:00', '2026-11-24T13:00'),
      span('2026-11-24T18:00', '2026-11-24T19:00'),
    ])
    expect(subtractSpans(day, day)).toEqual([])
    expect(subtractSpans(day, [])).toEqual(day)
  })

  it('merges spans that touch', () => {
    const spans = [span('2026-11-24T12:00', '2026-11-24T13:00'), span('2026-11-24T07:00', '2026-11-24T12:00')]
    expect(mergeSpans(spans)).toEqual([span('2026-11-24T07:00', '2026-11-24T13:00')])
  })
})

it('reads days and minutes in the configured zone', () => {
  expect(localDay(at('2026-11-24T00:30'))).toBe('2026-11-24')
  expect(startOfWeek(at('2026-11-29T23:00'))).toEqual(at('2026-11-23T00:00'))
  expect([formatMinute(0), formatMinute(1440)]).toEqual(['00:00', '24:00'])
})
