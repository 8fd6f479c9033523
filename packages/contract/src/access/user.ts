import { z } from 'zod'
import { Id, Millis, queryBool, queryId, queryIds, queryInt, queryRange } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { ById, ByIds, PageQuery, page, sortable } from '../page.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from './auth.ts'
import { Sex, Status, StatusFilter, UserType } from '../settings/wire-codecs.ts'
import { Email, EmailOrMask, Mobile, MobileOrMask, Username } from './user-contact.ts'
import { nameText, phoneText } from '../text-fields.ts'

const id = field(Id, '用户编号', 'User id')
const status = field(Status, '状态', 'Status')

/** Permission to see contact data unmasked. */
export const REVEAL_PERMISSION = 'system:user:reveal'
/** Permission to act on accounts with more permissions than the caller. */
export const SECURITY = 'system:user:security'

/** Dictionary of the posts; users can edit it. */
export const EMPLOYEE_POST = 'employee_post'
/** Its values are integers as text. */
export const POST_VALUE = /^[1-9]\d{0,8}$/
const PostId = z.int().min(1).max(999_999_999)

/** `mobile` and `email` are masked without `system:user:reveal`. */
export const UserRow = z.strictObject({
  id,
  username: field(z.string(), '用户名称', 'User name'),
  nickname: field(z.string(), '用户昵称', 'Name'),
  remark: field(z.string().nullable(), '备注', 'Remark'),
  userType: field(UserType, '用户类型', 'User type'),
  deptId: field(Id, '归属部门', 'Department'),
  deptName: field(z.string(), '部门', 'Department'),
  email: field(z.string().nullable(), '邮箱', 'E-mail'),
  mobile: field(z.string().nullable(), '手机号码', 'Mobile'),
  sex: field(Sex, '用户性别', 'Sex'),
  avatar: field(z.string().nullable(), '头像', 'Avatar'),
  /** Distinct values of the dictionary `employee_post`, ascending. */
  postIds: field(z.array(PostId), '岗位', 'Posts'),
  status,
  /** Registered by the user and not approved yet; disabled until then. */
  pending: field(z.boolean(), '待审核', 'Waiting for approval'),
  loginIp: field(z.string().nullable(), '最后登录IP', 'Last sign-in from'),
  loginDate: field(Millis.nullable(), '最后登录时间', 'Last sign-in'),
  createTime: field(Millis, '创建时间', 'Created'),
  version: field(z.int(), '版本', 'Version'),
})
export type UserRow = z.output<typeof UserRow>

/** A row of the list: with the roles, in the order of the list of roles. */
export const UserListRow = UserRow.extend({
  roles: field(z.array(z.strictObject({ id: Id, name: z.string(), nameEn: z.string().nullable() })), '角色', 'Roles'),
})
export type UserListRow = z.output<typeof UserListRow>

export const username = field(Username, '用户名称', 'User name')
export const nickname = field(nameText(30), '用户昵称', 'Name')
export const newPassword = field(z.string().min(PASSWORD_MIN).max(PASSWORD_MAX), '用户密码', 'Password')
const remark = field(z.string().trim().max(500).nullable(), '备注', 'Remark')
const deptId = field(Id, '归属部门', 'Department')
/** Needs the permission to assign roles. */
const roleIds = field(z.array(Id).max(200), '角色', 'Roles')
export const sex = field(Sex, '用户性别', 'Sex')

/** Fields that forms of the compatibility API add (decision 023); null is ignored. */
const brought = {
  postIds: field(z.array(PostId).max(10).nullable(), '岗位', 'Posts'),
  /** Only the users themselves upload their picture. A form keeps it, or removes it by null. */
  avatar: field(z.string().max(2000).nullable(), '头像', 'Avatar'),
}

