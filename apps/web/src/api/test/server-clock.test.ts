import { expect, it } from 'vitest'
import { betterClockOffset, setServerClock, serverNow, updateServerClock, useServerClock } from '../server-clock.ts'

const HOUR_MS = 3_600_000
const AT = Date.UTC(2026, 10, 22, 8)
const toHeader = (ms: number) => new Date(AT + ms).toUTCString()
const offset = () => useServerClock.getState().offset

it('follows a response when this computer is wrong by hours in either direction, and when it was corrected', () => {
  for (const ms of [5 * HOUR_MS, -5 * HOUR_MS, 0]) {
    setServerClock(toHeader(ms), AT)
    expect(offset()).toBe(ms)
    expect(Math.abs(serverNow() - Date.now() - ms)).toBeLessThan(5000)
  }
})

it.each([null, '', 'soon'])('keeps the estimate when the header is %j', (date) => {
  setServerClock(toHeader(HOUR_MS), AT)
  setServerClock(date, AT)
  expect(offset()).toBe(HOUR_MS)
})

it('keeps the exact time of the desk when a header of the same second arrives, and the reverse', () => {
  setServerClock(toHeader(2 * HOUR_MS), AT + 700)
  updateServerClock(AT + 2 * HOUR_MS + 690, AT + 700)
  expect(offset()).toBe(2 * HOUR_MS - 10)
  setServerClock(toHeader(2 * HOUR_MS), AT + 900)
  expect(offset()).toBe(2 * HOUR_MS - 10)
})

it('keeps the estimate with the shortest response time, until a clock was changed', () => {
  expect(betterClockOffset(undefined, -40)).toBe(-40)
  expect(betterClockOffset(-40, -300)).toBe(-40)
  expect(betterClockOffset(-40, -10)).toBe(-10)
  expect(betterClockOffset(-40, -9000)).toBe(-9000)
})
