import { secondFactors } from '@tocsin/contract/system/sign-in/second-factor'
import { type Route, route } from '#http/route'
import { BROWSER_COOKIE } from '../auth/browser.ts'
import type { AuthDeps } from '../auth/deps.ts'
import { answerEntered } from '../auth/enter.ts'
import { confirm, disable, enrol, factorState, resetFactor } from './factor.ts'
import { proveSecondFactor } from './prove.ts'

export const secondFactorRoutes = (deps: AuthDeps): Route[] => [
  route(secondFactors.prove, async ({ body, origin, transport }) =>
    answerEntered(await proveSecondFactor(deps, body, { origin, cookie: transport.cookie(BROWSER_COOKIE) }), transport),
  ),
  route(secondFactors.state, ({ actor }) => factorState(deps.db, actor.userId)),
  route(secondFactors.enrol, ({ body, actor, origin }) => enrol(deps, body.password, { actor, origin })),
  route(secondFactors.confirm, ({ body, actor, origin }) => confirm(deps, body.code, { actor, origin })),
  route(secondFactors.disable, ({ body, actor, origin }) => disable(deps, body.password, { actor, origin })),
  route(secondFactors.reset, ({ body, actor, origin }) => resetFactor(deps, body.id, { actor, origin })),
]
