import type { Db } from '#db/db'
import { settingOf } from '../config/value.ts'
import { mailOpen, smsOpen } from '../outbound/channels.ts'

/** The department of newcomers; undefined while nobody chose one that is enabled. */
export const newcomersDept = async (db: Db): Promise<number | undefined> => {
  const code = await settingOf(db, 'register.dept-code')
  if (!code) return undefined
  const dept = await db
    .selectFrom('dept')
    .select('id')
    .where('code', '=', code)
    .where('enabled', '=', true)
    .executeTakeFirst()
  return dept?.id
}

/** Switched on, with a department to go to and a way to prove a contact: unproven accounts would be anybody's. */
export const registrationOpen = async (db: Db): Promise<boolean> =>
  (await settingOf(db, 'register.enabled')) === 'true' &&
  ((await smsOpen(db)) || (await mailOpen(db))) &&
  (await newcomersDept(db)) !== undefined
