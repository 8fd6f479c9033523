import { addDays, localDay, startOfDay, startOfWeek, weekdayOf } from '@tocsin/contract/security/hours'
import type { TFunction } from 'i18next'
import { weekdayKeys } from '../post/hours-text.ts'

export type CalendarView = 'week' | 'month'

/** The first of the local month that holds a day. */
const startOfMonth = (day: Date): Date => addDays(day, 1 - Number(localDay(day).slice(8)))

/** The day that a calendar of this view begins with. */
export const firstDay = (view: CalendarView, at: Date): Date =>
  view === 'month' ? startOfMonth(startOfDay(at)) : startOfWeek(startOfDay(at))

const MAX_MONTH_DAYS = 31

/** The days of the week or month that begins with a day. */
export const listDays = (view: CalendarView, first: Date): Date[] => {
  if (view === 'week') return Array.from({ length: 7 }, (_, n) => addDays(first, n))
  const month = localDay(first).slice(0, 7)
  const days = Array.from({ length: MAX_MONTH_DAYS }, (_, n) => addDays(first, n))
  return days.filter((day) => localDay(day).startsWith(month))
}

/** The beginning of the week or month before (-1) or after (1). */
export const neighbour = (view: CalendarView, first: Date, step: -1 | 1): Date => {
  if (view === 'week') return addDays(first, step * 7)
  return step === 1 ? startOfMonth(addDays(first, MAX_MONTH_DAYS)) : startOfMonth(addDays(first, -1))
}

/** The number of the week by ISO 8601: that of its Thursday. */
export const weekNumber = (monday: Date): number => {
  const thursday = localDay(addDays(monday, 3))
  const dayOfYear = (Date.parse(thursday) - Date.parse(`${thursday.slice(0, 4)}-01-01`)) / 86_400_000
  return Math.floor(dayOfYear / 7) + 1
}

export const dayTitle = (day: Date, isCompact: boolean, t: TFunction): string => {
  const weekday = t(weekdayKeys[weekdayOf(day)] ?? 'duty.weekday0')
  return `${weekday} ${localDay(day).slice(isCompact ? 8 : 5)}`
}