export const UserDraft = z
  .strictObject({
    username,
    nickname,
    password: newPassword,
    deptId,
    email: field(Email.nullable(), '邮箱', 'E-mail'),
    mobile: field(Mobile.nullable(), '手机号码', 'Mobile'),
    sex,
    remark,
    /** Absent: the account is enabled. */
    status,
    roleIds,
  })
  .partial({ deptId: true, email: true, mobile: true, sex: true, remark: true, status: true, roleIds: true })
  .extend(z.strictObject(brought).partial().shape)
export type UserDraft = z.output<typeof UserDraft>

/** Absent: unchanged; null: cleared; the mask of the stored value: unchanged. */
export const UserEdit = z
  .strictObject({
    username,
    nickname,
    deptId,
    email: field(EmailOrMask.nullable(), '邮箱', 'E-mail'),
    mobile: field(MobileOrMask.nullable(), '手机号码', 'Mobile'),
    sex,
    remark,
    status,
    roleIds,
    version: field(z.int(), '版本', 'Version'),
    ...brought,
    /** A password is changed by a call of its own: only null is accepted here. */
    password: field(z.string().nullable(), '用户密码', 'Password'),
  })
  .partial()
  .extend({ id })
export type UserEdit = z.output<typeof UserEdit>

const filters = {
  /** Matches the user name, the name, or the mobile number as the caller sees it. */
  keywords: field(z.string().trim().max(30).optional(), '关键字', 'Keyword'),
  username: field(z.string().max(30).optional(), '用户名称', 'User name'),
  mobile: field(phoneText().max(11).optional(), '手机号码', 'Mobile'),
  status: field(StatusFilter.optional(), '状态', 'Status'),
  pending: field(queryBool.optional(), '待审核', 'Waiting for approval'),
  createTime: field(queryRange.optional(), '创建时间', 'Created'),
}
export const UserQuery = PageQuery.extend({
  ...filters,
  /** Includes the departments below it. */
  deptId: field(queryId.optional(), '部门', 'Department'),
  roleId: field(queryId.optional(), '角色', 'Role'),
  orderBy: sortable(['username', 'nickname', 'deptName', 'status', 'loginDate', 'createTime']),
})
export type UserQuery = z.output<typeof UserQuery>

export const UserExportRow = UserRow.omit({ avatar: true }).extend({
  roles: field(z.string().nullable(), '角色', 'Roles'),
})
export type UserExportRow = z.output<typeof UserExportRow>

export const PeopleQuery = z.strictObject({
  /** Matches the user name, the name or the department name. */
  keywords: field(z.string().trim().max(30).optional(), '关键字', 'Keyword'),
  /** These users, enabled or not, so that a selected one has a name. */
  ids: field(queryIds.optional(), '用户编号', 'User ids'),
  /** Maximum number of rows, ordered by name. Absent: 10,000. */
  pageSize: field(queryInt(1, 200).optional(), '每页条数', 'Page size'),
})
export type PeopleQuery = z.output<typeof PeopleQuery>

export const StatusEdit = z.strictObject({ id, status, version: field(z.int().optional(), '版本', 'Version') })
export const PasswordReset = z.strictObject({ id, password: newPassword })

const user = (verb: string) => ({ kind: 'json', permission: `system:user:${verb}`, scope: 'dept' }) as const

