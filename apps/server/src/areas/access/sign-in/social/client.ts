import { createHash } from 'node:crypto'
import type { Configuration } from 'openid-client'
import { fetchBounded } from '../../outbound/bounded-fetch.ts'
import type { AuthDeps } from '../deps.ts'
import { getClientSecret, type Provider } from './providers.ts'

const WAIT_SEC = 10
const KEPT_MS = 600_000
const kept = new Map<string, { client: Promise<Configuration>; at: number }>()

const discover = async ({ issuer, clientId }: Provider, secret: string): Promise<Configuration> => {
  // Loaded with the first request to a provider.
  const { allowInsecureRequests, customFetch, discovery, None } = await import('openid-client')
  const url = new URL(issuer)
  // Closed networks have no certificates; http is the operator's choice.
  const execute = url.protocol === 'http:' ? [allowInsecureRequests] : []
  const options = { execute, timeout: WAIT_SEC, [customFetch]: fetchBounded }
  return secret
    ? discovery(url, clientId, secret, undefined, options)
    : discovery(url, clientId, undefined, None(), options)
}

/** The provider's metadata, fetched at most every ten minutes; a failure is retried at once. */
export const discoverClient = async ({ db, keys }: AuthDeps, provider: Provider): Promise<Configuration> => {
  const secret = await getClientSecret(db, keys.setting, provider.key)
  const name = createHash('sha256')
    .update(JSON.stringify([provider, secret]))
    .digest('base64url')
  const known = kept.get(name)
  if (known && performance.now() - known.at < KEPT_MS) return known.client
  const client = discover(provider, secret)
  kept.set(name, { client, at: performance.now() })
  try {
    return await client
  } catch (error) {
    kept.delete(name)
    throw error
  }
}
