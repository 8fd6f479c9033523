import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CLIENT, openProvider } from '../../../../../test/identity-provider.ts'
import { openSignInFixture, password, type SignInFixture } from '../../../../../test/sign-in-fixture.ts'
import { deleteExpiredStates } from './oauth-flow.ts'

// Calls without a network come as http://localhost:80, which is where the provider redirects browsers.
const site = 'http://localhost'

let fixture: SignInFixture
let provider: Awaited<ReturnType<typeof openProvider>>
let id: number
let token: string

const configure = (issuer: string) =>
  fixture.set(
    'social.providers',
    JSON.stringify([
      { key: 'police', name: '警务统一认证', nameEn: 'Police', icon: 'police', issuer, clientId: CLIENT.id },
      { key: 'nameless', issuer },
    ]),
  )

beforeAll(async () => {
  fixture = await openSignInFixture()
  provider = await openProvider(site)
  await configure(provider.issuer)
  await fixture.set('social.secrets', JSON.stringify({ police: CLIENT.secret }))
  ;({ id } = await fixture.person('wang'))
  token = await fixture.tokenOf('wang', password)
})
afterAll(async () => {
  await provider.close()
  await fixture.close()
})
beforeEach(async () => {
  provider.who.name = 'oidc-wang'
  await fixture.forgetTries()
})

const askToBind = (as: string, more: object = {}) =>
  fixture.call('POST', '/system/user/profile/social-redirect', { token: as, body: { provider: 'police', ...more } })

type Begun = { cookie: string | undefined; url: string }
const begin = async (as?: string): Promise<Begun> => {
  const { code, data, cookie } = await (as
    ? askToBind(as)
    : fixture.call('GET', '/system/auth/social-redirect?provider=police'))
  expect(code).toBe(200)
  return { cookie, url: String(data.url) }
}
/** What the provider sends back to the browser. */
const answerOf = async ({ url }: Begun) => {
  const back = await provider.visit(url)
  const given = Object.fromEntries(back.searchParams)
  expect(given['error'] ?? '').toBe('')
  return { page: `${back.origin}${back.pathname}`, body: { provider: 'police', ...given } }
}
const login = (body: object, cookie: string | undefined) =>
  fixture.call('POST', '/system/auth/social-login', { body, cookie })
const bind = (body: object, cookie: string | undefined, as = token) =>
  fixture.call('POST', '/system/user/profile/social-bind', { body, cookie, token: as })
const bound = async (as = token) => {
  const begun = await begin(as)
  return bind((await answerOf(begun)).body, begun.cookie, as)
}
const signIn = async () => {
  const begun = await begin()
  return login((await answerOf(begun)).body, begun.cookie)
}
const unbind = (as = token) =>
  fixture.call('POST', '/system/user/profile/social-unbind', { token: as, body: { provider: 'police' } })
const failed = 1_002_018_001

describe('the redirect to a provider', () => {
  it('contains state, nonce, code challenge and a redirect to our own page', async () => {
    const { url, cookie } = await begin()
    const query = new URL(url).searchParams
    expect(query.get('state')).toMatch(/^police\.[\w-]{43}$/)
    expect(query.get('code_challenge_method')).toBe('S256')
    expect(query.get('nonce')).toMatch(/^[\w-]{20,}$/)
    expect(query.get('redirect_uri')).toBe(`${site}/login`)
    expect(cookie).toMatch(/^social=[\w-]{43}$/)
    expect(new URL((await begin(token)).url).searchParams.get('redirect_uri')).toBe(`${site}/profile`)
  })

  it('is limited per network without a session', async () => {
    const ask = () => fixture.call('GET', '/system/auth/social-redirect?provider=nobody', { ip: '198.51.100.77' })
    const answers = new Set<unknown>()
    for (let at = 0; at < 31; at += 1) answers.add((await ask()).code)
    expect([...answers]).toEqual([codes.socialUnknown.code, codes.tooMany.code])
  })

  it('is rejected for an unknown provider, and for an unreachable one', async () => {
    const ask = (key: string) => fixture.call('GET', `/system/auth/social-redirect?provider=${key}`)
    expect((await ask('wechat')).code).toBe(1_002_018_000)
    expect((await ask('nameless')).code).toBe(1_002_018_000)
    expect((await ask('A B')).data).toMatchObject({ errors: [{ field: 'provider' }] })
    await configure('http://127.0.0.1:9')
    expect((await ask('police')).code).toBe(failed)
    await configure(provider.issuer)
  })

  it('fails when the authorization endpoint is no web address', async () => {
    const server = createServer((_request, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ issuer: base(), authorization_endpoint: 'javascript:alert(1)' })),
    )
    const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    await configure(base())
    expect((await fixture.call('GET', '/system/auth/social-redirect?provider=police')).code).toBe(failed)
    await configure(provider.issuer)
    server.close()
  })
})

