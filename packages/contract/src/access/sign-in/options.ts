import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { PROVIDER_KEY } from './social.ts'

/** The sign-in methods that are configured, so that the page offers no other. */
export const SignInOptions = z.strictObject({
  title: z.string(),
  version: z.string(),
  /** True when text messages can be sent, so that users sign in, reset and register by mobile. */
  mobile: z.boolean(),
  /** True when mail can be sent, so that users reset and register by e-mail. */
  email: z.boolean(),
  qr: z.boolean(),
  register: z.boolean(),
  social: z.array(
    z.strictObject({
      key: z.string().regex(PROVIDER_KEY),
      name: z.string(),
      nameEn: z.string(),
      /** Key of an icon of the sign-in page; an unknown key shows the general icon. */
      icon: z.string(),
    }),
  ),
})
export type SignInOptions = z.output<typeof SignInOptions>

export const signInOptions = {
  get: endpoint({
    method: 'GET',
    path: '/system/auth/sign-in-options',
    kind: 'json',
    permission: 'open',
    scope: 'none',
    summary: '可用的登录方式',
    summaryEn: 'Which ways to sign in are open, with title and version',
    data: SignInOptions,
  }),
}
