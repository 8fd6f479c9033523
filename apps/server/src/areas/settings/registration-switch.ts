import { codes } from '@tocsin/contract/codes'
import { ConfigDraft } from '@tocsin/contract/settings/config'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { SettingKey } from '#settings/setting-definitions'
import { getSetting } from '#settings/settings-cache'
import { fieldError } from '#areas/audit/edit-transaction'
import { isMailConfigured, isSmsConfigured } from './channels.ts'

const enabledDept = async (db: Db, code: string): Promise<number | undefined> => {
  const dept = await db
    .selectFrom('dept')
    .select('id')
    .where('code', '=', code)
    .where('enabled', '=', true)
    .executeTakeFirst()
  return dept?.id
}

/** The department of new users; undefined while no enabled one is configured. */
export const registrationDept = async (db: Db): Promise<number | undefined> => {
  const code = await getSetting(db, 'register.dept-code')
  return code ? enabledDept(db, code) : undefined
}

const isOn = async (db: Db) => (await getSetting(db, 'register.enabled')) === 'true'
const contactProven = async (db: Db) => (await isSmsConfigured(db)) || (await isMailConfigured(db))

/** Enabled, with a department and a channel to verify a contact: unverified accounts could be created by anybody. */
export const isRegistrationOpen = async (db: Db): Promise<boolean> =>
  (await isOn(db)) && (await contactProven(db)) && (await registrationDept(db)) !== undefined

type Setting = { key: string; value: string }

/** A setting as it is stored, without the cache of this node. */
const kept = async (trx: Db, key: SettingKey): Promise<string> =>
  (await trx.selectFrom('config').select('value').where('key', '=', key).executeTakeFirst())?.value ?? ''

/**
 * Whether registration is on, locked until the commit: when it is enabled and a requirement is removed concurrently,
 * one transaction sees the other.
 */
const holdSwitch = async (trx: Db): Promise<boolean> => {
  const row = await trx
    .selectFrom('config')
    .select('value')
    .where('key', '=', 'register.enabled' satisfies SettingKey)
    .forUpdate()
    .executeTakeFirst()
  return row?.value === 'true'
}

/** Whether a contact can still be verified once the setting has its new value. */
const provenWith = async (trx: Db, { key, value }: Setting): Promise<boolean> => {
  const next = async (of: SettingKey) => (of === key ? value : await kept(trx, of)) !== ''
  return (await next('sms.provider')) || ((await next('mail.smtp-url')) && (await next('mail.from')))
}

/** Without one of these channels no contact can be verified. */
const channels: readonly string[] = ['sms.provider', 'mail.smtp-url', 'mail.from'] satisfies SettingKey[]

/** Rejects enabling a registration that could not work, and removing its requirements while it is on. */
export const checkRegistration = async (trx: Db, setting: Setting): Promise<void> => {
  const { key, value } = setting
  const [isSwitch, isDept] = [key === 'register.enabled', key === 'register.dept-code']
  if (!isSwitch && !isDept && !channels.includes(key)) return
  const isOpen = await holdSwitch(trx)
  const on = isSwitch ? value === 'true' : isOpen
  const code = isDept ? value : await kept(trx, 'register.dept-code')
  const dept = code === '' ? undefined : await enabledDept(trx, code)
  if (isDept && value !== '' && dept === undefined) throw fieldError(ConfigDraft, 'value', 'choice')
  if (!on) return
  if ((isDept || isSwitch) && dept === undefined) throw new BusinessError(codes.configRegister)
  if (!(await provenWith(trx, setting)))
    throw new BusinessError(isSwitch ? codes.configRegister : codes.configRegisterOn)
}

/** Rejects removing or disabling the department of new users while registration is on. */
export const checkRegistrationDept = async (trx: Db, dept: Row<'dept'>, next?: Row<'dept'>): Promise<void> => {
  if (!dept.code || (next?.enabled && next.code === dept.code)) return
  if ((await holdSwitch(trx)) && (await kept(trx, 'register.dept-code')) === dept.code)
    throw new BusinessError(codes.deptNewcomers)
}
