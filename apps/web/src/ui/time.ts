import { localStamp, wallClock } from '@tocsin/contract/time-zone'

/**
 * Date and time as offices of both languages write them: `2026-03-01 08:30:05`. In the zone of the server, whatever
 * this computer is set to, so that two desks and an export show the same moment.
 */
export const formatDateTime = (at: Date | number): string => localStamp(new Date(at))
export const formatTime = (at: Date | number): string => formatDateTime(at).slice(11)
/** With milliseconds. */
export const formatTimeMs = (at: Date | number): string => wallClock(new Date(at)).toISOString().slice(11, 23)
export const hourOf = (at: Date | number): number => wallClock(new Date(at)).getUTCHours()

export type RelativeAge = { unit: 'now' | 'secondsAgo' | 'minutesAgo' | 'hoursAgo' | 'daysAgo'; n: number }

/** The age in the largest whole unit. A clock behind the server's never yields the future. */
export const relativeAge = (at: number, now: number): RelativeAge => {
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  if (seconds < 5) return { unit: 'now', n: 0 }
  if (seconds < 60) return { unit: 'secondsAgo', n: seconds }
  if (seconds < 3600) return { unit: 'minutesAgo', n: Math.floor(seconds / 60) }
  if (seconds < 86_400) return { unit: 'hoursAgo', n: Math.floor(seconds / 3600) }
  return { unit: 'daysAgo', n: Math.floor(seconds / 86_400) }
}
