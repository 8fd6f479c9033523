import { describe, expect, it } from 'vitest'
import { daysBefore, formatDelta, formatElapsed, lapsingSeconds, leaseSecondsLeft } from './clock.ts'

describe('the clock of the desk', () => {
  it('shows minutes and seconds, and hours when there are some', () => {
    expect(formatElapsed(0)).toBe('00:00')
    expect(formatElapsed(61_900)).toBe('01:01')
    expect(formatElapsed(3_600_000)).toBe('1:00:00')
    expect(formatElapsed(90_061_000)).toBe('25:01:01')
  })

  it('never shows negative times', () => {
    expect(formatElapsed(-5000)).toBe('00:00')
    expect(leaseSecondsLeft(new Date(1000), 5000)).toBe(0)
  })

  it('counts a lease down in whole seconds, and shows none without a lease', () => {
    expect(leaseSecondsLeft(new Date(30_000), 0)).toBe(30)
    expect(leaseSecondsLeft(new Date(30_700), 0)).toBe(30)
    expect(leaseSecondsLeft(new Date(30_000), 6_001)).toBe(24)
    expect(leaseSecondsLeft(null, 0)).toBeNull()
  })

  it('hides the seconds of a lease while its seat renews it, and counts them down when it does not', () => {
    // A good connection renews every 10 s, so that at least 20 of 30 s are left, with 5 s for a slow call.
    for (const passed of [0, 10_000, 14_999]) expect(lapsingSeconds(new Date(30_000), passed)).toBeNull()
    expect([15_000, 29_000, 31_000].map((passed) => lapsingSeconds(new Date(30_000), passed))).toEqual([15, 1, 0])
    expect(lapsingSeconds(null, 0)).toBeNull()
  })

  it("keeps the window of a desk that is open for weeks within the server's limit", () => {
    const day = 86_400_000
    const begun = Date.UTC(2026, 10, 22, 23, 59)
    for (const now of [begun, begun + day, begun + 40 * day]) {
      const from = daysBefore(now, 90).getTime()
      expect(now - from).toBeLessThan(91 * day)
      // The same until midnight: one query key a day, and not one a second.
      expect(daysBefore(now + 59_000, 90).getTime()).toBe(from)
      expect(daysBefore(now + 61_000, 90).getTime()).toBe(from + day)
    }
  })

  it('formats the offset of a milestone with its sign', () => {
    expect(formatDelta(420)).toBe('+0.42 s')
    expect(formatDelta(12_340)).toBe('+12.3 s')
    expect(formatDelta(200_000)).toBe('+03:20')
    expect(formatDelta(-1500)).toBe('−1.50 s')
  })
})
