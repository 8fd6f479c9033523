import { LEASE_SEC } from '@tocsin/contract/alarm/state-machine'

const DAY_MS = 86_400_000

/** Midnight UTC this many days before today. It changes once a day, so that query keys stay equal. */
export const daysBefore = (now: number, days: number): Date => new Date((Math.floor(now / DAY_MS) - days) * DAY_MS)

const two = (n: number) => String(n).padStart(2, '0')

/** `mm:ss`, or `h:mm:ss` from an hour on. Never negative. */
export const formatElapsed = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const hours = Math.floor(seconds / 3600)
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

/**
 * Whole seconds until a lease ends, 0 after that; null without one. Limited to the length of a lease, because the last
 * tick is up to a second old.
 */
export const leaseSecondsLeft = (until: Date | null, now: number): number | null =>
  until === null ? null : Math.max(0, Math.min(LEASE_SEC, Math.ceil((until.getTime() - now) / 1000)))

/** A connected seat renews its lease every 10 s, so that less than this means a lost connection. */
const LAPSING_SEC = 15

/** Seconds until a lease ends that nobody renews any more; null while the connection of its seat is good. */
export const lapsingSeconds = (until: Date | null, now: number): number | null => {
  const left = leaseSecondsLeft(until, now)
  return left !== null && left <= LAPSING_SEC ? left : null
}

/** The offset of a milestone from the first one: `+0.42 s`, `+12.3 s`, `+03:20`. A fast device clock gives a minus. */
export const formatDelta = (ms: number): string => {
  const sign = ms < 0 ? '−' : '+'
  const size = Math.abs(ms)
  if (size < 10_000) return `${sign}${(size / 1000).toFixed(2)} s`
  if (size < 60_000) return `${sign}${(size / 1000).toFixed(1)} s`
  return `${sign}${formatElapsed(size)}`
}
