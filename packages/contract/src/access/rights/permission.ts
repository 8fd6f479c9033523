import { z } from 'zod'
import { Id, queryId } from '../../codecs.ts'
import { endpoint } from '../../endpoint.ts'
import { field } from '../../field.ts'
import { DataScope } from '../../settings/wire-codecs.ts'

const roleId = field(Id, '角色编号', 'Role id')
const userId = field(Id, '用户编号', 'User id')
const version = field(z.int().optional(), '版本', 'Version')

export const UserRoles = z.strictObject({
  userId,
  roleIds: field(z.array(Id).max(200), '角色', 'Roles'),
  version,
})
export const RoleMenus = z.strictObject({
  roleId,
  /** The ticked entries; their ancestors are derived. Absent: none. */
  menuIds: field(z.array(Id).max(5000).optional(), '菜单', 'Menu entries'),
  version,
})
export const RoleScope = z.strictObject({
  roleId,
  dataScope: field(DataScope, '权限范围', 'Data scope'),
  /** Only for the scope of chosen departments. */
  dataScopeDeptIds: field(z.array(Id).max(5000).optional(), '指定部门', 'Departments'),
  version,
})

const permission = (verb: string) => ({ kind: 'json', permission: `system:permission:${verb}` }) as const

export const permissions = {
  listUserRoles: endpoint({
    ...permission('assign-user-role'),
    method: 'GET',
    path: '/system/permission/list-user-roles',
    scope: 'dept',
    summary: '用户的角色',
    summaryEn: 'Roles of a user',
    query: z.strictObject({ userId: field(queryId, '用户编号', 'User id') }),
    data: z.array(Id),
  }),
  assignUserRole: endpoint({
    ...permission('assign-user-role'),
    method: 'POST',
    path: '/system/permission/assign-user-role',
    scope: 'dept',
    summary: '分配用户角色',
    summaryEn: 'Set the roles of a user',
    body: UserRoles,
    data: z.literal(true),
  }),
  listRoleMenus: endpoint({
    ...permission('assign-role-menu'),
    method: 'GET',
    path: '/system/permission/list-role-menus',
    scope: 'none',
    summary: '角色的菜单',
    summaryEn: 'Menu entries of a role',
    query: z.strictObject({ roleId: field(queryId, '角色编号', 'Role id') }),
    data: z.array(Id),
  }),
  assignRoleMenu: endpoint({
    ...permission('assign-role-menu'),
    method: 'POST',
    path: '/system/permission/assign-role-menu',
    scope: 'none',
    summary: '分配角色菜单',
    summaryEn: 'Set the menu entries of a role',
    body: RoleMenus,
    data: z.literal(true),
  }),
  assignRoleDataScope: endpoint({
    ...permission('assign-role-data-scope'),
    method: 'POST',
    path: '/system/permission/assign-role-data-scope',
    scope: 'dept',
    summary: '分配角色数据权限',
    summaryEn: 'Set the data scope of a role',
    body: RoleScope,
    data: z.literal(true),
  }),
}
