import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import { type ConfigEdit, type ConfigNew, type ConfigQuery, ConfigRow, configs } from '@tocsin/contract/settings/config'
import { lookupLabel } from '@tocsin/contract/field'
import { auditLabels } from '@tocsin/contract/audit/audit-labels'
import { SECURITY } from '@tocsin/contract/access/user'
import { z } from 'zod'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import type { NewEvent } from '#db/event'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Actor, hasPermission, type Caller } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { sheetColumn } from '#spreadsheet/column'
import { recordChange } from '#areas/audit/edit-row'
import { createStamp, checkVersion, changedColumns, updateStamp, runEdit } from '#areas/audit/edit-transaction'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
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

type Filter = ConfigQuery & { keywords?: string | undefined }

const filtered = (db: Db, { category, name, key, type, createTime, keywords }: Filter) =>
  db
    .selectFrom('config')
    .$if(!!category, (q) => q.where('category', 'ilike', likePattern(category ?? '')))
    .$if(!!name, (q) => q.where('name', 'ilike', likePattern(name ?? '')))
    .$if(!!key, (q) => q.where('key', 'ilike', likePattern(key ?? '')))
    .$if(type !== undefined, (q) => q.where('builtIn', '=', type === '1'))
    .$if(!!createTime, (q) =>
      q.where('createTime', '>=', createTime?.[0] as Date).where('createTime', '<=', createTime?.[1] as Date),
    )
    .$if(!!keywords, (q) =>
      q.where((eb) =>
        eb.or([eb('name', 'ilike', likePattern(keywords ?? '')), eb('key', 'ilike', likePattern(keywords ?? ''))]),
      ),
    )

const ordered = (db: Db, query: Filter) => filtered(db, query).selectAll().orderBy('category').orderBy('key')

export const configPage = async (db: Db, query: Filter): Promise<Page<ConfigRow>> => {
  const { limit, offset } = toOffsetLimit(query)
  const rows = await ordered(db, query).limit(limit).offset(offset).execute()
  return { list: rows.map(shown), ...(await countCapped(db, filtered(db, query).select('id'))) }
}

export const configExport: Exporter<ConfigQuery & ExportOptions, ConfigRow, Row<'config'>> = {
  endpoints: configs,
  subject: 'config',
  name: '参数配置',
  nameEn: 'Settings',
  columns: async (_, lang) => [
    sheetColumn(ConfigRow, 'id'),
    sheetColumn(ConfigRow, 'category'),
    sheetColumn(ConfigRow, 'name', { cell: (name, { nameEn }) => (lang === 'en' && nameEn) || name }),
    sheetColumn(ConfigRow, 'key'),
    sheetColumn(ConfigRow, 'value'),
    sheetColumn(ConfigRow, 'valueType', { cell: (type) => lookupLabel(auditLabels.configType, type, lang) }),
    sheetColumn(ConfigRow, 'visible'),
    sheetColumn(ConfigRow, 'remark', { cell: (remark, { remarkEn }) => (lang === 'en' && remarkEn) || remark }),
    sheetColumn(ConfigRow, 'createTime'),
  ],
  rows: (db, _actor, query) => ordered(db, query) as unknown as RowsQuery<Row<'config'>>,
  shown: (_, rows) => rows.map(shown),
}

const find = (db: Db, id: number) => db.selectFrom('config').selectAll().where('id', '=', id)

const found = (row: Row<'config'> | undefined): Row<'config'> => {
  if (!row) throw new BusinessError(codes.configMissing)
  return row
}

export const getConfig = async (db: Db, id: number): Promise<ConfigRow> =>
  shown(found(await find(db, id).executeTakeFirst()))

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

type Change = { verb: string; before?: Row<'config'>; after?: Row<'config'> }

const rightsChanged: NewEvent = { type: 'permission.changed' }

/** Runs one transaction with its audit; afterwards every node rereads the settings, this one at once. */
const changed = async <const T>(
  db: Db,
  caller: Caller,
  work: (trx: Db) => Promise<Change & { answer: T }>,
): Promise<T> => {
  const answer = await runEdit(db, 'all', async (trx) => {
    const { verb, before, after, answer: result } = await work(trx)
    const id = (after ?? before)?.id
    // Such a switch changes permissions, so sessions reload theirs.
    const movesRights = menuSettings.includes((after ?? before)?.key ?? '')
    await recordChange(trx, caller, {
      action: `infra:config:${verb}`,
      subject: 'config',
      id,
      before,
      after,
      events: [{ type: 'config.changed', ref: id ?? null }, ...(movesRights ? [rightsChanged] : [])],
    })
    return result
  })
  invalidateSettings()
  return answer
}

export const createConfig = (db: Db, draft: ConfigNew, caller: Caller): Promise<number> => {
  const { value, valueType = 'STRING', remark = null, ...columns } = draft
  checkValue(draft.key, valueType, value ?? '')
  return changed(db, caller, async (trx) => {
    const after = await trx
      .insertInto('config')
      .values({ ...columns, remark, valueType, value: value ?? '', ...createStamp(caller) })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { verb: 'create', after, answer: after.id }
  })
}

/** The server finds its own settings by their keys and reads them by their types. */
const checkBuiltIn = (before: Row<'config'>, next: Pick<Row<'config'>, 'key' | 'valueType'>): void => {
  if (before.builtIn && (next.key !== before.key || next.valueType !== before.valueType))
    throw new BusinessError(codes.configBuiltInKey)
}

/** @param sealing the key of secret settings (`keys.setting`) */
export const updateConfig = (db: Db, sealing: Uint8Array, edit: ConfigEdit, caller: Caller): Promise<true> =>
  changed(db, caller, async (trx) => {
    const before = found(await find(trx, edit.id).forUpdate().executeTakeFirst())
    await checkVersion(edit.version, before, () => z.encode(ConfigRow, shown(before)))
    const { value, ...columns } = changedColumns(edit)
    const next = { ...before, ...columns, ...(value !== undefined && { value: value ?? '' }) }
    checkBuiltIn(before, next)
    if (
      before.key === SEPARATE &&
      before.value === 'true' &&
      next.value !== 'true' &&
      !hasPermission(caller.actor)(SECURITY)
    )
      throw new BusinessError(codes.officesSecurity)
    if (value !== undefined && next.value !== before.value) checkOpening(caller.actor, before.key)
    checkValue(next.key, next.valueType, next.value)
    await checkShorter(trx, caller.actor, before, next.value)
    if (next.value !== before.value) await checkRegistration(trx, next)
    const after = await trx
      .updateTable('config')
      .set({ ...columns, value: await storeSettingValue(trx, sealing, next.key, next.value), ...updateStamp(caller) })
      .where('id', '=', edit.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return { verb: 'update', before, after, answer: true as const }
  })

export const deleteConfig = (db: Db, id: number, caller: Caller): Promise<true> =>
  changed(db, caller, async (trx) => {
    const before = found(await find(trx, id).forUpdate().executeTakeFirst())
    if (before.builtIn) throw new BusinessError(codes.configBuiltIn)
    await trx.deleteFrom('config').where('id', '=', id).execute()
    return { verb: 'delete', before, answer: true as const }
  })

export const refreshConfig = (db: Db, caller: Caller): Promise<true> =>
  changed(db, caller, async () => ({ verb: 'refresh', answer: true as const }))
