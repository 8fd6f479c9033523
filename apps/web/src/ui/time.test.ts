import { zone } from '@tocsin/contract/time-zone'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fromWallClock, toWallClock } from './dates/wall-clock.ts'
import { readNow, watchNow } from './RelativeTime.tsx'
import { formatTime, formatTimeMs, hourOf, formatDateTime } from './time.ts'

const at = new Date('2026-01-31T20:15:30.250Z')

describe('times on the screen', () => {
  const before = zone.name
  beforeEach(() => {
    zone.name = 'Pacific/Kiritimati'
  })
  afterEach(() => {
    zone.name = before
  })

  test('are in the time zone of the server, whatever the zone of the computer', () => {
    expect(formatDateTime(at)).toBe('2026-02-01 10:15:30')
    expect(formatTime(at.getTime())).toBe('10:15:30')
    expect(formatTimeMs(at)).toBe('10:15:30.250')
    expect(hourOf(at)).toBe(10)
  })

  test('are the same in a picker and in a list, and are picked in that zone', () => {
    expect(toWallClock(at).format('YYYY-MM-DD HH:mm')).toBe('2026-02-01 10:15')
    expect(fromWallClock(toWallClock(at)).toISOString()).toBe('2026-01-31T20:15:30.000Z')
    expect(fromWallClock(toWallClock(at).startOf('day')).toISOString()).toBe('2026-01-31T10:00:00.000Z')
  })
})

describe('the clock of the page', () => {
  // Later than the last read of the test before.
  beforeEach(() => void vi.useFakeTimers({ now: Math.max(Date.now(), readNow()) + 60_000 }))
  afterEach(() => void vi.useRealTimers())

  test('tells the time to what wakes a hidden page when its timer is late', () => {
    const end = watchNow(() => {})
    vi.advanceTimersByTime(1000)
    const before = readNow()
    // The time goes on; the timer does not fire.
    vi.setSystemTime(before + 10_000)
    expect(readNow()).toBe(before + 10_000)
    end()
  })

  test('calls back each second, and reads the same time within one', () => {
    const read: number[] = []
    const end = watchNow(() => void read.push(readNow()))
    const before = readNow()
    vi.advanceTimersByTime(999)
    expect([readNow(), read]).toEqual([before, []])
    vi.advanceTimersByTime(1001)
    expect(read).toEqual([before + 1000, before + 2000])
    end()
  })
})
