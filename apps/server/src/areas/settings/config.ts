import { codes } from '@tocsin/contract/codes'
import { type ConfigRow, configs } from '@tocsin/contract/settings/config'
import { SECURITY } from '@tocsin/contract/access/user'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import type { NewEvent } from '#db/event'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Actor, hasPermission, type Caller } from '#http/route'
import { recordChange } from '#areas/audit/edit-row'
import { runEdit } from '#areas/audit/edit-transaction'
import { createEntity } from '#areas/audit/entity/entity'
import { checkRegistration } from './registration-switch.ts'
import { parseRetentionDays, isRetentionKey } from '#settings/log-retention'
import { checkValue, type SettingDefinition, findSettingDefinition } from '#settings/setting-definitions'
import { storeSettingValue } from '#settings/secret-setting'
import { invalidateSettings } from '#settings/settings-cache'

registerConstraintErrors({ config_key_key: { code: codes.configKey } })

const limitsOf = ({ min, max, url, choices, secret }: SettingDefinition): ConfigRow['limits'] => ({
  ...(min !== undefined && { min }),
  ...(max !== undefined && { max }),
  ...(url && { url }),
  ...(choices && { choices: [...choices] }),
  ...(secret && { secret }),
})

const shown = ({ builtIn, ...row }: Row<'config'>): ConfigRow => {
  const known = builtIn ? findSettingDefinition(row.key) : undefined
  return {
    ...row,
    type: builtIn,
    nameEn: known?.name === row.name ? known.nameEn : null,
    remarkEn: known?.remark === row.remark ? known.remarkEn : null,
    limits: known ? limitsOf(known) : null,
  }
}

/** A change of this setting grants and removes permissions (decision 008). */
const SEPARATE = 'security.separate-roles'
/** Settings that decide which menus users have. */
const menuSettings = [SEPARATE, 'site.demo']

/**
 * Settings of the channels that carry sign-in codes and identities: control over them allows signing in as any user.
 */
const opening = new Set(['mail', 'sms', 'social'])
const checkOpening = (actor: Actor, key: string): void => {
  if (opening.has(findSettingDefinition(key)?.category ?? '') && !hasPermission(actor)(SECURITY))
    throw new BusinessError(codes.configSecurity)
}

/** With separated roles, no user shortens the retention of the own traces alone. */
const checkShorter = async (trx: Db, actor: Actor, { key, value }: Row<'config'>, next: string): Promise<void> => {
  if (
    !isRetentionKey(key) ||
    parseRetentionDays(key, next) >= parseRetentionDays(key, value) ||
    hasPermission(actor)(SECURITY)
  )
    return
  const apart = await trx.selectFrom('config').select('value').where('key', '=', SEPARATE).executeTakeFirst()
  if (apart?.value === 'true') throw new BusinessError(codes.configShorter)
}

/** The server finds its own settings by their keys and reads them by their types. */
const checkBuiltIn = (before: Row<'config'>, next: Pick<Row<'config'>, 'key' | 'valueType'>): void => {
  if (before.builtIn && (next.key !== before.key || next.valueType !== before.valueType))
    throw new BusinessError(codes.configBuiltInKey)
}

const checkEdit = async (trx: Db, actor: Actor, before: Row<'config'>, next: Row<'config'>): Promise<void> => {
  checkBuiltIn(before, next)
  const isSecurity = hasPermission(actor)(SECURITY)
  if (before.key === SEPARATE && before.value === 'true' && next.value !== 'true' && !isSecurity)
    throw new BusinessError(codes.officesSecurity)
  if (next.value !== before.value) checkOpening(actor, before.key)
  checkValue(next.key, next.valueType, next.value)
  await checkShorter(trx, actor, before, next.value)
  if (next.value !== before.value) await checkRegistration(trx, next)
}

const eventsOf = ({ id, key }: Pick<Row<'config'>, 'id' | 'key'>): NewEvent[] => [
  { type: 'config.changed', ref: id },
  // Such a switch changes permissions, so sessions reload theirs.
  ...(menuSettings.includes(key) ? [{ type: 'permission.changed' } as const] : []),
]

/** `keys.setting` is the key of secret settings. */
type Deps = { db: Db; keys: { setting: Uint8Array } }

export const configEntity = createEntity({
  of: configs,
  table: 'config',
  missing: codes.configMissing,
  file: { name: '参数配置', nameEn: 'Settings' },
  columns: { type: 'builtIn' },
  nameColumn: 'name',
  keyword: ['name', 'key'],
  filters: { type: (on, type) => on('builtIn', '=', type === '1') },
  order: ['category', 'key'],
  shown,
  exported: [
    'id',
    'category',
    { name: 'name', cell: (name, { nameEn }, lang) => (lang === 'en' && nameEn) || name },
    'key',
    'value',
    'valueType',
    'visible',
    { name: 'remark', cell: (remark, { remarkEn }, lang) => (lang === 'en' && remarkEn) || remark },
    'createTime',
  ],
  check: async (trx, { before, after, caller }) => {
    const next = { ...after, valueType: after.valueType ?? 'STRING', value: after.value ?? '' }
    if (before) await checkEdit(trx, caller.actor, before, { ...before, ...next, remark: after.remark ?? null })
    else checkValue(next.key, next.valueType, next.value)
  },
  toColumns: async (
    { value, ...columns },
    { trx, before, deps }: { trx: Db; before: Row<'config'> | undefined; deps: Deps },
  ) => {
    if (value === undefined) return columns
    const key = columns.key ?? before?.key ?? ''
    return {
      ...columns,
      value: before ? await storeSettingValue(trx, deps.keys.setting, key, value ?? '') : (value ?? ''),
    }
  },
  checkDeletion: (_trx, { builtIn }) => {
    if (builtIn) throw new BusinessError(codes.configBuiltIn)
  },
  // Every node rereads the settings after the event, this one at once.
  committed: invalidateSettings,
  events: eventsOf,
})

export const refreshConfig = async (db: Db, caller: Caller): Promise<true> => {
  const events: NewEvent[] = [{ type: 'config.changed', ref: null }]
  await runEdit(db, 'all', (trx) =>
    recordChange(trx, caller, { action: configs.refresh.permission, subject: 'config', events }),
  )
  invalidateSettings()
  return true
}
