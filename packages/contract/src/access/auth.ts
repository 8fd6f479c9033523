import { z } from 'zod'
import { Id, Millis } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { Preferences } from './preference.ts'
import { MenuNode } from './rights/menu-node.ts'

export const Captcha = z.strictObject({
  /** Sent back with the solution; opaque. */
  captchaKey: z.string(),
  /** A data URI for the source of an image. */
  captchaBase64: z.string(),
})

/** Texts that are compared and never stored: passwords are used as typed, spaces included. */
export const Login = z.strictObject({
  username: field(z.string().min(1).max(100), '用户名', 'User name'),
  password: field(z.string().min(1).max(200), '密码', 'Password'),
  captchaKey: field(z.string().min(1).max(500), '验证码', 'Verification code'),
  captchaCode: field(z.string().min(1).max(20), '验证码', 'Verification code'),
})
export type Login = z.output<typeof Login>

const tokens = {
  accessToken: z.string(),
  refreshToken: z.string(),
  /** When the access token expires. */
  expiresTime: Millis,
  userId: Id,
}
export const Tokens = z.strictObject(tokens)
export type Tokens = z.output<typeof Tokens>

export const SignInResponse = z.strictObject({
  tokenType: z.literal('Bearer'),
  ...tokens,
  /** Until the password is changed, every other call is rejected. */
  mustChangePassword: z.boolean(),
})
export type SignInResponse = z.output<typeof SignInResponse>

export const PermissionInfo = z.strictObject({
  user: z.strictObject({
    id: Id,
    username: field(z.string(), '用户名', 'User name'),
    nickname: field(z.string(), '昵称', 'Name'),
    avatar: z.string().nullable(),
    deptId: Id,
    deptName: field(z.string(), '部门', 'Department'),
  }),
  /** Role codes, of enabled roles only. */
  roles: z.array(z.string()),
  /** Under every alias (wire 11.4). */
  permissions: z.array(z.string()),
  menus: z.array(MenuNode),
  preferences: Preferences,
  /** The zone of displayed times, `TOCSIN_TZ`: every desk and every export show the same times. */
  timeZone: z.string(),
  /** Targets of the console's own links; empty: no link. */
  site: z.strictObject({ documentUrl: z.string(), projectUrl: z.string() }),
})
export type PermissionInfo = z.output<typeof PermissionInfo>

export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 64

export const PasswordChange = z.strictObject({
  oldPassword: field(z.string().min(1).max(200), '原密码', 'Current password'),
  newPassword: field(z.string().min(PASSWORD_MIN).max(PASSWORD_MAX), '新密码', 'New password'),
})

export const RefreshRequest = z
  .strictObject({ refreshToken: field(z.string().max(500), '刷新令牌', 'Refresh token') })
  .partial()

export const auth = {
  captcha: endpoint({
    method: 'GET',
    path: '/api/v1/auth/captcha',
    kind: 'json',
    permission: 'open',
    scope: 'none',
    summary: '获取验证码',
    summaryEn: 'A picture with a verification code',
    data: Captcha,
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/v1/auth/login',
    also: [{ path: '/system/auth/login' }],
    kind: 'form',
    permission: 'open',
    scope: 'none',
    summary: '登录',
    summaryEn: 'Sign in',
    body: Login,
    data: SignInResponse,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/system/auth/logout',
    also: [{ method: 'DELETE', path: '/api/v1/auth/logout' }],
    kind: 'json',
    // Succeeds with a valid, an invalid and without a token (wire 1.1).
    permission: 'open',
    scope: 'self',
    summary: '退出登录',
    summaryEn: 'Sign out',
    data: z.literal(true),
  }),
  refreshToken: endpoint({
    method: 'POST',
    path: '/system/auth/refresh-token',
    kind: 'json',
    permission: 'open',
    scope: 'self',
    summary: '刷新令牌',
    summaryEn: 'New tokens for a refresh token',
    // In the body; the query is the place of the old wire, which proxies may log.
    query: RefreshRequest,
    body: RefreshRequest,
    data: Tokens,
  }),
  permissionInfo: endpoint({
    method: 'GET',
    path: '/system/auth/get-permission-info',
    kind: 'json',
    permission: 'token',
    scope: 'self',
    summary: '获取登录用户的权限信息',
    summaryEn: 'Who is signed in, with menus and permissions',
    data: PermissionInfo,
  }),
  updatePassword: endpoint({
    method: 'PUT',
    path: '/system/user/profile/update-password',
    also: [{ path: '/profile/update-password' }],
    kind: 'json',
    permission: 'token',
    scope: 'self',
    summary: '修改本人密码',
    summaryEn: 'Change my password',
    body: PasswordChange,
    data: z.literal(true),
  }),
}
