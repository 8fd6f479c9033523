import {
  REVEAL_PERMISSION,
  type UserExportRow,
  UserExportRow as Row,
  type UserQuery,
  users,
} from '@tocsin/contract/access/user'
import { sql } from 'kysely'
import { scoped } from '#db/scope'
import { toOrderBy } from '#db/sort'
import { type SheetColumn, sheetColumn } from '#spreadsheet/column'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { filterUsers, masked, rows, userOrder } from './read.ts'
import { userLabels } from './user-labels.ts'

/** The codes of the roles, since names may contain a comma. */
const roles = sql<string | null>`(
  select string_agg(role.code, ',' order by role.id)
  from user_role join role on role.id = user_role.role_id where user_role.user_id = users.id
)`

type Exported = UserExportRow

/** First the columns of wire 1.2, then those that an import needs as well. */
const columns: Exporter<UserQuery, Exported>['columns'] = async (db, lang) => {
  const words = await userLabels(db, lang)
  return [
    sheetColumn(Row, 'id', { width: 10 }),
    sheetColumn(Row, 'username'),
    sheetColumn(Row, 'nickname'),
    sheetColumn(Row, 'deptName', { title: '部门名称', width: 24 }),
    sheetColumn(Row, 'email', { title: '用户邮箱', width: 28 }),
    sheetColumn(Row, 'mobile'),
    sheetColumn(Row, 'sex', { width: 10, cell: (sex) => words.sex[sex] }),
    sheetColumn(Row, 'status', {
      title: '帐号状态',
      width: 10,
      cell: (on) => (on ? words.status.on : words.status.off),
    }),
    sheetColumn(Row, 'loginIp'),
    sheetColumn(Row, 'loginDate'),
    sheetColumn(Row, 'deptId', { title: '部门编号', titleEn: 'Department id', width: 12 }),
    sheetColumn(Row, 'roles', { width: 24 }),
    sheetColumn(Row, 'remark', { width: 30 }),
    sheetColumn(Row, 'createTime'),
  ] satisfies SheetColumn<Exported>[]
}

export const userExport: Exporter<UserQuery & ExportOptions, Exported> = {
  endpoints: users,
  subject: 'users',
  name: '用户数据',
  nameEn: 'Users',
  reveals: [REVEAL_PERMISSION],
  columns,
  rows: (db, actor, query) =>
    filterUsers(rows(scoped(db, actor)), actor, query)
      .select(roles.as('roles'))
      .orderBy(toOrderBy(query.orderBy, userOrder)) as unknown as RowsQuery<Exported>,
  shown: ({ actor }, found) => found.map((row) => masked(actor, { ...row, avatarId: null })),
}
