import { z } from 'zod'
import { Id, queryId, queryIds } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { PageQuery, page } from '../page.ts'
import { Flag } from '../settings/wire-codecs.ts'
import { RoleDraft } from '../access/rights/role.ts'

/**
 * 0 all, 1 department and below, 2 department, 3 self; chosen departments have no number here and are returned as 2.
 */
const Scope = z.int().min(0).max(3)

const id = field(Id, '角色编号', 'Role id')
export const RoleForm = z.strictObject({
  id,
  name: RoleDraft.shape.name,
  code: RoleDraft.shape.code,
  sort: RoleDraft.shape.sort,
  status: field(Flag, '状态', 'Status'),
  /** Another scope needs the permission `assign-role-data-scope`; chosen departments are read-only here. */
  dataScope: field(Scope, '数据权限', 'Data scope'),
})
export type RoleForm = z.output<typeof RoleForm>

/** The form sends its id too; the id of the address is used. */
const RoleFormDraft = RoleForm.partial({ id: true, sort: true, status: true, dataScope: true })
export const RoleFormEdit = RoleForm.partial()
export type RoleFormEdit = z.output<typeof RoleFormEdit>

const params = z.strictObject({ id: field(queryId, '角色编号', 'Role id') })
const role = (verb: string) => ({ kind: 'json', permission: `system:role:${verb}`, scope: 'none' }) as const
const assign = { kind: 'json', permission: 'system:permission:assign-role-menu', scope: 'none' } as const

export const rolesV1 = {
  page: endpoint({
    ...role('query'),
    method: 'GET',
    path: '/api/v1/roles/page',
    summary: '角色分页',
    summaryEn: 'Roles, by page',
    query: PageQuery.extend({ keywords: field(z.string().max(30).optional(), '关键字', 'Keyword') }),
    data: page(RoleForm.extend({ createTime: z.string() })),
  }),
  options: endpoint({
    ...role('query'),
    permission: 'token',
    method: 'GET',
    path: '/api/v1/roles/options',
    summary: '角色选项',
    summaryEn: 'Roles to choose from',
    data: z.array(z.strictObject({ value: Id, label: z.string() })),
  }),
  form: endpoint({
    ...role('query'),
    method: 'GET',
    path: '/api/v1/roles/:id/form',
    summary: '角色表单',
    summaryEn: 'One role as a form',
    params,
    data: RoleForm,
  }),
  create: endpoint({
    ...role('create'),
    method: 'POST',
    path: '/api/v1/roles',
    summary: '新增角色',
    summaryEn: 'Create a role',
    body: RoleFormDraft,
    data: Id,
  }),
  update: endpoint({
    ...role('update'),
    method: 'PUT',
    path: '/api/v1/roles/:id',
    summary: '修改角色',
    summaryEn: 'Change a role',
    params,
    body: RoleFormEdit,
    data: z.null(),
  }),
  delete: endpoint({
    ...role('delete'),
    method: 'DELETE',
    path: '/api/v1/roles/:ids',
    summary: '删除角色',
    summaryEn: 'Delete a role',
    params: z.strictObject({ ids: field(queryIds, '角色编号', 'Role ids') }),
    data: z.null(),
  }),
  menuIds: endpoint({
    ...assign,
    method: 'GET',
    path: '/api/v1/roles/:id/menuIds',
    summary: '角色的菜单',
    summaryEn: 'Menu entries of a role',
    params,
    data: z.array(Id),
  }),
  setMenus: endpoint({
    ...assign,
    method: 'PUT',
    path: '/api/v1/roles/:id/menus',
    summary: '分配角色菜单',
    summaryEn: 'Set the menu entries of a role',
    params,
    body: z.array(Id).max(5000),
    data: z.null(),
  }),
}
