import { secondFactors } from '@tocsin/contract/access/sign-in/second-factor'
import { type Route, route } from '#http/route'
import { BROWSER_COOKIE } from '../trusted-browser.ts'
import type { AuthDeps } from '../deps.ts'
import { toSignInResponse } from '../complete-sign-in.ts'
import { confirm, disable, startEnrolment, getFactorState, resetFactor } from './factor.ts'
import { verifySecondFactor } from './verify-second-factor.ts'

export const secondFactorRoutes = (deps: AuthDeps): Route[] => [
  route(secondFactors.prove, async ({ body, origin, transport }) =>
    toSignInResponse(
      await verifySecondFactor(deps, body, { origin, cookie: transport.cookie(BROWSER_COOKIE) }),
      transport,
    ),
  ),
  route(secondFactors.state, ({ actor }) => getFactorState(deps.db, actor.userId)),
  route(secondFactors.enrol, ({ body, caller }) => startEnrolment(deps, body.password, caller)),
  route(secondFactors.confirm, ({ body, caller }) => confirm(deps, body.code, caller)),
  route(secondFactors.disable, ({ body, caller }) => disable(deps, body.password, caller)),
  route(secondFactors.reset, ({ body, caller }) => resetFactor(deps, body.id, caller)),
]
