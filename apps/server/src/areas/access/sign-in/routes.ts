import { fieldError } from '#areas/audit/edit-transaction'
import { userFormsV1 } from '@tocsin/contract/compat/user-form'
import { auth, RefreshRequest } from '@tocsin/contract/access/auth'
import { type RestrictedSessionAllowList } from '#http/mount'
import { type Route, route } from '#http/route'
import { contactCalls } from '@tocsin/contract/access/sign-in/contact'
import { locks } from '@tocsin/contract/access/sign-in/lock'
import { signInOptions } from '@tocsin/contract/access/sign-in/options'
import { qrCalls } from '@tocsin/contract/access/sign-in/qr'
import { secondFactors } from '@tocsin/contract/access/sign-in/second-factor'
import { socials } from '@tocsin/contract/access/sign-in/social'
import { BROWSER_COOKIE } from './trusted-browser.ts'
import { createCaptcha } from './captcha.ts'
import { changePassword } from './password/change-password.ts'
import type { AuthDeps } from './deps.ts'
import { toSignInResponse } from './complete-sign-in.ts'
import { login, logout, refresh } from './login.ts'
import { getSignInOptions } from './options.ts'
import { permissionInfo } from './permission-info.ts'

/** Calls to sign in and out: they do not read, but change nothing that a demo shows. */
const signingInAndOut = [
  auth.login,
  auth.logout,
  auth.refreshToken,
  contactCalls.sendCode,
  contactCalls.smsLogin,
  secondFactors.prove,
  socials.login,
  qrCalls.ticket,
  qrCalls.scan,
  qrCalls.confirm,
  locks.unlock,
]

/** Open to a session that must change its password or is locked; calls without a session are open anyway. */
export const restrictedSessionAllowList: RestrictedSessionAllowList = {
  mustChange: new Set([auth.updatePassword.path, userFormsV1.updatePassword.path]),
  locked: new Set([locks.unlock.path]),
  readonlyDemo: new Set(signingInAndOut.map(({ path }) => path)),
}

export const authRoutes = (deps: AuthDeps): Route[] => [
  route(auth.captcha, ({ origin }) => createCaptcha(deps.db, deps.keys.captcha, origin.ip, deps.testCaptcha)),
  route(auth.login, async ({ body, origin, transport }) => {
    const entered = await login(deps, { body, origin, cookie: transport.cookie(BROWSER_COOKIE) })
    return toSignInResponse(entered, transport)
  }),
  route(signInOptions.get, () => getSignInOptions(deps)),
  route(auth.logout, ({ origin, transport }) => logout(deps.db, transport.token, origin)),
  route(auth.refreshToken, ({ query, body, origin }) => {
    const presented = body.refreshToken ?? query.refreshToken
    if (presented === undefined) throw fieldError(RefreshRequest, 'refreshToken', 'required')
    return refresh(deps, presented, origin)
  }),
  route(auth.permissionInfo, ({ actor }) => permissionInfo(deps.db, actor)),
  route(auth.updatePassword, ({ body, caller }) => changePassword(deps.db, { ...body, ...caller })),
]
