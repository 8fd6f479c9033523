import { LEASE_SEC } from '@tocsin/contract/alarm/state-machine'
import { create } from 'zustand'
import { useNow } from '#ui/RelativeTime.tsx'

/** Server clock minus this computer's, in milliseconds. */
export const useClock = create<{ offset: number }>()(() => ({ offset: 0 }))

/** More than an answer can take on its way: one of the two clocks was set. */
const CLOCK_SET_MS = 5000

/**
 * The better of two estimates. Each is too small by the time its answer travelled, so the largest is the best, until a
 * clock was set.
 */
export const betterClockOffset = (known: number | undefined, seen: number): number =>
  known === undefined || seen > known || known - seen > CLOCK_SET_MS ? seen : known

let known: number | undefined

/** Learns from an answer: the server's clock in it, and when it arrived by this computer's. */
export const updateClock = (serverNow: number, arrivedAt: number): void => {
  known = betterClockOffset(known, serverNow - arrivedAt)
  useClock.setState({ offset: known })
}

/** The server's time in epoch milliseconds, once a second. */
export const useServerNow = (): number => useNow() + useClock((clock) => clock.offset)

const DAY_MS = 86_400_000

/** Midnight UTC so many days before today: the same all day long. */
export const daysBefore = (now: number, days: number): Date => new Date((Math.floor(now / DAY_MS) - days) * DAY_MS)

const two = (n: number) => String(n).padStart(2, '0')

/** `mm:ss`, from an hour on `h:mm:ss`. Never negative. */
export const formatElapsed = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const hours = Math.floor(seconds / 3600)
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

/**
 * Whole seconds until a lease ends, 0 when it has; null without one. Never more than a lease is given, though the time
 * of the last tick is up to a second old.
 */
export const leaseSecondsLeft = (until: Date | null, now: number): number | null =>
  until === null ? null : Math.max(0, Math.min(LEASE_SEC, Math.ceil((until.getTime() - now) / 1000)))

/** A hop's distance from the first moment: `+0.42 s`, `+12.3 s`, `+03:20`. A device clock ahead gives a minus. */
export const formatDelta = (ms: number): string => {
  const sign = ms < 0 ? '−' : '+'
  const size = Math.abs(ms)
  if (size < 10_000) return `${sign}${(size / 1000).toFixed(2)} s`
  if (size < 60_000) return `${sign}${(size / 1000).toFixed(1)} s`
  return `${sign}${formatElapsed(size)}`
}
