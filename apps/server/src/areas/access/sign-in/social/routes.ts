import { SocialBinding, socials } from '@tocsin/contract/access/sign-in/social'
import { type Route, route, type AuthTransport } from '#http/route'
import { BROWSER_COOKIE } from '../trusted-browser.ts'
import type { AuthDeps } from '../deps.ts'
import { toSignInResponse } from '../complete-sign-in.ts'
import { requireRecentAuth } from '../verification-code/recent-auth.ts'
import { bindSocial, checkSocialRate, socialList, socialLogin, unbindSocial } from './account.ts'
import { SOCIAL_COOKIE, SOCIAL_COOKIE_DAYS, startOAuth } from './oauth-flow.ts'

/** The provider's address; its answer is valid only in the browser that holds this cookie. */
const redirect = async (deps: AuthDeps, transport: AuthTransport, given: { provider: string; userId?: number }) => {
  const { url, browser } = await startOAuth(deps, { ...given, site: deps.site ?? transport.site })
  transport.setCookie(SOCIAL_COOKIE, browser, SOCIAL_COOKIE_DAYS)
  return { url }
}

export const socialRoutes = (deps: AuthDeps): Route[] => [
  route(socials.redirect, async ({ query, origin, transport }) => {
    await checkSocialRate(deps, origin)
    return redirect(deps, transport, { provider: query.provider })
  }),
  route(socials.login, async ({ body, origin, transport }) => {
    const [cookie, browser] = [transport.cookie(BROWSER_COOKIE), transport.cookie(SOCIAL_COOKIE)]
    return toSignInResponse(await socialLogin(deps, body, { origin, cookie, browser }), transport)
  }),
  route(socials.list, ({ actor }) => socialList(deps.db, actor.userId)),
  route(socials.bindRedirect, async ({ body: { provider, password }, actor, transport }) => {
    // The answer is bound without another question: it is valid only for the user who began here.
    await requireRecentAuth(deps.db, actor, { password, form: SocialBinding })
    return redirect(deps, transport, { provider, userId: actor.userId })
  }),
  route(socials.bind, ({ body, transport, caller }) =>
    bindSocial(deps, body, { who: caller, browser: transport.cookie(SOCIAL_COOKIE) }),
  ),
  route(socials.unbind, ({ body, caller }) => unbindSocial(deps.db, body.provider, caller)),
]
