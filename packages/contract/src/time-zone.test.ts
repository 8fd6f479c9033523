import { afterEach, expect, it } from 'vitest'
import { wallClock, zone } from './time-zone.ts'

const before = zone.name
afterEach(() => {
  zone.name = before
})

/** What a clock on the wall there shows, read as if it were UTC. */
const onTheWall = (timeZone: string, at: number) =>
  Date.parse(`${new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at)}Z`)

const instants = ['1990-07-01', '1991-09-13', '1991-09-14T16:00Z', '1991-09-16', '2009-01-01', '2026-07-01T12:00Z']

it.each(['Asia/Shanghai', 'Asia/Kathmandu', 'Europe/Berlin', 'UTC'])('the clock on the wall of %s', (name) => {
  zone.name = name
  for (const at of instants.map((text) => Date.parse(text))) {
    expect(wallClock(new Date(at)).getTime()).toBe(onTheWall(name, at))
  }
})
