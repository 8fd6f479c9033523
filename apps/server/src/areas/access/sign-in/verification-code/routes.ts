import { contactCalls } from '@tocsin/contract/access/sign-in/contact'
import { type Route, route } from '#http/route'
import { BROWSER_COOKIE } from '../trusted-browser.ts'
import type { AuthDeps } from '../deps.ts'
import { toSignInResponse } from '../complete-sign-in.ts'
import { activate } from './activate.ts'
import { bindContact, requestBindingCode } from './bind.ts'
import { resetPassword } from './reset.ts'
import { requestCode, smsLogin } from './sign-in.ts'

export const codeRoutes = (deps: AuthDeps): Route[] => [
  route(contactCalls.sendCode, ({ body, origin }) => requestCode(deps, body, origin)),
  route(contactCalls.smsLogin, async ({ body, origin, transport }) =>
    toSignInResponse(await smsLogin(deps, body, { origin, cookie: transport.cookie(BROWSER_COOKIE) }), transport),
  ),
  route(contactCalls.resetPassword, ({ body, origin }) => resetPassword(deps, body, origin)),
  route(contactCalls.activate, async ({ body, origin, transport }) =>
    toSignInResponse(await activate(deps, body, { origin, cookie: transport.cookie(BROWSER_COOKIE) }), transport),
  ),
  route(contactCalls.sendBindingCode, ({ query, caller }) => requestBindingCode(deps, query, caller)),
  route(contactCalls.bindMobile, ({ body, caller }) =>
    bindContact(deps, { ...body, type: 'MOBILE', value: body.mobile }, caller),
  ),
  route(contactCalls.bindEmail, ({ body, caller }) =>
    bindContact(deps, { ...body, type: 'EMAIL', value: body.email }, caller),
  ),
]
