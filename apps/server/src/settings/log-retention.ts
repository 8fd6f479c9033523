import type { Db } from '#db/db'
import { LOG_DAYS_MIN } from './log-days.ts'
import { findSettingDefinition } from './setting-definitions.ts'
import { getSetting } from './settings-cache.ts'

export type WarningLogger = { warn: (text: string) => void }

const keys = ['log.login-days', 'log.operate-days', 'exchange.message-days'] as const
type RetentionKey = (typeof keys)[number]

export const isRetentionKey = (key: string): key is RetentionKey => keys.some((item) => item === key)

const readable = (written: string): boolean => /^\d{1,6}$/.test(written)

/** Days that a log is kept: the setting within its bounds, or the default if it is no number. */
export const parseRetentionDays = (key: RetentionKey, written: string): number => {
  const { value = '', max = Number.POSITIVE_INFINITY } = findSettingDefinition(key) ?? {}
  return Math.min(max, Math.max(LOG_DAYS_MIN, Number(readable(written) ? written : value)))
}

/** Returns how many days a log is kept. */
export const retentionDays = async (db: Db, key: RetentionKey, log?: WarningLogger): Promise<number> => {
  const written = await getSetting(db, key)
  const days = parseRetentionDays(key, written)
  if (!readable(written)) log?.warn(`the setting ${key} is not a number of days: what it is about is kept for ${days}`)
  return days
}
