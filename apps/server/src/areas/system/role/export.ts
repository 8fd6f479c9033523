import { type Labels, wordOf } from '@tocsin/contract/field'
import { type RoleQuery, RoleRow, roles } from '@tocsin/contract/system/rights/role'
import { sheetColumn } from '#sheet/column'
import type { Exporter, Formatted, RowsQuery } from '../export/exporter.ts'
import { userWords } from '../user/words.ts'
import { filtered } from './read.ts'

const scopes: Labels<RoleRow['dataScope']> = {
  ALL: ['全部数据权限', 'Everything'],
  CUSTOM: ['指定部门数据权限', 'Chosen departments'],
  DEPT: ['本部门数据权限', 'Own department'],
  DEPT_AND_CHILD: ['本部门及以下数据权限', 'Own department and below'],
  SELF: ['仅本人数据权限', 'Own data only'],
}
const kinds: Labels<'true' | 'false'> = { true: ['内置', 'Built in'], false: ['自定义', 'Custom'] }

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
      sheetColumn(RoleRow, 'type', { width: 10, cell: (builtIn) => wordOf(kinds, String(builtIn), lang) }),
      sheetColumn(RoleRow, 'sort', { width: 10 }),
      sheetColumn(RoleRow, 'dataScope', { width: 24, cell: (scope) => wordOf(scopes, scope, lang) }),
      sheetColumn(RoleRow, 'status', { width: 10, cell: (on) => (on ? status.on : status.off) }),
      sheetColumn(RoleRow, 'remark', { width: 30 }),
      sheetColumn(RoleRow, 'createTime'),
    ]
  },
  rows: (db, _actor, query) => filtered(db, query).orderBy('sort').orderBy('id') as unknown as RowsQuery<RoleRow>,
}
