import { generate } from 'otplib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { encrypt } from '#db/encryption'
import { openSignInFixture, password, type SignInFixture } from '../../../../../test/sign-in-fixture.ts'

let fixture: SignInFixture
beforeAll(async () => {
  fixture = await openSignInFixture()
  await fixture.openChannels()
  // The clock of the codes stands still in the middle of a step: a code of the step before must not expire.
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 })
})
afterAll(async () => {
  vi.useRealTimers()
  await fixture.close()
})
beforeEach(() => fixture.forgetTries())

const own = '/system/user/profile'
const now = () => Math.floor(Date.now() / 1000)
/** The code of the authenticator, this many steps from now. */
const codeOf = (secret: string, steps = 0) => generate({ secret, epoch: now() + steps * 30 })

/** A user with an authenticator. */
const enrolled = async (username: string) => {
  const { id } = await fixture.person(username)
  const token = await fixture.tokenOf(username, password)
  const { data } = await fixture.call('POST', `${own}/enrol-second-factor`, { token, body: { password } })
  const secret = String(data.secret)
  // The first code is of the step before, so that a test may use the current one.
  const body = { code: await codeOf(secret, -1) }
  const confirmed = await fixture.call('POST', `${own}/confirm-second-factor`, { token, body })
  expect(confirmed.code).toBe(200)
  return { id, token, secret, uri: String(data.uri), recovery: confirmed.data['recoveryCodes'] as unknown as string[] }
}
const ticketOf = async (username: string) => {
  const answer = await fixture.signIn(username, password)
  expect(answer).toMatchObject({ code: 1_002_000_020, data: { ticket: expect.any(String) } })
  expect(answer.cookie).toBeUndefined()
  return String(answer.data.ticket)
}
const prove = (ticket: string, code: string) =>
  fixture.call('POST', '/system/auth/second-factor', { body: { ticket, code } })
const wrong = 1_002_000_023
const gone = 1_002_000_024

describe('an authenticator', () => {
  it('has no effect until its first code, and is then asked for at each sign-in', async () => {
    const { id } = await fixture.person('slow')
    const token = await fixture.tokenOf('slow', password)
    await fixture.call('POST', `${own}/enrol-second-factor`, { token, body: { password } })
    expect((await fixture.signIn('slow', password)).code).toBe(200)
    const bad = await fixture.call('POST', `${own}/confirm-second-factor`, { token, body: { code: '000000' } })
    expect(bad.code).toBe(wrong)
    expect((await fixture.call('GET', `${own}/second-factor`, { token })).data).toEqual({
      enabled: false,
      enabledAt: null,
      recoveryLeft: 0,
    })
    expect(await fixture.audits('users', id)).toEqual(['system:user:enrol-second-factor'])
  })

  it('has an address that authenticators read, and its secret is stored sealed', async () => {
    const { secret, uri, id, recovery } = await enrolled('sealed')
    expect(uri).toMatch(/^otpauth:\/\/totp\/Tocsin.*:sealed\?secret=/)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(recovery).toHaveLength(10)
    const dump = await fixture.pool.query(
      "select encode(secret, 'escape') as row from second_factor union all select encode(hash, 'escape') from recovery_code",
    )
    const text = dump.rows.map(({ row }) => String(row)).join()
    for (const hidden of [secret, ...recovery]) expect(text).not.toContain(hidden)
    expect(await fixture.audits('users', id)).toEqual([
      'system:user:enrol-second-factor',
      'system:user:enable-second-factor',
    ])
  })

  it('signs in by ticket and code; the log names the method', async () => {
    const { id, secret } = await enrolled('two-steps')
    const ticket = await ticketOf('two-steps')
    expect((await fixture.logs()).at(-1)).toMatchObject({ method: 'PASSWORD', result: 'SECOND_FACTOR', userId: id })
    const answer = await prove(ticket, await codeOf(secret))
    expect(answer).toMatchObject({ code: 200, data: { tokenType: 'Bearer', userId: id } })
    expect(answer.cookie).toMatch(/^browser=/)
    expect((await fixture.logs()).at(-1)).toMatchObject({ method: 'PASSWORD', result: 'SUCCESS', userId: id })
  })

  it('accepts each code once, and each ticket once', async () => {
    const { secret } = await enrolled('replay')
    const [first, second] = [await ticketOf('replay'), await ticketOf('replay')]
    const code = await codeOf(secret)
    expect((await prove(first, code)).code).toBe(200)
    expect((await prove(second, code)).code).toBe(wrong)
    expect((await prove(first, await codeOf(secret, 1))).code).toBe(gone)
    expect((await prove(second, await codeOf(secret, 1))).code).toBe(200)
  })

  it('creates one session for two concurrent requests with the same code', async () => {
    const { secret } = await enrolled('race')
    const tickets = [await ticketOf('race'), await ticketOf('race')]
    const code = await codeOf(secret)
    const codes = await Promise.all(tickets.map(async (ticket) => (await prove(ticket, code)).code))
    expect(codes.sort()).toEqual([200, wrong].sort())
  })

  it('limits wrong codes', async () => {
    const { secret } = await enrolled('guessed')
    const ticket = await ticketOf('guessed')
    for (let at = 0; at < 5; at += 1) expect((await prove(ticket, '000000')).code).toBe(wrong)
    expect((await prove(ticket, await codeOf(secret))).code).toBe(1_002_000_013)
    expect((await fixture.logs()).at(-1)).toMatchObject({ result: 'SLOWED' })
  })
})

