import { wordOf } from '@tocsin/contract/field'
import { type RoleQuery, RoleRow, roles } from '@tocsin/contract/system/rights/role'
import { dataScopeWords, roleTypeWords } from '@tocsin/contract/system/rights/words'
import { sheetColumn } from '#sheet/column'
import type { Exporter, Formatted, RowsQuery } from '../export/exporter.ts'
import { userWords } from '../user/words.ts'
import { filtered } from './read.ts'

export const roleExport: Exporter<RoleQuery & Formatted, RoleRow> = {
  endpoints: roles,
  subject: 'role',
  name: '角色数据',
  nameEn: 'Roles',
  columns: async (db, lang) => {
    const { status } = await userWords(db, lang)
    return [
      sheetColumn(RoleRow, 'id', { width: 10 }),
      sheetColumn(RoleRow, 'name'),
      sheetColumn(RoleRow, 'code'),
      sheetColumn(RoleRow, 'type', { width: 10, cell: (builtIn) => wordOf(roleTypeWords, String(builtIn), lang) }),
      sheetColumn(RoleRow, 'sort', { width: 10 }),
      sheetColumn(RoleRow, 'dataScope', { width: 24, cell: (scope) => wordOf(dataScopeWords, scope, lang) }),
      sheetColumn(RoleRow, 'status', { width: 10, cell: (on) => (on ? status.on : status.off) }),
      sheetColumn(RoleRow, 'remark', { width: 30 }),
      sheetColumn(RoleRow, 'createTime'),
    ]
  },
  rows: (db, _actor, query) => filtered(db, query).orderBy('sort').orderBy('id') as unknown as RowsQuery<RoleRow>,
}
