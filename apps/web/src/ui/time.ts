import { localStamp, wallClock } from '@tocsin/contract/clock'

/**
 * Date and time as people of both languages read them in an office: `2026-03-01 08:30:05`. In the zone of the server,
 * whatever this computer is set to: what one desk tells another, and what an export says, is the same moment.
 */
export const stamp = (at: Date | number): string => localStamp(new Date(at))
export const clock = (at: Date | number): string => stamp(at).slice(11)
/** To the millisecond. */
export const exactClock = (at: Date | number): string => wallClock(new Date(at)).toISOString().slice(11, 23)
export const hourOf = (at: Date | number): number => wallClock(new Date(at)).getUTCHours()

export type Since = { unit: 'now' | 'secondsAgo' | 'minutesAgo' | 'hoursAgo' | 'daysAgo'; n: number }

/** How long ago, in the largest whole unit. A clock that runs behind the server's never yields the future. */
export const sinceOf = (at: number, now: number): Since => {
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  if (seconds < 5) return { unit: 'now', n: 0 }
  if (seconds < 60) return { unit: 'secondsAgo', n: seconds }
  if (seconds < 3600) return { unit: 'minutesAgo', n: Math.floor(seconds / 60) }
  if (seconds < 86_400) return { unit: 'hoursAgo', n: Math.floor(seconds / 3600) }
  return { unit: 'daysAgo', n: Math.floor(seconds / 86_400) }
}
