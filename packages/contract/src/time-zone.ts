/** The zone in which texts without one are read (`TOCSIN_TZ`); set once by the server at start. */
export const zone = { name: 'Asia/Shanghai' }

/** China has not changed its offset since; asking the browser would load its calendar data, which takes 30 ms. */
const UNCHANGED = { name: 'Asia/Shanghai', since: Date.UTC(1991, 8, 15), ms: 8 * 3_600_000 }

/** The offset of the configured zone from UTC at this moment. */
export const offsetMs = (at: number): number => {
  if (zone.name === UNCHANGED.name && at >= UNCHANGED.since) return UNCHANGED.ms
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone.name, timeZoneName: 'longOffset' }).formatToParts(at)
  const text = parts.find((p) => p.type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(text) ?? []
  return hours ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0
}

const QUARTER_MS = 900_000
/** Offsets change only at quarters of an hour, and Intl is slow, so results are cached per quarter. */
const offsets = { zone: '', known: new Map<number, number>() }

/**
 * The instant shifted so that its UTC fields show the wall clock of the configured zone: for spreadsheets and texts.
 */
export const wallClock = (at: Date): Date => {
  const ms = at.getTime()
  const quarter = Math.floor(ms / QUARTER_MS)
  if (offsets.zone !== zone.name || offsets.known.size > 10_000) {
    offsets.zone = zone.name
    offsets.known.clear()
  }
  const known = offsets.known.get(quarter) ?? offsetMs(ms)
  offsets.known.set(quarter, known)
  return new Date(ms + known)
}

const DAY_MS = 86_400_000
/** The offset at this moment, from the same cache as `wallClock`. */
const offsetAt = (at: number): number => wallClock(new Date(at)).getTime() - at

/**
 * The moments when the wall clock of the configured zone shows this time, given as UTC fields: two in the hour that a clock
 * change repeats, none in the hour that it skips.
 */
export const momentsOf = (wall: number): number[] => {
  const offsets = new Set([offsetAt(wall - DAY_MS), offsetAt(wall + DAY_MS)])
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((at) => at + offsetAt(at) === wall)
    .sort((left, right) => left - right)
}

const formatOffset = (ms: number): string => {
  const minutes = Math.abs(ms) / 60_000
  const pad = (count: number) => String(Math.floor(count)).padStart(2, '0')
  return `${ms < 0 ? '-' : '+'}${pad(minutes / 60)}:${pad(minutes % 60)}`
}

/** `yyyy-MM-dd HH:mm:ss` in the configured zone; with the offset in the hour that a clock change repeats. */
export const localStamp = (at: Date): string => {
  const wall = wallClock(at)
  const text = wall.toISOString().slice(0, 19).replace('T', ' ')
  if (momentsOf(wall.getTime()).length < 2) return text
  return `${text} ${formatOffset(wall.getTime() - at.getTime())}`
}
