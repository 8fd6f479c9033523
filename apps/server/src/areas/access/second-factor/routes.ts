import { secondFactors } from '@tocsin/contract/access/sign-in/second-factor'
import { type Route, route } from '#http/route'
import { BROWSER_COOKIE } from '../sign-in/trusted-browser.ts'
import type { AuthDeps } from '../sign-in/deps.ts'
import { toSignInResponse } from '../sign-in/complete-sign-in.ts'
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
  route(secondFactors.enrol, ({ body, actor, origin }) => startEnrolment(deps, body.password, { actor, origin })),
  route(secondFactors.confirm, ({ body, actor, origin }) => confirm(deps, body.code, { actor, origin })),
  route(secondFactors.disable, ({ body, actor, origin }) => disable(deps, body.password, { actor, origin })),
  route(secondFactors.reset, ({ body, actor, origin }) => resetFactor(deps, body.id, { actor, origin })),
]