describe('a ticket', () => {
  it('is rejected when invented, expired, or after its holder was disabled or changed the password', async () => {
    const { id, secret } = await enrolled('holder')
    expect((await prove('made-up', '123456')).code).toBe(gone)
    const content = { userId: id, method: 'PASSWORD', mark: '', nonce: 'x' }
    const late = encrypt(
      fixture.deps.keys.ticket,
      Buffer.from(JSON.stringify({ ...content, expires: Date.now() - 1000 })),
    )
    expect((await prove(late.toString('base64url'), '123456')).code).toBe(gone)
    const ticket = await ticketOf('holder')
    await sql`update users set password_hash = null where id = ${id}`.execute(fixture.db)
    expect((await prove(ticket, await codeOf(secret))).code).toBe(gone)
  })

  it('of a disabled account is rejected', async () => {
    const { id, secret } = await enrolled('disabled')
    const ticket = await ticketOf('disabled')
    await sql`update users set enabled = false where id = ${id}`.execute(fixture.db)
    expect((await prove(ticket, await codeOf(secret))).code).toBe(gone)
  })
})

describe('recovery codes', () => {
  it('are accepted once each, however they are typed', async () => {
    const { token, recovery } = await enrolled('lost')
    const [code = ''] = recovery
    expect((await prove(await ticketOf('lost'), code.replace('-', ' ').toUpperCase())).code).toBe(200)
    expect((await prove(await ticketOf('lost'), code)).code).toBe(wrong)
    expect((await fixture.call('GET', `${own}/second-factor`, { token })).data).toMatchObject({
      enabled: true,
      recoveryLeft: 9,
    })
  })

  it('of another user are rejected', async () => {
    const [mine] = [await enrolled('mine'), await enrolled('theirs')]
    expect((await prove(await ticketOf('theirs'), mine.recovery[0] ?? '')).code).toBe(wrong)
  })
})

describe('turning it off', () => {
  it('requires the password', async () => {
    const { token, id } = await enrolled('tired')
    const off = (given: string) =>
      fixture.call('POST', `${own}/disable-second-factor`, { token, body: { password: given } })
    expect((await off('wrong-password')).code).toBe(1_002_003_012)
    const again = await fixture.call('POST', `${own}/enrol-second-factor`, { token, body: { password } })
    expect(again.code).toBe(1_002_003_052)
    expect((await off(password)).code).toBe(200)
    expect((await off(password)).code).toBe(1_002_003_053)
    expect((await fixture.signIn('tired', password)).code).toBe(200)
    expect(await fixture.audits('users', id)).toContain('system:user:disable-second-factor')
  })

  it('of another user needs the permission, and ends the sessions', async () => {
    const { token, id } = await enrolled('phoneless')
    const reset = (as: string, body: object = { id }) =>
      fixture.call('POST', '/system/user/reset-second-factor', { token: as, body })
    expect((await reset(token)).code).toBe(403)
    const admin = await fixture.tokenOf('admin', password)
    expect((await reset(admin, { id: 999_999 })).code).toBe(1_002_003_003)
    expect((await reset(admin, { id: 'x' })).data).toMatchObject({ errors: [{ field: 'id' }] })
    expect((await reset(admin)).code).toBe(200)
    expect((await fixture.call('GET', '/profile/get', { token })).code).toBe('A0230')
    expect((await fixture.signIn('phoneless', password)).code).toBe(200)
    expect((await reset(admin)).code).toBe(1_002_003_053)
    expect(await fixture.audits('users', id)).toContain('system:user:reset-second-factor')
    const { data } = await fixture.call('GET', '/profile/get', { token: admin })
    expect((await reset(admin, { id: data.id })).code).toBe(1_002_003_020)
  })
})

it('is required after a sign-in by text message as well', async () => {
  const { id, secret } = await enrolled('mobile')
  await sql`update users set mobile = '13811110005' where id = ${id}`.execute(fixture.db)
  await fixture.ask('13811110005', 'LOGIN')
  await fixture.deliver()
  const body = { mobile: '13811110005', code: fixture.received('13811110005').at(-1) }
  const answer = await fixture.call('POST', '/system/auth/sms-login', { body })
  expect(answer.code).toBe(1_002_000_020)
  expect((await prove(String(answer.data.ticket), await codeOf(secret))).code).toBe(200)
  expect((await fixture.logs()).at(-1)).toMatchObject({ method: 'SMS', result: 'SUCCESS' })
})