describe('an account of a provider', () => {
  it('that is not bound does not sign in, and says what to do', async () => {
    const answer = await signIn()
    expect(answer).toMatchObject({ code: 1_002_000_005 })
    expect(answer.msg).toContain('尚未绑定')
    expect((await fixture.logs()).at(-1)).toMatchObject({ method: 'SOCIAL', result: 'NOT_BOUND', userId: null })
  })

  it('is bound in the profile, signs in from then on, and is unbound again', async () => {
    expect((await bound()).code).toBe(200)
    const list = (await fixture.call('GET', '/system/user/profile/social-list', { token })).data
    expect(list).toMatchObject([{ provider: 'police', account: 'oidc-wang@idp', boundAt: expect.any(Number) }])
    const own = (await fixture.call('GET', '/profile/get', { token })).data
    expect(own['socialUsers']).toEqual([{ type: 'police', openid: expect.stringMatching(/wang/) }])
    const answer = await signIn()
    expect(answer).toMatchObject({ code: 200, data: { tokenType: 'Bearer', userId: id } })
    expect((await fixture.logs()).at(-1)).toMatchObject({ method: 'SOCIAL', result: 'SUCCESS', userId: id })
    expect((await unbind()).code).toBe(200)
    expect((await unbind()).code).toBe(1_002_018_004)
    expect((await signIn()).code).toBe(1_002_000_005)
    expect(await fixture.audits('users', id)).toEqual(['system:user:bind-social', 'system:user:unbind-social'])
  })

  it('can be bound to one user only, and a user can bind one of each provider', async () => {
    await fixture.person('li')
    const li = await fixture.tokenOf('li', password)
    expect((await bound()).code).toBe(200)
    expect((await bound(li)).code).toBe(1_002_018_002)
    provider.who.name = 'oidc-other'
    expect((await bound()).code).toBe(1_002_018_003)
    await unbind()
  })

  it('is bound after a recent sign-in or with the password', async () => {
    await fixture.person('sun')
    const old = await fixture.tokenOf('sun', password)
    await sql`update session set proved_at = now() - interval '11 minutes' where id = (select max(id) from session)`.execute(
      fixture.db,
    )
    expect((await askToBind(old)).data).toMatchObject({ errors: [{ field: 'password', rule: 'required' }] })
    expect((await askToBind(old, { password: 'not his at all' })).code).toBe(1_002_003_012)
    expect((await askToBind(old, { password })).code).toBe(200)
    expect((await askToBind(await fixture.tokenOf('sun', password))).code).toBe(200)
  })

  it('does not sign in a disabled user', async () => {
    const { id: userId } = await fixture.person('fired')
    provider.who.name = 'oidc-fired'
    expect((await bound(await fixture.tokenOf('fired', password))).code).toBe(200)
    await sql`update users set enabled = false where id = ${userId}`.execute(fixture.db)
    expect((await signIn()).code).toBe(1_002_000_001)
    expect((await fixture.logs()).at(-1)).toMatchObject({ method: 'SOCIAL', result: 'DISABLED' })
  })
})

describe('the answer of a provider', () => {
  it('is valid once', async () => {
    const begun = await begin()
    const { body } = await answerOf(begun)
    expect((await login(body, begun.cookie)).code).toBe(1_002_000_005)
    expect((await login(body, begun.cookie)).code).toBe(failed)
  })

  it('is valid only in the browser that began', async () => {
    const [mine, theirs] = [await begin(), await begin()]
    const { body } = await answerOf(mine)
    expect((await login(body, undefined)).code).toBe(failed)
    const { body: again } = await answerOf(await begin())
    expect((await login(again, theirs.cookie)).code).toBe(failed)
  })

  it('does not bind when requested for sign-in, and does not sign in when requested for binding', async () => {
    const signing = await begin()
    expect((await bind((await answerOf(signing)).body, signing.cookie)).code).toBe(failed)
    const binding = await begin(token)
    expect((await login((await answerOf(binding)).body, binding.cookie)).code).toBe(failed)
  })

  it('for one user binds nothing to another', async () => {
    await fixture.person('thief')
    const thief = await fixture.tokenOf('thief', password)
    const begun = await begin(token)
    expect((await bind((await answerOf(begun)).body, begun.cookie, thief)).code).toBe(failed)
  })

  it.each([
    ['a code of its own', { code: 'made-up' }],
    ['a state of its own', { state: 'police.made-up' }],
    ['another issuer', { iss: 'http://evil.test' }],
  ])('with %s is refused', async (_what, forged) => {
    const begun = await begin()
    const { body } = await answerOf(begun)
    expect((await login({ ...body, ...forged }, begun.cookie)).code).toBe(failed)
  })

  it('expires after ten minutes', async () => {
    const begun = await begin()
    const { body } = await answerOf(begun)
    await sql`update social_state set expires_at = now() - interval '1 second'`.execute(fixture.db)
    expect((await login(body, begun.cookie)).code).toBe(failed)
  })

  it('names the missing field, and binding is rejected without a session', async () => {
    expect((await login({ provider: 'police', code: 'x' }, undefined)).data).toMatchObject({
      errors: [{ field: 'state' }],
    })
    expect((await fixture.call('GET', '/system/user/profile/social-list')).code).toBe(401)
    expect((await fixture.call('POST', '/system/user/profile/social-bind', { body: {} })).code).toBe(401)
  })
})

it('stores neither state nor verifier nor client secret in the clear', async () => {
  const { url } = await begin()
  const state = new URL(url).searchParams.get('state') ?? ''
  const { rows } = await fixture.pool.query(`
    select to_jsonb(s)::text as row from social_state s union all select to_jsonb(c)::text from config c
    union all select encode(value, 'escape') from secret`)
  const text = rows.map(({ row }) => String(row)).join()
  expect(text).not.toContain(state)
  expect(text).not.toContain(CLIENT.secret)
})

it('deletes expired flows', async () => {
  await deleteExpiredStates(fixture.db)
  await begin()
  const count = async () => (await fixture.db.selectFrom('socialState').select('provider').execute()).length
  const before = await count()
  await deleteExpiredStates(fixture.db)
  expect(await count()).toBe(before)
  await sql`update social_state set expires_at = now() - interval '1 second'`.execute(fixture.db)
  await deleteExpiredStates(fixture.db)
  expect(await count()).toBe(0)
})
