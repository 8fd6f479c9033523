import { beforeEach, expect, it } from 'vitest'
import { setServerClock, serverNow, useServerClock } from '../server-clock.ts'

const HOUR_MS = 3_600_000
const told = (ms: number) => new Date(Date.now() + ms).toUTCString()
const offset = () => useServerClock.getState().offset
const known = (ms: number) => expect(Math.abs(offset() - ms)).toBeLessThan(5000)

beforeEach(() => useServerClock.setState({ offset: 0 }))

it('is learnt from an answer when this computer is wrong by hours, either way, and when it was set right', () => {
  for (const ms of [5 * HOUR_MS, -5 * HOUR_MS, 0]) {
    setServerClock(told(ms))
    known(ms)
    expect(Math.abs(serverNow() - Date.now() - ms)).toBeLessThan(5000)
  }
})

it.each([null, '', 'soon'])('stays as it was when the answer says %j', (date) => {
  setServerClock(told(HOUR_MS))
  const before = offset()
  setServerClock(date)
  expect(offset()).toBe(before)
})

it('does not move with every answer', () => {
  setServerClock(told(HOUR_MS))
  const before = offset()
  setServerClock(told(HOUR_MS + 2000))
  expect(offset()).toBe(before)
})
