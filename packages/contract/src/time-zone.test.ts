import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { parseInstant, queryRange } from './codecs.ts'
import { localStamp, wallClock, zone } from './time-zone.ts'

const before = zone.name
afterEach(() => {
  zone.name = before
})

/** The wall clock there, read as if it were UTC. */
const onTheWall = (timeZone: string, at: number) =>
  Date.parse(`${new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at)}Z`)

const instants = ['1990-07-01', '1991-09-13', '1991-09-14T16:00Z', '1991-09-16', '2009-01-01', '2026-07-01T12:00Z']

it.each(['Asia/Shanghai', 'Asia/Kathmandu', 'Europe/Berlin', 'UTC'])('formats the wall clock of %s', (name) => {
  zone.name = name
  for (const at of instants.map((text) => Date.parse(text))) {
    expect(wallClock(new Date(at)).getTime()).toBe(onTheWall(name, at))
  }
})

it('prints the offset in the hour that a clock change repeats, and only there', () => {
  zone.name = 'Europe/Berlin'
  const stamps = ['2026-10-24T23:59:59Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:00:00Z']
  expect(stamps.map((text) => localStamp(new Date(text)))).toEqual([
    '2026-10-25 01:59:59',
    '2026-10-25 02:30:00 +02:00',
    '2026-10-25 02:30:00 +01:00',
    '2026-10-25 03:00:00',
  ])
  expect(localStamp(new Date('2026-03-29T01:30:00Z'))).toBe('2026-03-29 03:30:00')
})

it('reads the first passing of a repeated hour, the last as the end of a range, and what it printed', () => {
  zone.name = 'America/New_York'
  const iso = (date: Date | undefined) => date?.toISOString()
  const [from, to] = z.decode(queryRange, ['2026-11-01 01:30:00', '2026-11-01 01:30:00'])
  expect([iso(from), iso(to)]).toEqual(['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.999Z'])
  for (const text of ['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z'])
    expect(iso(parseInstant(localStamp(new Date(text))))).toBe(text)
  // The hour that does not exist is read as before.
  expect(iso(parseInstant('2026-03-08 02:30'))).toBe('2026-03-08T06:30:00.000Z')
  zone.name = 'Asia/Shanghai'
  expect(iso(parseInstant('2026-11-01 01:30', 'last'))).toBe('2026-10-31T17:30:00.000Z')
})
