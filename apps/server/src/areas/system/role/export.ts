import { type RoleQuery, RoleRow, roles } from '@tocsin/contract/system/rights/role'
import { sheetColumn } from '#sheet/column'
import type { Exporter, Formatted, RowsQuery } from '../export/exporter.ts'
import { userWords } from '../user/words.ts'
import { filtered } from './read.ts'

const scopes = {
  ALL: '全部数据权限',
  CUSTOM: '指定部门数据权限',
  DEPT: '本部门数据权限',
  DEPT_AND_CHILD: '本部门及以下数据权限',
  SELF: '仅本人数据权限',
}

export const roleExport: Exporter<RoleQuery & Formatted, RoleRow> = {
  endpoints: roles,
  subject: 'role',
  name: '角色数据',
  columns: async (db) => {
    const { status } = await userWords(db)
    return [
      sheetColumn(RoleRow, 'id', { width: 10 }),
      sheetColumn(RoleRow, 'name'),
      sheetColumn(RoleRow, 'code'),
      sheetColumn(RoleRow, 'type', { width: 10, cell: (builtIn) => (builtIn ? '内置' : '自定义') }),
      sheetColumn(RoleRow, 'sort', { width: 10 }),
      sheetColumn(RoleRow, 'dataScope', { width: 24, cell: (scope) => scopes[scope] }),
      sheetColumn(RoleRow, 'status', { width: 10, cell: (on) => (on ? status.on : status.off) }),
      sheetColumn(RoleRow, 'remark', { width: 30 }),
      sheetColumn(RoleRow, 'createTime'),
    ]
  },
  rows: (db, _actor, query) => filtered(db, query).orderBy('sort').orderBy('id') as unknown as RowsQuery<RoleRow>,
}
