import { beforeEach, expect, it } from 'vitest'
import { setServerClock, serverNow, useServerClock } from '../server-clock.ts'

const HOUR_MS = 3_600_000
const toHeader = (ms: number) => new Date(Date.now() + ms).toUTCString()
const offset = () => useServerClock.getState().offset
const known = (ms: number) => expect(Math.abs(offset() - ms)).toBeLessThan(5000)

beforeEach(() => useServerClock.setState({ offset: 0 }))

it('follows an answer when this computer is wrong by hours in either direction, and when it was corrected', () => {
  for (const ms of [5 * HOUR_MS, -5 * HOUR_MS, 0]) {
    setServerClock(toHeader(ms))
    known(ms)
    expect(Math.abs(serverNow() - Date.now() - ms)).toBeLessThan(5000)
  }
})

it.each([null, '', 'soon'])('stays when the answer says %j', (date) => {
  setServerClock(toHeader(HOUR_MS))
  const before = offset()
  setServerClock(date)
  expect(offset()).toBe(before)
})

it('does not move with every answer', () => {
  setServerClock(toHeader(HOUR_MS))
  const before = offset()
  setServerClock(toHeader(HOUR_MS + 2000))
  expect(offset()).toBe(before)
})
