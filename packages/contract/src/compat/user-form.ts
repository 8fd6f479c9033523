import { z } from 'zod'
import { Id, queryRange, queryId, queryIds } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportLanguage } from '../export.ts'
import { field } from '../field.ts'
import { PageQuery, page } from '../page.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../access/auth.ts'
import { Flag, queryFlag, Sex } from '../settings/wire-codecs.ts'
import { ProfileEdit } from '../access/profile.ts'
import { UserEdit, UserRow, newPassword } from '../access/user.ts'

const edit = UserEdit.shape
const roleIds = field(z.array(Id).max(200), '角色', 'Roles')
const gender = field(Sex, '性别', 'Sex')

/** Account and roles in one form; `avatar` as in the canonical call. */
export const UserForm = z.strictObject({
  id: field(Id, '用户编号', 'User id'),
  username: field(edit.username.unwrap(), '用户名', 'User name'),
  nickname: field(edit.nickname.unwrap(), '用户昵称', 'Name'),
  mobile: field(edit.mobile.unwrap(), '手机号码', 'Mobile'),
  gender,
  avatar: field(z.string().max(2000).nullable(), '头像', 'Picture'),
  email: field(edit.email.unwrap(), '邮箱', 'E-mail'),
  status: field(Flag, '状态', 'Status'),
  deptId: field(edit.deptId.unwrap(), '所属部门', 'Department'),
  roleIds,
})
export type UserForm = z.output<typeof UserForm>
/** The form sends its id too; the id of the address is used. A user created by it has no password until a reset. */
const UserFormDraft = UserForm.partial().required({ username: true, nickname: true })
export type UserFormDraft = z.output<typeof UserFormDraft>
export const UserFormEdit = UserForm.partial()
export type UserFormEdit = z.output<typeof UserFormEdit>

const UserItem = z.strictObject({
  id: Id,
  username: z.string(),
  nickname: z.string(),
  mobile: UserRow.shape.mobile,
  gender,
  avatar: z.string().nullable(),
  email: UserRow.shape.email,
  status: Flag,
  deptName: z.string(),
  /** Names separated by commas. */
  roleNames: z.string().nullable(),
  createTime: z.string(),
})
export type UserItem = z.output<typeof UserItem>

const filters = {
  keywords: field(z.string().trim().max(30).optional(), '关键字', 'Keyword'),
  status: field(queryFlag.optional(), '状态', 'Status'),
  deptId: field(queryId.optional(), '部门', 'Department'),
  createTime: field(queryRange.optional(), '创建时间', 'Created'),
}
export const UserItemQuery = PageQuery.extend(filters)
export type UserItemQuery = z.output<typeof UserItemQuery>

export const OwnItem = UserItem.omit({ status: true })
export const OwnForm = UserForm.pick({ id: true, username: true, avatar: true, gender: true, nickname: true })
  .extend(ProfileEdit.pick({ mobile: true, email: true }).shape)
  .partial()
export type OwnForm = z.output<typeof OwnForm>

export const OwnPassword = z.strictObject({
  oldPassword: field(z.string().min(1).max(200), '原密码', 'Current password'),
  newPassword: field(z.string().min(PASSWORD_MIN).max(PASSWORD_MAX), '新密码', 'New password'),
  confirmPassword: field(z.string().max(200).optional(), '确认密码', 'Confirm password'),
})

const params = z.strictObject({ id: field(queryId, '用户编号', 'User id') })
const user = (verb: string) => ({ kind: 'json', permission: `system:user:${verb}`, scope: 'dept' }) as const
const own = { kind: 'json', permission: 'token', scope: 'self' } as const

/** Users in the compatibility API: pages, forms and the own account (wire 1.2). */
export const userFormsV1 = {
  page: endpoint({
    ...user('list'),
    method: 'GET',
    path: '/api/v1/users/page',
    summary: '用户分页',
    summaryEn: 'Users, by page',
    query: UserItemQuery,
    data: page(UserItem),
  }),
  export: endpoint({
    ...user('export'),
    kind: 'file',
    method: 'GET',
    path: '/api/v1/users/export',
    summary: '导出用户',
    summaryEn: 'Users as a sheet',
    query: UserItemQuery.extend(exportLanguage),
    data: z.null(),
  }),
  form: endpoint({
    ...user('query'),
    method: 'GET',
    path: '/api/v1/users/:id/form',
    summary: '用户表单',
    summaryEn: 'One user as a form',
    params,
    data: UserForm,
  }),
  create: endpoint({
    ...user('create'),
    method: 'POST',
    path: '/api/v1/users',
    summary: '新增用户',
    summaryEn: 'Create a user with roles, who has no password until it is reset',
    body: UserFormDraft,
    data: Id,
  }),
  update: endpoint({
    ...user('update'),
    method: 'PUT',
    path: '/api/v1/users/:id',
    summary: '修改用户',
    summaryEn: 'Change a user with his roles',
    params,
    body: UserFormEdit,
    data: z.null(),
  }),
  delete: endpoint({
    ...user('delete'),
    method: 'DELETE',
    path: '/api/v1/users/:ids',
    summary: '删除用户',
    summaryEn: 'Delete users, all or none',
    params: z.strictObject({ ids: field(queryIds, '用户编号', 'User ids') }),
    data: z.null(),
  }),
  status: endpoint({
    ...user('update'),
    method: 'PATCH',
    path: '/api/v1/users/:id/status',
    summary: '启用或停用用户',
    summaryEn: 'Enable or disable a user',
    params,
    query: z.strictObject({ status: field(queryFlag, '状态', 'Status') }),
    data: z.null(),
  }),
  resetPassword: endpoint({
    ...user('update-password'),
    method: 'PUT',
    path: '/api/v1/users/:id/password/reset',
    summary: '重置用户密码',
    summaryEn: "Reset a user's password, which this family puts into the address",
    params,
    query: z.strictObject({ password: newPassword }),
    data: z.null(),
  }),
  profile: endpoint({
    ...own,
    method: 'GET',
    path: '/api/v1/users/profile',
    summary: '个人信息',
    summaryEn: 'My account',
    data: OwnItem,
  }),
  updateProfile: endpoint({
    ...own,
    method: 'PUT',
    path: '/api/v1/users/profile',
    summary: '修改个人信息',
    summaryEn: 'Change my account',
    body: OwnForm,
    row: OwnItem,
    data: z.null(),
  }),
  updatePassword: endpoint({
    ...own,
    method: 'PUT',
    path: '/api/v1/users/password',
    summary: '修改密码',
    summaryEn: 'Change my password',
    body: OwnPassword,
    data: z.null(),
  }),
}
