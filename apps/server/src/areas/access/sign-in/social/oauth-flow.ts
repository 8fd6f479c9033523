import { codes } from '@tocsin/contract/codes'
import type { SocialAnswer } from '@tocsin/contract/access/sign-in/social'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#db/db'
import { encrypt, decrypt } from '#db/encryption'
import { BusinessError } from '#http/business-error'
import { hashToken } from '#http/session-auth'
import type { AuthDeps } from '../deps.ts'
import { discoverClient } from './client.ts'
import { getProvider } from './providers.ts'

const LIFE_SEC = 600
export const SOCIAL_COOKIE = 'social'
export const SOCIAL_COOKIE_DAYS = LIFE_SEC / 86_400

const Kept = z.strictObject({ codeVerifier: z.string(), nonce: z.string(), redirectUri: z.string() })
type Kept = z.output<typeof Kept>

export type OAuthStart = {
  provider: string
  /** The address of the console; the provider redirects back to a page of it. */
  site: string
  /** The user who binds an account; undefined for signing in. */
  userId?: number
}

/** @returns the provider's address, and the value that ties its answer to this browser. */
export const startOAuth = async (deps: AuthDeps, given: OAuthStart): Promise<{ url: string; browser: string }> => {
  const provider = await getProvider(deps.db, given.provider)
  const oidc = await import('openid-client')
  const state = `${provider.key}.${randomBytes(32).toString('base64url')}`
  const browser = randomBytes(32).toString('base64url')
  // Normalized as URLs are, so that the same text is sent when the code is exchanged.
  const redirectUri = new URL(given.userId === undefined ? '/login' : '/profile', given.site).href
  const kept: Kept = { codeVerifier: oidc.randomPKCECodeVerifier(), nonce: oidc.randomNonce(), redirectUri }
  const challenge = await oidc.calculatePKCECodeChallenge(kept.codeVerifier)
  const url = await reached(deps, provider.key, async () => {
    const client = await discoverClient(deps, provider)
    const built = oidc.buildAuthorizationUrl(client, {
      redirect_uri: redirectUri,
      scope: 'openid profile',
      state,
      nonce: kept.nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    // The browser is redirected there: anything but a web address would run or open something else.
    if (!/^https?:$/.test(built.protocol)) throw new Error('its authorization_endpoint is no web address')
    return built
  })
  await deps.db
    .insertInto('socialState')
    .values({
      stateHash: hashToken(state),
      provider: provider.key,
      browserHash: hashToken(browser),
      userId: given.userId ?? null,
      sealed: encrypt(deps.keys.social, Buffer.from(JSON.stringify(kept))),
      expiresAt: sql<Date>`now() + make_interval(secs => ${LIFE_SEC})`,
    })
    .execute()
  return { url: url.href, browser }
}

const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // The error of the provider (RFC 6749, 5.2), or why it was unreachable.
  const { error: word, error_description: more, cause } = error as Error & Record<string, unknown>
  return [error.message, word, more, cause instanceof Error ? cause.message : undefined].filter(Boolean).join(', ')
}

/** Errors of a provider are logged for the operator; the user only learns that it failed. */
const reached = async <T>({ warn }: AuthDeps, provider: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    warn(`the sign-in provider ${provider} failed: ${wordsOf(error)}`)
    throw new BusinessError(codes.socialFailed)
  }
}

export type OAuthCallback = { answer: SocialAnswer; browser: string | undefined; userId?: number }

/** The state stored for this answer, valid once and only for the browser and the user who began. */
const takeState = async ({ db, keys }: AuthDeps, { answer, browser, userId }: OAuthCallback): Promise<Kept> => {
  const row = await db
    .deleteFrom('socialState')
    .where('stateHash', '=', hashToken(answer.state))
    .returning(['provider', 'browserHash', 'userId', 'sealed', sql<boolean>`expires_at > now()`.as('inTime')])
    .executeTakeFirst()
  const fitting =
    row?.inTime &&
    row.provider === answer.provider &&
    row.userId === (userId ?? null) &&
    browser !== undefined &&
    row.browserHash.equals(hashToken(browser))
  const kept = fitting && decrypt(keys.social, row.sealed)
  if (!kept) throw new BusinessError(codes.socialFailed)
  return Kept.parse(JSON.parse(kept.toString()))
}

/** The identity at the provider: its subject, and the display name there. */
export type Identity = { provider: string; subject: string; account: string | null }

const nameIn = (claims: Record<string, unknown>): string | null => {
  const name = claims['preferred_username'] ?? claims['name'] ?? claims['nickname']
  return typeof name === 'string' ? name.slice(0, 100) : null
}

/** Exchanges the answer for an identity: state, nonce, PKCE and the token's signature are all verified. */
export const finishOAuth = async (deps: AuthDeps, given: OAuthCallback): Promise<Identity> => {
  const { answer } = given
  const provider = await getProvider(deps.db, answer.provider)
  const { codeVerifier, nonce, redirectUri } = await takeState(deps, given)
  const url = new URL(redirectUri)
  url.searchParams.set('code', answer.code)
  url.searchParams.set('state', answer.state)
  if (answer.iss) url.searchParams.set('iss', answer.iss)
  return reached(deps, provider.key, async () => {
    const { authorizationCodeGrant } = await import('openid-client')
    const tokens = await authorizationCodeGrant(await discoverClient(deps, provider), url, {
      pkceCodeVerifier: codeVerifier,
      expectedNonce: nonce,
      expectedState: answer.state,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('the answer holds no identity')
    return { provider: provider.key, subject: claims.sub, account: nameIn(claims) }
  })
}

export const deleteExpiredStates = async (db: Db): Promise<void> => {
  await db.deleteFrom('socialState').where('expiresAt', '<', sql<Date>`now()`).execute()
}
