import { qrCalls } from '@tocsin/contract/system/sign-in/qr'
import { type Route, route } from '#http/route'
import { BROWSER_COOKIE } from '../auth/browser.ts'
import type { AuthDeps } from '../auth/deps.ts'
import { answerEntered } from '../auth/enter.ts'
import { confirmTicket, newTicket, qrState, scanTicket } from './qr.ts'

export const qrRoutes = (deps: AuthDeps): Route[] => [
  route(qrCalls.ticket, ({ origin }) => newTicket(deps, origin)),
  route(qrCalls.state, async ({ query, origin, transport }) => {
    const { state, entered } = await qrState(deps, query, { origin, cookie: transport.cookie(BROWSER_COOKIE) })
    return { state, signedIn: entered ? answerEntered(entered, transport) : null }
  }),
  route(qrCalls.scan, ({ body, actor }) => scanTicket(deps, body.ticket, actor)),
  route(qrCalls.confirm, ({ body, actor, origin }) => confirmTicket(deps, body.ticket, { actor, origin })),
]
