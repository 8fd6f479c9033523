import type { Db } from '#db/db'
import { getSetting } from '#settings/settings-cache'

/** Whether text messages can be sent. */
export const isSmsConfigured = async (db: Db): Promise<boolean> => (await getSetting(db, 'sms.provider')) !== ''

/** Whether mail can be sent. */
export const isMailConfigured = async (db: Db): Promise<boolean> =>
  (await getSetting(db, 'mail.smtp-url')) !== '' && (await getSetting(db, 'mail.from')) !== ''

/** Whether contacts of this kind can receive messages. */
export const isChannelConfigured = (db: Db, type: 'MOBILE' | 'EMAIL'): Promise<boolean> =>
  type === 'MOBILE' ? isSmsConfigured(db) : isMailConfigured(db)
