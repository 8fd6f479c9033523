import { codes } from '@tocsin/contract/codes'
import { DictDataDraft, dictDatas, type DictEntry } from '@tocsin/contract/settings/dict'
import { POST_VALUE, EMPLOYEE_POST } from '@tocsin/contract/access/user'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import { fieldError } from '#areas/audit/edit-transaction'
import { createEntity } from '#areas/audit/entity/entity'
import { anyContains } from '#areas/audit/entity/entity-read'

registerConstraintErrors({ dict_data_value_key: { code: codes.dictDataValue } })

/** Enabled entries of enabled dictionaries. */
export const listEnabledEntries = (db: Db): Promise<(DictEntry & { name: string })[]> =>
  db
    .selectFrom('dictData')
    .innerJoin('dictType', 'dictType.type', 'dictData.dictType')
    .select(['dictType.name', 'dictData.dictType', 'value', 'label', 'labelEn', 'colorType', 'cssClass'])
    .where('dictType.enabled', '=', true)
    .where('dictData.enabled', '=', true)
    .orderBy('dictData.dictType')
    .orderBy('sort')
    .orderBy('dictData.id')
    .execute()

/** Locks the dictionary, so that it is neither deleted nor disabled before the entry is written. */
const lockType = async (trx: Db, type: string): Promise<void> => {
  const row = await trx.selectFrom('dictType').select('enabled').where('type', '=', type).forShare().executeTakeFirst()
  if (!row) throw new BusinessError(codes.dictTypeMissing)
  if (!row.enabled) throw new BusinessError(codes.dictTypeDisabled)
}

const typeOf = async (trx: Db, id: number): Promise<string> => {
  const row = await trx.selectFrom('dictData').select('dictType').where('id', '=', id).executeTakeFirst()
  if (!row) throw new BusinessError(codes.dictDataMissing)
  return row.dictType
}

export const dictDataEntity = createEntity({
  of: dictDatas,
  table: 'dictData',
  missing: codes.dictDataMissing,
  columns: { status: 'enabled' },
  nameColumn: 'label',
  keyword: ['label', 'labelEn', 'value'],
  filters: {
    dictType: (on, type) => on('dictType', '=', type),
    label: (on, label) => anyContains(on, ['label', 'labelEn'], label),
  },
  order: ['dictType', 'sort', 'id'],
  exported: [
    ...(['id', 'dictType', 'label', 'value', 'sort', 'status', 'colorType', 'cssClass', 'labelEn'] as const),
    ...(['remark', 'createTime'] as const),
  ],
  // The dictionary first, like its deletion: otherwise the two could deadlock. An entry never changes its dictionary.
  lockFirst: async (trx, { id, changes }) =>
    lockType(trx, id === undefined ? (changes.dictType ?? '') : await typeOf(trx, id)),
  check: (_trx, { before, after: { dictType, value } }) => {
    if (before && dictType !== before.dictType) throw new BusinessError(codes.dictTypeFixed)
    // A post is a number on the wire: no form could offer another value.
    const isChanged = value !== before?.value
    if (isChanged && dictType === EMPLOYEE_POST && !POST_VALUE.test(value))
      throw fieldError(DictDataDraft, 'value', 'format')
  },
  // Dictionaries belong to no department: every screen is notified.
  events: 'dict.changed',
})
