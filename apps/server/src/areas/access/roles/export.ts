import { lookupLabel } from '@tocsin/contract/field'
import { type RoleQuery, RoleRow, roles } from '@tocsin/contract/access/rights/role'
import { dataScopeLabels, roleTypeLabels } from '@tocsin/contract/access/rights/role-labels'
import { toOrderBy } from '#db/sort'
import { sheetColumn } from '#spreadsheet/column'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { userLabels } from '../people/user-labels.ts'
import { filterRoles, roleOrder } from './read.ts'

export const roleExport: Exporter<RoleQuery & ExportOptions, RoleRow> = {
  endpoints: roles,
  subject: 'role',
  name: '角色数据',
  nameEn: 'Roles',
  columns: async (db, lang) => {
    const { status } = await userLabels(db, lang)
    return [
      sheetColumn(RoleRow, 'id', { width: 10 }),
      sheetColumn(RoleRow, 'name'),
      sheetColumn(RoleRow, 'code'),
      sheetColumn(RoleRow, 'type', {
        width: 10,
        cell: (builtIn) => lookupLabel(roleTypeLabels, String(builtIn), lang),
      }),
      sheetColumn(RoleRow, 'sort', { width: 10 }),
      sheetColumn(RoleRow, 'dataScope', { width: 24, cell: (scope) => lookupLabel(dataScopeLabels, scope, lang) }),
      sheetColumn(RoleRow, 'status', { width: 10, cell: (on) => (on ? status.on : status.off) }),
      sheetColumn(RoleRow, 'remark', { width: 30 }),
      sheetColumn(RoleRow, 'createTime'),
    ]
  },
  rows: (db, _actor, query) =>
    filterRoles(db, query).orderBy(toOrderBy(query.orderBy, roleOrder)) as unknown as RowsQuery<RoleRow>,
}
