import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export const CLIENT = { id: 'tocsin', secret: 'Client-secret-of-a-test' }

/** Confirms the identity in `who` without asking. */
const consent = async (
  provider: Provider,
  user: { name: string },
  request: IncomingMessage,
  response: ServerResponse,
) => {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: user.name } })
  const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params['client_id']) })
  grant.addOIDCScope('openid profile')
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}

/** An OpenID provider on loopback for a client at `site`; `who` is the user of the next browser. */
export const openProvider = async (site: string) => {
  const user = { name: 'oidc-wang' }
  const state: { provider?: Provider } = {}
  const server = createServer((request, response) => {
    const { provider } = state
    if (!provider) return void response.writeHead(503).end()
    if (request.url?.startsWith('/interaction/')) return void consent(provider, user, request, response)
    provider.callback()(request, response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  state.provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${site}/login`, `${site}/profile`],
        application_type: 'native',
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['preferred_username'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of a test'] },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, preferred_username: `${accountId}@idp` }),
    }),
  })

  /** Follows an address like a browser, to the redirect of the provider. */
  const visit = async (url: string): Promise<URL> => {
    const jar = new Map<string, string>()
    for (let at = url; ; ) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(at, { redirect: 'manual', headers: cookie ? { cookie } : {} })
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2)
        jar.set(name, value)
      }
      const next = new URL(response.headers.get('location') ?? `about:error-${response.status}`, at)
      if (next.origin !== issuer) return next
      at = next.href
    }
  }
  return {
    issuer,
    who: user,
    visit,
    close: () => new Promise((closed) => server.close(closed).closeAllConnections()),
  }
}
