import { z } from 'zod'
import { Id, Millis } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { Sex, Status } from '../settings/wire-codecs.ts'
import { avatarPart } from '../files/file.ts'
import { nickname, sex } from './user.ts'
import { Email, Mobile } from './user-contact.ts'

const named = z.strictObject({ id: Id, name: z.string() })

export const Profile = z.strictObject({
  id: Id,
  username: field(z.string(), '用户名称', 'User name'),
  nickname: field(z.string(), '用户昵称', 'Name'),
  email: field(z.string().nullable(), '邮箱', 'E-mail'),
  mobile: field(z.string().nullable(), '手机号码', 'Mobile'),
  sex: field(Sex, '用户性别', 'Sex'),
  avatar: field(z.string().nullable(), '头像', 'Avatar'),
  status: field(Status, '状态', 'Status'),
  loginIp: field(z.string().nullable(), '最后登录IP', 'Last sign-in from'),
  loginDate: field(Millis.nullable(), '最后登录时间', 'Last sign-in'),
  createTime: field(Millis, '创建时间', 'Created'),
  version: field(z.int(), '版本', 'Version'),
  roles: z.array(named),
  dept: named,
  posts: z.array(named),
  /** The identity provider for signing in, and the user's name there. */
  socialUsers: z.array(z.strictObject({ type: z.string(), openid: z.string() })),
})
export type Profile = z.output<typeof Profile>

/** Absent: unchanged; null: cleared. */
export const ProfileEdit = z
  .strictObject({
    nickname,
    email: field(Email.nullable(), '邮箱', 'E-mail'),
    mobile: field(Mobile.nullable(), '手机号码', 'Mobile'),
    sex,
    /** A fresh upload of the user by its link; the displayed link changes nothing, null removes the picture. */
    avatar: field(z.string().max(2000).nullable(), '头像', 'Avatar'),
    version: field(z.int(), '版本', 'Version'),
    /** Forms send these back; only an administrator can change them. */
    username: Profile.shape.username,
    status: Profile.shape.status,
  })
  .partial()
export type ProfileEdit = z.output<typeof ProfileEdit>

const own = { kind: 'json', permission: 'token', scope: 'self' } as const

export const profile = {
  get: endpoint({
    ...own,
    method: 'GET',
    path: '/system/user/profile/get',
    also: [{ path: '/profile/get' }],
    summary: '个人信息',
    summaryEn: 'My account',
    data: Profile,
  }),
  update: endpoint({
    ...own,
    method: 'PUT',
    path: '/system/user/profile/update',
    also: [{ path: '/profile/update' }],
    summary: '修改个人信息',
    summaryEn: 'Change my account',
    body: ProfileEdit,
    row: Profile,
    data: z.literal(true),
  }),
  updateAvatar: endpoint({
    kind: 'upload',
    permission: 'token',
    scope: 'self',
    method: 'PUT',
    path: '/system/user/profile/update-avatar',
    also: [
      { method: 'POST', path: '/system/user/profile/update-avatar' },
      { path: '/profile/update-avatar' },
      { method: 'POST', path: '/profile/update-avatar' },
    ],
    summary: '修改头像',
    summaryEn: 'Change my picture; the answer is its link',
    files: { avatarFile: avatarPart },
    data: z.string(),
  }),
  deleteAvatar: endpoint({
    ...own,
    method: 'DELETE',
    path: '/system/user/profile/delete-avatar',
    summary: '删除头像',
    summaryEn: 'Remove my picture',
    data: z.literal(true),
  }),
}
