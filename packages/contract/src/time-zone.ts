/** The zone in which texts without one are read (`TOCSIN_TZ`); set once by the server at start. */
export const zone = { name: 'Asia/Shanghai' }

/** China changed no clock since; the question would be the browser's first to a calendar, which takes it 30 ms. */
const UNCHANGED = { name: 'Asia/Shanghai', since: Date.UTC(1991, 8, 15), ms: 8 * 3_600_000 }

/** What a clock in the configured zone is ahead of UTC at this moment. */
export const offsetMs = (at: number): number => {
  if (zone.name === UNCHANGED.name && at >= UNCHANGED.since) return UNCHANGED.ms
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone.name, timeZoneName: 'longOffset' }).formatToParts(at)
  const text = parts.find((p) => p.type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(text) ?? []
  return hours ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0
}

const QUARTER_MS = 900_000
/** Zones change their offset at quarters of an hour at most, and asking the zone is slow. */
const offsets = { zone: '', known: new Map<number, number>() }

/** The same instant as a clock in the configured zone shows it, carried in the UTC fields: for sheets and texts. */
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

/** `yyyy-MM-dd HH:mm:ss` in the configured zone. */
export const localStamp = (at: Date): string => wallClock(at).toISOString().slice(0, 19).replace('T', ' ')
