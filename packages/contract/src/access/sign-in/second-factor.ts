import { z } from 'zod'
import { Id, Millis } from '../../codecs.ts'
import { endpoint } from '../../endpoint.ts'
import { field } from '../../field.ts'
import { SignInResponse } from '../auth.ts'

/** Six digits of the authenticator, or a recovery code (`xxxxx-xxxxx`), which works once. */
const factorCode = field(z.string().trim().min(6).max(20), '二次验证码', 'Second-factor code')
const password = field(z.string().min(1).max(200), '密码', 'Password')

export const SecondFactorProof = z.strictObject({
  /** From the response 1002000020; valid for five minutes and one success. */
  ticket: field(z.string().min(1).max(1000), '验证凭据', 'Ticket'),
  code: factorCode,
})
export type SecondFactorProof = z.output<typeof SecondFactorProof>

export const SecondFactorState = z.strictObject({
  enabled: z.boolean(),
  enabledAt: Millis.nullable(),
  /** Unused recovery codes. */
  recoveryLeft: z.int(),
})
export type SecondFactorState = z.output<typeof SecondFactorState>

const own = { kind: 'json', permission: 'token', scope: 'self' } as const
const byPassword = z.strictObject({ password })

export const secondFactors = {
  prove: endpoint({
    method: 'POST',
    path: '/system/auth/second-factor',
    kind: 'json',
    permission: 'open',
    scope: 'none',
    summary: '二次验证',
    summaryEn: 'The second step of signing in',
    body: SecondFactorProof,
    data: SignInResponse,
  }),
  state: endpoint({
    ...own,
    method: 'GET',
    path: '/system/user/profile/second-factor',
    summary: '二次验证状态',
    summaryEn: 'Whether my account has a second factor',
    data: SecondFactorState,
  }),
  enrol: endpoint({
    ...own,
    method: 'POST',
    path: '/system/user/profile/enrol-second-factor',
    summary: '开始启用二次验证',
    summaryEn: 'A new secret for my authenticator; nothing changes until it is confirmed',
    body: byPassword,
    /** The secret in base32 to type, and as an otpauth URL for a QR code. */
    data: z.strictObject({ secret: z.string(), uri: z.string() }),
  }),
  confirm: endpoint({
    ...own,
    method: 'POST',
    path: '/system/user/profile/confirm-second-factor',
    summary: '确认启用二次验证',
    summaryEn: 'Turn the second factor on by a first code; recovery codes are shown this once',
    body: z.strictObject({ code: factorCode }),
    data: z.strictObject({ recoveryCodes: z.array(z.string()) }),
  }),
  disable: endpoint({
    ...own,
    method: 'POST',
    path: '/system/user/profile/disable-second-factor',
    summary: '停用二次验证',
    summaryEn: 'Turn my second factor off',
    body: byPassword,
    data: z.literal(true),
  }),
  reset: endpoint({
    method: 'POST',
    path: '/system/user/reset-second-factor',
    kind: 'json',
    permission: 'system:user:reset-second-factor',
    scope: 'dept',
    summary: '移除用户的二次验证',
    summaryEn: "Remove a user's second factor; his sessions end",
    body: z.strictObject({ id: field(Id, '用户编号', 'User id') }),
    data: z.literal(true),
  }),
}
