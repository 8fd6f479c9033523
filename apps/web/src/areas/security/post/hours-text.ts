import { ALL_WEEKDAYS, formatMinute } from '@tocsin/contract/security/hours'
import type { TFunction } from 'i18next'

export const weekdayKeys = [
  'duty.weekday0',
  'duty.weekday1',
  'duty.weekday2',
  'duty.weekday3',
  'duty.weekday4',
  'duty.weekday5',
  'duty.weekday6',
] as const

type Hours = { weekdays: number; fromMin: number; toMin: number }

/** A short form of days: daily, a range, or single days. */
const daysText = (weekdays: number, t: TFunction): string => {
  if (weekdays === ALL_WEEKDAYS) return t('duty.everyDay')
  const days = weekdayKeys.flatMap((key, day) => (weekdays & (1 << day) ? [{ day, name: t(key) }] : []))
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return ''
  const isRow = days.length > 2 && last.day - first.day === days.length - 1
  return isRow ? `${first.name}–${last.name}` : days.map(({ name }) => name).join(' ')
}

export const hoursText = (hours: Hours, t: TFunction): string =>
  `${daysText(hours.weekdays, t)} ${formatMinute(hours.fromMin)}–${formatMinute(hours.toMin)}`
