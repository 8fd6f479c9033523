import { zone } from '@tocsin/contract/clock'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fromWall, toWall } from './dates/wall.ts'
import { clock, exactClock, hourOf, stamp } from './time.ts'

const at = new Date('2026-01-31T20:15:30.250Z')

describe('times on the screen', () => {
  const before = zone.name
  beforeEach(() => {
    zone.name = 'Pacific/Kiritimati'
  })
  afterEach(() => {
    zone.name = before
  })

  test('are those of the server, whatever zone this computer is in', () => {
    expect(stamp(at)).toBe('2026-02-01 10:15:30')
    expect(clock(at.getTime())).toBe('10:15:30')
    expect(exactClock(at)).toBe('10:15:30.250')
    expect(hourOf(at)).toBe(10)
  })

  test('stand in a picker as they stand in a list, and are picked as such', () => {
    expect(toWall(at).format('YYYY-MM-DD HH:mm')).toBe('2026-02-01 10:15')
    expect(fromWall(toWall(at)).toISOString()).toBe('2026-01-31T20:15:30.000Z')
    expect(fromWall(toWall(at).startOf('day')).toISOString()).toBe('2026-01-31T10:00:00.000Z')
  })
})
