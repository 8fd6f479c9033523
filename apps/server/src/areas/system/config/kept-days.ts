import type { Db } from '#db/db'
import { LOG_DAYS_MIN, knownSetting } from './known.ts'
import { settingOf } from './value.ts'

export type Warns = { warn: (text: string) => void }

const keys = ['log.login-days', 'log.operate-days'] as const
type DaysKey = (typeof keys)[number]

export const isDaysKey = (key: string): key is DaysKey => keys.some((one) => one === key)

const readable = (written: string): boolean => /^\d{1,6}$/.test(written)

/** Days that a log is kept, as written but within the setting's bounds; what is no number keeps as if nobody wrote. */
export const daysWritten = (key: DaysKey, written: string): number => {
  const { value = '', max = Number.POSITIVE_INFINITY } = knownSetting(key) ?? {}
  return Math.min(max, Math.max(LOG_DAYS_MIN, Number(readable(written) ? written : value)))
}

/** For so many days a log is kept. */
export const keptDays = async (db: Db, key: DaysKey, log?: Warns): Promise<number> => {
  const written = await settingOf(db, key)
  const days = daysWritten(key, written)
  if (!readable(written)) log?.warn(`the setting ${key} is not a number of days: what it is about is kept for ${days}`)
  return days
}
