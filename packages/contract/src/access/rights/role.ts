import { z } from 'zod'
import { Id, Millis, queryRange } from '../../codecs.ts'
import { entityEndpoints } from '../../audit/entity.ts'
import { endpoint } from '../../endpoint.ts'
import { field, pattern } from '../../field.ts'
import { PageQuery, sortable } from '../../page.ts'
import { DataScope, RoleType, SORT_MAX, Status, StatusFilter } from '../../settings/wire-codecs.ts'
import { codeText, nameText } from '../../text-fields.ts'

const id = field(Id, '角色编号', 'Role id')

export const RoleRow = z.strictObject({
  id,
  name: field(z.string(), '角色名称', 'Role name'),
  nameEn: field(z.string().nullable(), '英文名称', 'English name'),
  code: field(z.string(), '角色标识', 'Role code'),
  sort: field(z.int(), '显示顺序', 'Order'),
  status: field(Status, '状态', 'Status'),
  /** True: built in and read-only. */
  type: field(RoleType, '角色类型', 'Role type'),
  remark: field(z.string().nullable(), '备注', 'Remark'),
  dataScope: field(DataScope, '权限范围', 'Data scope'),
  dataScopeDeptIds: field(z.array(Id), '指定部门', 'Departments'),
  createTime: field(Millis, '创建时间', 'Created'),
  version: field(z.int(), '版本', 'Version'),
})
export type RoleRow = z.output<typeof RoleRow>

const RoleFields = z.strictObject({
  name: field(nameText(30), '角色名称', 'Role name'),
  /** Null: the name in both languages. */
  nameEn: field(nameText(50).nullable(), '英文名称', 'English name'),
  code: field(
    codeText()
      .max(100)
      .regex(
        pattern(
          /^[A-Za-z][A-Za-z0-9_-]*$/,
          '字母开头的字母、数字、- 或 _，例如 duty_lead',
          'a letter followed by letters, digits, - or _, such as duty_lead',
        ),
      ),
    '角色标识',
    'Role code',
  ),
  sort: field(z.int().min(0).max(SORT_MAX), '显示顺序', 'Order'),
  status: field(Status, '状态', 'Status'),
  remark: field(z.string().trim().max(500).nullable(), '备注', 'Remark'),
  /** Another scope needs the permission to assign it. A new role begins with the own department. */
  dataScope: field(DataScope, '数据权限', 'Data scope'),
  dataScopeDeptIds: field(z.array(Id).max(5000), '指定部门', 'Departments'),
})
const optionalFields = { nameEn: true, status: true, remark: true, dataScope: true, dataScopeDeptIds: true } as const
export const RoleDraft = RoleFields.partial(optionalFields)
export type RoleDraft = z.output<typeof RoleDraft>
export type RoleEdit = z.output<(typeof calls)['update']['body']>

export const RoleStatus = z.strictObject({
  id,
  status: field(Status, '状态', 'Status'),
  version: field(z.int().optional(), '版本', 'Version'),
})

export const RoleQuery = PageQuery.extend({
  name: field(z.string().max(30).optional(), '角色名称', 'Role name'),
  code: field(z.string().max(100).optional(), '角色标识', 'Role code'),
  status: field(StatusFilter.optional(), '状态', 'Status'),
  createTime: field(queryRange.optional(), '创建时间', 'Created'),
  orderBy: sortable(['name', 'code', 'sort', 'status', 'createTime']),
})
export type RoleQuery = z.output<typeof RoleQuery>

const calls = entityEndpoints({
  path: '/system/role',
  permission: 'system:role',
  // Roles belong to no department; the permissions of the editing user limit what a role may contain.
  scope: 'none',
  title: '角色',
  titleEn: 'role',
  titlesEn: 'Roles',
  row: RoleRow,
  draft: RoleFields,
  optional: optionalFields,
  query: RoleQuery,
  choice: { id: true, name: true, nameEn: true },
  verbs: ['deleteList', 'export'],
})

export const roles = {
  ...calls,
  simpleList: { ...calls.simpleList, also: [{ path: '/system/role/list-all-simple' }] },
  updateStatus: endpoint({
    kind: 'json',
    permission: 'system:role:update',
    scope: 'none',
    method: 'PUT',
    path: '/system/role/update-status',
    summary: '启用或停用角色',
    summaryEn: 'Put a role in use or out of use',
    body: RoleStatus,
    data: z.literal(true),
  }),
} as const
