import { qrCalls } from '@tocsin/contract/access/sign-in/qr'
import { type Route, route } from '#http/route'
import { BROWSER_COOKIE } from '../trusted-browser.ts'
import type { AuthDeps } from '../deps.ts'
import { toSignInResponse } from '../complete-sign-in.ts'
import { confirmTicket, createQrTicket, qrState, scanTicket } from './qr.ts'

export const qrRoutes = (deps: AuthDeps): Route[] => [
  route(qrCalls.ticket, ({ origin }) => createQrTicket(deps, origin)),
  route(qrCalls.state, async ({ query, origin, transport }) => {
    const { state, entered } = await qrState(deps, query, { origin, cookie: transport.cookie(BROWSER_COOKIE) })
    return { state, signedIn: entered ? toSignInResponse(entered, transport) : null }
  }),
  route(qrCalls.scan, ({ body, actor }) => scanTicket(deps, body.ticket, actor)),
  route(qrCalls.confirm, ({ body, caller }) => confirmTicket(deps, body.ticket, caller)),
]
