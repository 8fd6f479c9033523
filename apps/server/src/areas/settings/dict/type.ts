import { codes } from '@tocsin/contract/codes'
import { dictTypes } from '@tocsin/contract/settings/dict'
import { registerConstraintErrors } from '#db/constraint-error'
import { BusinessError } from '#http/business-error'
import { createEntity } from '#areas/audit/entity/entity'
import { anyContains } from '#areas/audit/entity/entity-read'

registerConstraintErrors({
  dict_type_name_key: { code: codes.dictTypeName },
  dict_type_type_key: { code: codes.dictTypeType },
  // Entries are written only while their dictionary is locked, so only a deletion meets this.
  dict_data_type_fkey: { code: codes.dictTypeEntries },
})

export const dictTypeEntity = createEntity({
  of: dictTypes,
  table: 'dictType',
  missing: codes.dictTypeMissing,
  columns: { status: 'enabled' },
  nameColumn: 'name',
  keyword: ['name', 'nameEn', 'type'],
  filters: { name: (on, name) => anyContains(on, ['name', 'nameEn'], name) },
  order: ['-id'],
  choice: { where: { enabled: true }, order: ['type'] },
  exported: ['id', 'name', 'type', 'status', 'nameEn', 'remark', 'createTime'],
  check: (_trx, { before, after }) => {
    if (before && after.type !== before.type) throw new BusinessError(codes.dictTypeFixed)
  },
  // Dictionaries belong to no department: every screen is notified.
  events: 'dict.changed',
})
