import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { field, pattern } from '../../field.ts'
import { newPassword } from '../user.ts'
import { Email, Mobile } from '../user-contact.ts'
import { SignInResponse } from '../auth.ts'
import { codeText } from '../../text-fields.ts'

export const contactTypes = ['MOBILE', 'EMAIL'] as const
export type ContactType = (typeof contactTypes)[number]

/** The purpose of a code; it is valid for nothing else. A signed-in user verifies a new contact by `BIND`. */
export const codeScenes = ['LOGIN', 'RESET', 'REGISTER', 'BIND'] as const
export type CodeScene = (typeof codeScenes)[number]

/** Lifetime of a code, number of attempts, and seconds before another is sent to the same contact. */
export const CODE_SEC = 300
export const CODE_TRIES = 5
export const CODE_AGAIN_SEC = 60

/** A mobile number or an e-mail address, by `contactType`; the server rejects the field otherwise. */
const contact = field(codeText().min(1).max(50), '手机号码或邮箱', 'Mobile or e-mail')
const contactType = field(z.enum(contactTypes), '联系方式类型', 'Kind of contact')
export const code = field(
  z.string().regex(pattern(/^\d{6}$/, '6 位数字，例如 123456', '6 digits, such as 123456')),
  '验证码',
  'Verification code',
)

export const CodeRequest = z.strictObject({
  contact,
  contactType,
  /** The scene `LOGIN` allows only MOBILE. */
  scene: field(z.enum(['LOGIN', 'RESET', 'REGISTER']), '用途', 'Purpose'),
  captchaKey: field(z.string().min(1).max(500), '验证码', 'Verification code'),
  captchaCode: field(z.string().min(1).max(20), '验证码', 'Verification code'),
})
export type CodeRequest = z.output<typeof CodeRequest>

export const SmsLogin = z.strictObject({ mobile: field(Mobile, '手机号码', 'Mobile'), code })
export type SmsLogin = z.output<typeof SmsLogin>

/** The password once more: forms may leave the comparison to the server. */
export const confirmPassword = field(z.string().max(200).optional(), '确认密码', 'Confirm password')

/** A contact and a code, by these names or by those of SPEC 3. With a user name the contact must be that user's. */
export const ResetPassword = z
  .strictObject({
    contact,
    contactType,
    code,
    userName: field(codeText().max(30), '用户名称', 'User name'),
    mobile: field(Mobile.nullable(), '手机号码', 'Mobile'),
    email: field(Email.nullable(), '邮箱', 'E-mail'),
    smsCode: code,
  })
  .partial()
  .extend({ password: newPassword, confirmPassword })
export type ResetPassword = z.output<typeof ResetPassword>

/** The user name with the activation code, which is longer than a verification code. */
export const Activation = z.strictObject({
  username: field(z.string().min(1).max(100), '用户名', 'User name'),
  code: field(z.string().trim().min(1).max(100), '激活码', 'Activation code'),
  password: newPassword,
})
export type Activation = z.output<typeof Activation>

const ContactQuery = z.strictObject({ contact, contactType })
export type ContactQuery = z.output<typeof ContactQuery>
/** Required when the sign-in is older than ten minutes: a contact gives access to the account. */
const password = field(z.string().min(1).max(200).optional(), '当前密码', 'Current password')
export const MobileBinding = z.strictObject({ mobile: field(Mobile, '手机号码', 'Mobile'), code, password })
export type MobileBinding = z.output<typeof MobileBinding>
export const EmailBinding = z.strictObject({ email: field(Email, '邮箱', 'E-mail'), code, password })
export type EmailBinding = z.output<typeof EmailBinding>

const open = { kind: 'json', permission: 'open', scope: 'none' } as const
const own = { kind: 'json', permission: 'token', scope: 'self' } as const

/**
 * Sign-in by a verified contact. A second factor is requested by code 1002000020 with `data: {ticket}`, as everywhere.
 */
export const contactCalls = {
  sendCode: endpoint({
    ...open,
    method: 'POST',
    path: '/system/auth/send-sms-code',
    summary: '发送验证码',
    summaryEn: 'Send a verification code; the answer is the same whether or not an account has the contact',
    body: CodeRequest,
    data: z.literal(true),
  }),
  smsLogin: endpoint({
    ...open,
    method: 'POST',
    path: '/system/auth/sms-login',
    summary: '手机验证码登录',
    summaryEn: 'Sign in by mobile and code',
    body: SmsLogin,
    data: SignInResponse,
  }),
  resetPassword: endpoint({
    ...open,
    method: 'POST',
    path: '/system/auth/reset-password',
    summary: '重置密码',
    summaryEn: 'A new password for whoever proves the contact; all his sessions end',
    body: ResetPassword,
    data: z.literal(true),
  }),
  activate: endpoint({
    ...open,
    method: 'POST',
    path: '/system/auth/activate',
    summary: '激活账号',
    summaryEn: 'Choose the first password of an account by its activation code, and sign in',
    body: Activation,
    data: SignInResponse,
  }),
  sendBindingCode: endpoint({
    ...own,
    method: 'GET',
    path: '/system/user/profile/send-verification-code',
    also: [
      { method: 'POST', path: '/system/user/profile/send-verification-code' },
      { path: '/api/v1/users/send-verification-code' },
      { method: 'POST', path: '/api/v1/users/send-verification-code' },
    ],
    summary: '发送绑定验证码',
    summaryEn: 'Send a code to a contact that is to become mine',
    query: ContactQuery,
    data: z.literal(true),
  }),
  bindMobile: endpoint({
    ...own,
    method: 'PUT',
    path: '/system/user/profile/update-mobile',
    also: [{ path: '/profile/update-mobile' }, { path: '/api/v1/users/mobile' }],
    summary: '绑定手机号码',
    summaryEn: 'Make a proven mobile number mine',
    body: MobileBinding,
    data: z.literal(true),
  }),
  bindEmail: endpoint({
    ...own,
    method: 'PUT',
    path: '/system/user/profile/update-email',
    also: [{ path: '/profile/update-email' }, { path: '/api/v1/users/email' }],
    summary: '绑定邮箱',
    summaryEn: 'Make a proven e-mail address mine',
    body: EmailBinding,
    data: z.literal(true),
  }),
}