export const users = {
  page: endpoint({
    ...user('list'),
    method: 'GET',
    path: '/system/user/page',
    summary: '用户分页',
    summaryEn: 'Users, by page',
    query: UserQuery,
    data: page(UserListRow),
  }),
  get: endpoint({
    ...user('query'),
    method: 'GET',
    path: '/system/user/get',
    summary: '用户详情',
    summaryEn: 'One user',
    query: ById,
    data: UserRow,
  }),
  simpleList: endpoint({
    ...user('query'),
    permission: 'token',
    method: 'GET',
    path: '/system/user/simple-list',
    also: [{ path: '/system/user/list-all-simple' }],
    summary: '用户选项，最多一万个',
    summaryEn: 'Enabled users to choose from, by name, 10,000 at most',
    query: PeopleQuery,
    data: z.array(z.strictObject({ id: Id, nickname: z.string(), deptId: Id, deptName: z.string() })),
  }),
  create: endpoint({
    ...user('create'),
    method: 'POST',
    path: '/system/user/create',
    summary: '新增用户',
    summaryEn: 'Create a user, who changes the password at the first sign-in',
    body: UserDraft,
    data: Id,
  }),
  update: endpoint({
    ...user('update'),
    method: 'PUT',
    path: '/system/user/update',
    also: [{ path: '/admin-user/update' }, { path: '/system/admin-user/update' }],
    summary: '修改用户',
    summaryEn: 'Change a user',
    body: UserEdit,
    row: UserRow,
    data: z.literal(true),
  }),
  updatePassword: endpoint({
    ...user('update-password'),
    method: 'PUT',
    path: '/system/user/update-password',
    summary: '重置用户密码',
    summaryEn: "Reset a user's password; his sessions end",
    body: PasswordReset,
    data: z.literal(true),
  }),
  updateStatus: endpoint({
    ...user('update'),
    method: 'PUT',
    path: '/system/user/update-status',
    also: [{ path: '/update-status' }],
    summary: '启用或停用用户',
    summaryEn: 'Enable or disable a user',
    body: StatusEdit,
    data: z.literal(true),
  }),
  ...exportEndpoints({
    permission: 'system:user:export',
    scope: 'dept',
    path: '/system/user',
    also: [{ path: '/export' }],
    title: '用户',
    titleEn: 'Users',
    query: UserQuery,
  }),
  deleteList: endpoint({
    ...user('delete'),
    method: 'DELETE',
    path: '/system/user/delete-list',
    summary: '批量删除用户',
    summaryEn: 'Delete users, all or none',
    query: ByIds,
    data: z.literal(true),
  }),
  delete: endpoint({
    ...user('delete'),
    method: 'DELETE',
    path: '/system/user/delete',
    summary: '删除用户',
    summaryEn: 'Delete a user',
    query: ById,
    data: z.literal(true),
  }),
}

/** School accounts: users of type SCHOOL with a profile (wire 11.9). */
export const MerchantUserRow = UserRow.extend({
  schoolId: field(Id, '学校', 'School'),
  schoolName: field(z.string(), '学校', 'School'),
  jobTitle: field(z.string().nullable(), '职务', 'Job title'),
})
export type MerchantUserRow = z.output<typeof MerchantUserRow>
export const MerchantUserDraft = UserDraft.omit({ deptId: true, roleIds: true }).extend({
  schoolId: field(Id, '学校', 'School'),
  jobTitle: field(z.string().trim().max(30).nullable().optional(), '职务', 'Job title'),
})
export type MerchantUserDraft = z.output<typeof MerchantUserDraft>
export const MerchantUserQuery = PageQuery.extend({
  ...filters,
  schoolId: field(queryId.optional(), '学校', 'School'),
  orderBy: sortable(['username', 'nickname', 'schoolName', 'status', 'loginDate', 'createTime']),
})
export type MerchantUserQuery = z.output<typeof MerchantUserQuery>

const merchantUser = (verb: string) =>
  ({ kind: 'json', permission: `bully:merchant-user:${verb}`, scope: 'school' }) as const

export const merchantUsers = {
  page: endpoint({
    ...merchantUser('query'),
    method: 'GET',
    path: '/bully/merchant-user/page',
    summary: '学校账号分页',
    summaryEn: 'Accounts of schools, by page',
    query: MerchantUserQuery,
    data: page(MerchantUserRow),
  }),
  create: endpoint({
    ...merchantUser('create'),
    method: 'POST',
    path: '/bully/merchant-user/create',
    summary: '新增学校账号',
    summaryEn: 'Create an account of a school',
    body: MerchantUserDraft,
    data: Id,
  }),
  ...exportEndpoints({
    permission: 'bully:merchant-user:export',
    scope: 'school',
    path: '/bully/merchant-user',
    title: '学校账号',
    titleEn: 'Accounts of schools',
    query: MerchantUserQuery,
  }),
}
