import type { Db } from '#db/db'
import { settingOf } from '../config/value.ts'

/** Whether text messages can be sent. */
export const smsOpen = async (db: Db): Promise<boolean> => (await settingOf(db, 'sms.provider')) !== ''

/** Whether mail can be sent. */
export const mailOpen = async (db: Db): Promise<boolean> =>
  (await settingOf(db, 'mail.smtp-url')) !== '' && (await settingOf(db, 'mail.from')) !== ''

/** Whether a contact of this kind can be written to. */
export const channelOpen = (db: Db, type: 'MOBILE' | 'EMAIL'): Promise<boolean> =>
  type === 'MOBILE' ? smsOpen(db) : mailOpen(db)
