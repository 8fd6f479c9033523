import { codes } from '@tocsin/contract/codes'
import { ConfigDraft } from '@tocsin/contract/system/config'
import type { Db } from '#db/db'
import { Refusal } from '#http/refusal'
import { settingOf } from '../config/value.ts'
import { badField } from '../edit.ts'
import { mailOpen, smsOpen } from '../outbound/channels.ts'

const enabledDept = async (db: Db, code: string): Promise<number | undefined> => {
  const dept = await db
    .selectFrom('dept')
    .select('id')
    .where('code', '=', code)
    .where('enabled', '=', true)
    .executeTakeFirst()
  return dept?.id
}

/** The department of newcomers; undefined while nobody chose one that is enabled. */
export const newcomersDept = async (db: Db): Promise<number | undefined> => {
  const code = await settingOf(db, 'register.dept-code')
  return code ? enabledDept(db, code) : undefined
}

const isOn = async (db: Db) => (await settingOf(db, 'register.enabled')) === 'true'
const contactProven = async (db: Db) => (await smsOpen(db)) || (await mailOpen(db))

/** Switched on, with a department to go to and a way to prove a contact: unproven accounts would be anybody's. */
export const registrationOpen = async (db: Db): Promise<boolean> =>
  (await isOn(db)) && (await contactProven(db)) && (await newcomersDept(db)) !== undefined

/** Refuses a switch that would say "open" while nobody can register, and a department that is none. */
export const checkRegistration = async (db: Db, { key, value }: { key: string; value: string }): Promise<void> => {
  if (key === 'register.dept-code') {
    if (value !== '' && (await enabledDept(db, value)) === undefined) throw badField(ConfigDraft, 'value', 'choice')
    if (value === '' && (await isOn(db))) throw new Refusal(codes.configRegister)
  }
  if (key !== 'register.enabled' || value !== 'true') return
  if (!(await contactProven(db)) || (await newcomersDept(db)) === undefined) throw new Refusal(codes.configRegister)
}
