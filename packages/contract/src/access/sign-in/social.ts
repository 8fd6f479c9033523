import { z } from 'zod'
import { Millis } from '../../codecs.ts'
import { endpoint } from '../../endpoint.ts'
import { field } from '../../field.ts'
import { SignInResponse } from '../auth.ts'

export const PROVIDER_KEY = /^[a-z][a-z0-9-]{0,19}$/

const provider = field(z.string().regex(PROVIDER_KEY), '登录方式', 'Provider')

/**
 * The parameters that the provider added to the address: `/login` after `socialRedirect`, `/profile` after
 * `bindRedirect`. `state` begins with the provider's key and a dot. `iss` is sent when the address has it.
 */
export const SocialAnswer = z.strictObject({
  provider,
  code: field(z.string().min(1).max(2000), '授权码', 'Authorization code'),
  state: field(z.string().min(1).max(200), '状态', 'State'),
  iss: field(z.string().max(500).nullable().optional(), '签发者', 'Issuer'),
})
export type SocialAnswer = z.output<typeof SocialAnswer>

export const SocialRow = z.strictObject({
  provider: z.string(),
  name: z.string(),
  nameEn: z.string(),
  icon: z.string(),
  /** Null when no account of this provider is bound. */
  boundAt: Millis.nullable(),
  /** The user's name at the provider. */
  account: z.string().nullable(),
})
export type SocialRow = z.output<typeof SocialRow>

const ByProvider = z.strictObject({ provider })
/**
 * The password is required when the sign-in is older than ten minutes: a bound identity gives access to the account.
 */
export const SocialBinding = z.strictObject({
  provider,
  password: field(z.string().min(1).max(200).optional(), '当前密码', 'Current password'),
})
const Redirect = z.strictObject({ url: z.string() })
const open = { kind: 'json', permission: 'open', scope: 'none' } as const
const own = { kind: 'json', permission: 'token', scope: 'self' } as const

export const socials = {
  redirect: endpoint({
    ...open,
    method: 'GET',
    path: '/system/auth/social-redirect',
    summary: '第三方登录地址',
    summaryEn:
      'Where to send the browser to sign in at a provider; sets the cookie that ties the answer to this browser',
    query: ByProvider,
    data: Redirect,
  }),
  login: endpoint({
    ...open,
    method: 'POST',
    path: '/system/auth/social-login',
    summary: '第三方登录',
    summaryEn: 'Sign in by what the provider brought back',
    body: SocialAnswer,
    data: SignInResponse,
  }),
  list: endpoint({
    ...own,
    method: 'GET',
    path: '/system/user/profile/social-list',
    summary: '我的第三方账号',
    summaryEn: 'Every provider, and which of them my account is bound to',
    data: z.array(SocialRow),
  }),
  bindRedirect: endpoint({
    ...own,
    method: 'POST',
    path: '/system/user/profile/social-redirect',
    summary: '绑定第三方账号的地址',
    summaryEn: 'Where to send the browser to bind an account of a provider',
    body: SocialBinding,
    data: Redirect,
  }),
  bind: endpoint({
    ...own,
    method: 'POST',
    path: '/system/user/profile/social-bind',
    summary: '绑定第三方账号',
    summaryEn: 'Bind what the provider brought back to my account',
    body: SocialAnswer,
    data: z.literal(true),
  }),
  unbind: endpoint({
    ...own,
    method: 'POST',
    path: '/system/user/profile/social-unbind',
    summary: '解除绑定第三方账号',
    summaryEn: 'Forget the account of a provider',
    body: ByProvider,
    data: z.literal(true),
  }),
}
