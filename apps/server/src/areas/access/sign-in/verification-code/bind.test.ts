import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { activationHash } from './activation.ts'
import { password, openSignInFixture, type SignInFixture } from '../../../../../test/sign-in-fixture.ts'

let fixture: SignInFixture
let id: number
let token: string

beforeAll(async () => {
  fixture = await openSignInFixture()
  await fixture.openChannels()
  ;({ id } = await fixture.person('wang', { mobile: '13811110001' }))
  await fixture.person('li', { mobile: '13811110009', email: 'li@school.test' })
  token = await fixture.tokenOf('wang', password)
})
afterAll(() => fixture.close())
beforeEach(() => fixture.forgetTries())

const query = (contact: string) =>
  `contact=${encodeURIComponent(contact)}&contactType=${contact.includes('@') ? 'EMAIL' : 'MOBILE'}`
const codeFor = async (contact: string, path = '/api/v1/users/send-verification-code') => {
  expect((await fixture.call('GET', `${path}?${query(contact)}`, { token })).code).toBe(200)
  await fixture.deliver()
  return fixture.received(contact).at(-1) ?? ''
}

describe('binding a contact', () => {
  it('binds a contact by the code that was sent to it, through the paths of the specification', async () => {
    const code = await codeFor('13922220001')
    const answer = await fixture.call('PUT', '/api/v1/users/mobile', { token, body: { mobile: '13922220001', code } })
    expect(answer).toMatchObject({ code: 200 })
    const user = await fixture.all.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(user).toMatchObject({ mobile: '13922220001', version: 2 })
    expect(await fixture.audits('users', id)).toEqual(['system:user:send-code', 'system:user:bind-mobile'])
  })

  it('binds an e-mail address by the canonical path, and sends the code by POST', async () => {
    const item = await fixture.call('POST', `/api/v1/users/send-verification-code?${query('wang@new.test')}`, { token })
    expect(item.code).toBe(200)
    await fixture.deliver()
    const code = fixture.received('wang@new.test').at(-1)
    const body = { email: 'Wang@New.test', code }
    expect((await fixture.call('PUT', '/system/user/profile/update-email', { token, body })).code).toBe(200)
    expect((await fixture.call('GET', '/profile/get', { token })).data).toMatchObject({ email: 'wang@new.test' })
  })

  it('rejects the code of another user and a wrong code, and limits the tries', async () => {
    const other = await fixture.tokenOf('li', password)
    const code = await codeFor('13922220002')
    const bind = (as: string, given: string) =>
      fixture.call('PUT', '/api/v1/users/mobile', { token: as, body: { mobile: '13922220002', code: given } })
    expect((await bind(other, code)).code).toBe(1_002_014_006)
    for (let at = 0; at < 5; at += 1) await bind(token, code === '000000' ? '000001' : '000000')
    expect((await bind(token, code)).code).toBe(1_002_000_013)
  })

  it('requires the password when the sign-in is old or came from another browser', async () => {
    const bind = async (as: string, body: object = {}) => {
      await fixture.forgetTries()
      await fixture.db.deleteFrom('verificationCode').execute()
      await fixture.call('GET', `/api/v1/users/send-verification-code?${query('13922220077')}`, { token: as })
      await fixture.deliver()
      const code = fixture.received('13922220077').at(-1)
      return fixture.call('PUT', '/api/v1/users/mobile', { token: as, body: { mobile: '13922220077', code, ...body } })
    }
    await fixture.person('zhao')
    const old = await fixture.tokenOf('zhao', password)
    await fixture.db
      .updateTable('session')
      .set({ provedAt: sql`now() - interval '11 minutes'` })
      .where('id', '=', sql<number>`(select max(id) from session)`)
      .execute()
    const { data: shown } = await fixture.call('POST', '/system/auth/qr-ticket')
    const { ticket, verifier } = shown
    for (const step of ['qr-scan', 'qr-confirm'])
      await fixture.call('POST', `/system/auth/${step}`, { token: old, body: { ticket } })
    const state = await fixture.call('GET', `/system/auth/qr-state?ticket=${ticket}&verifier=${verifier}`)
    const { accessToken } = state.data['signedIn'] as unknown as { accessToken: string }
    for (const as of [old, accessToken])
      expect((await bind(as)).data).toMatchObject({ errors: [{ field: 'password', rule: 'required' }] })
    expect((await bind(old, { password: 'not his at all' })).code).toBe(1_002_003_012)
    expect((await bind(old, { password })).code).toBe(200)
    expect((await bind(old)).code).toBe(400)
    expect((await bind(await fixture.tokenOf('zhao', password))).code).toBe(200)
  })

  it('rejects a proven contact that belongs to another user', async () => {
    const code = await codeFor('13811110009')
    const answer = await fixture.call('PUT', '/api/v1/users/mobile', { token, body: { mobile: '13811110009', code } })
    expect(answer).toMatchObject({ code: 1_002_003_001, msg: '手机号已经存在' })
  })

  it('requires a session, and names the field of an invalid contact', async () => {
    expect((await fixture.call('GET', `/api/v1/users/send-verification-code?${query('13922220003')}`)).code).toBe(401)
    const wrong = await fixture.call('GET', `/api/v1/users/send-verification-code?${query('1392222')}`, { token })
    expect(wrong.data).toMatchObject({ errors: [{ field: 'contact' }] })
    const none = await fixture.call('PUT', '/api/v1/users/mobile', {
      token,
      body: { mobile: '13922220003', code: '12' },
    })
    expect(none.data).toMatchObject({ errors: [{ field: 'code' }] })
  })

  it('rejects a new contact in the profile form while codes can be sent', async () => {
    const update = (body: object) => fixture.call('PUT', '/profile/update', { token, body })
    expect((await update({ mobile: '13922220004' })).code).toBe(1_002_003_054)
    expect((await update({ email: 'else@new.test' })).code).toBe(1_002_003_054)
    expect((await update({ mobile: '13922220001', sex: 1 })).code).toBe(200)
    expect((await update({ email: null })).code).toBe(200)
    // The user screen rejects it as well when users edit their own account there.
    const admin = await fixture.tokenOf('admin', password)
    const self = Number((await fixture.call('GET', '/profile/get', { token: admin })).data.id)
    const other = await fixture.call('PUT', '/system/user/update', {
      token: admin,
      body: { id, mobile: '13922220005' },
    })
    expect(other.code).toBe(200)
    const own = await fixture.call('PUT', '/system/user/update', {
      token: admin,
      body: { id: self, mobile: '13922220006' },
    })
    expect(own.code).toBe(1_002_003_054)
    await fixture.set('sms.provider', '')
    expect((await update({ mobile: '13922220004' })).code).toBe(200)
    await fixture.openChannels()
  })
})

describe('either contact, in every spelling', () => {
  const wrong = (code: string) => (code === '000000' ? '000001' : '000000')
  const contacts = { mobile: ['13933330001', '13933330002'], email: ['one@bound.test', 'two@bound.test'] } as const
  const bases = ['/api/v1/users/', '/system/user/profile/update-', '/profile/update-']
  const ways = (['mobile', 'email'] as const).flatMap((field) =>
    bases.map((base) => [`${base}${field}`, field] as const),
  )
  const stored = () => fixture.all.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  it.each(ways)(
    'PUT %s accepts a valid code once, and rejects a wrong one and that of another contact',
    async (path, field) => {
      const bind = (value: string, code: unknown) =>
        fixture.call('PUT', path, { token, body: { [field]: value, code } })
      const [first, second] = contacts[field]
      const before = await stored()
      const code = await codeFor(first)
      expect(await bind(first, wrong(code))).toMatchObject({ code: 1_002_014_006, msg: '验证码错误或已失效' })
      expect((await bind(second, code)).code).toBe(1_002_014_006)
      expect(await stored()).toEqual(before)
      expect(await bind(first, code)).toMatchObject({ code: 200, data: true })
      expect(await stored()).toMatchObject({ [field]: first, version: before.version + 1 })
      expect((await fixture.audits('users', id)).at(-1)).toBe(`system:user:bind-${field}`)
      expect((await bind(first, code)).code).toBe(1_002_014_006)
    },
  )

  it.each(ways)('PUT %s names each field that has no valid contact or code', async (path, field) => {
    const before = await stored()
    const [good] = contacts[field]
    const named = async (body: object) => {
      const { data } = await fixture.call('PUT', path, { token, body })
      return [...new Set((data['errors'] as unknown as { field: string }[]).map((error) => error.field))]
    }
    for (const value of [
      undefined,
      null,
      7,
      '',
      'nonsense',
      '138****0001',
      'o***@bound.test',
      `${'a'.repeat(50)}@b.test`,
    ])
      expect(await named({ [field]: value, code: '123456' })).toEqual([field])
    for (const code of [undefined, null, 123456, '12345', '1234567', 'abcdef', '１２３４５６'])
      expect(await named({ [field]: good, code })).toEqual(['code'])
    expect(await named({})).toEqual([field, 'code'])
    expect(await named({ [field]: good, code: '123456', userId: 1 })).toEqual(['userId'])
    expect((await fixture.call('PUT', path, { body: { [field]: good, code: '123456' } })).code).toBe(401)
    expect(await stored()).toEqual(before)
  })

  it('rejects the address of another user in any letter case', async () => {
    const code = await codeFor('LI@school.test'.toLowerCase())
    const body = { email: 'LI@school.test', code }
    expect(await fixture.call('PUT', '/api/v1/users/email', { token, body })).toMatchObject({
      code: 1_002_003_002,
      msg: '邮箱已经存在',
    })
  })
})

describe('asking for a code to bind', () => {
  const path = '/api/v1/users/send-verification-code'
  const ask = (at: number, as = token, method: 'GET' | 'POST' = 'GET') => {
    const contact = at % 2 === 0 ? `139444400${10 + at}` : `asked${at}@bound.test`
    return fixture.call(method, `${path}?${query(contact)}`, { token: as, ip: `203.0.${at}.9` })
  }

  it('sends at most 20 codes a day for one user, over all contacts, networks and paths', async () => {
    const answers = []
    for (let at = 0; at < 21; at += 1) answers.push((await ask(at, token, at % 3 === 0 ? 'POST' : 'GET')).code)
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 200), 429])
    const codes = () => fixture.db.selectFrom('verificationCode').select('keyHash').execute()
    const before = (await codes()).length
    const again = await fixture.tokenOf('wang', password)
    expect(await ask(30, again)).toMatchObject({ code: 429, msg: '请求过于频繁，请稍后重试' })
    expect(await codes()).toHaveLength(before)
    expect((await ask(30, await fixture.tokenOf('li', password))).code).toBe(200)
    // The limit of 20 a day allows one more call every 72 minutes.
    await sql`update login_guard set blocked_until = blocked_until - interval '72 minutes' where key like 'code-user%'`.execute(
      fixture.db,
    )
    expect([(await ask(31)).code, (await ask(32)).code]).toEqual([200, 429])
  })

  it('forbids caching of the response, after success and after an error', async () => {
    const headers = async (contact: string, as: string) => {
      const response = await fixture.app.inject({
        url: `/admin-api${path}?${query(contact)}`,
        headers: { authorization: `Bearer ${as}` },
      })
      return [response.json<{ code: number | string }>().code, response.headers['cache-control']]
    }
    expect(await headers('13955550001', token)).toEqual([200, 'no-store'])
    expect(await headers('13955550001', token)).toEqual([1_002_014_005, 'no-store'])
    expect(await headers('1395555', token)).toEqual([400, 'no-store'])
    expect(await headers('13955550002', 'nobody')).toEqual([401, 'no-store'])
  })
})

describe('an activation code', () => {
  const code = '0123-4567-89AB-CDEF'
  const give = async (userId: number) => {
    await fixture.all.updateTable('users').set({ passwordHash: null }).where('id', '=', userId).execute()
    await fixture.db.deleteFrom('activationCode').where('userId', '=', userId).execute()
    await fixture.db
      .insertInto('activationCode')
      .values({
        userId,
        codeHash: activationHash(code),
        expiresAt: new Date(Date.now() + 60_000),
      })
      .execute()
  }
  const activate = (username: string, given: string, chosen = 'Brook-field-77') =>
    fixture.call('POST', '/system/auth/activate', { body: { username, code: given, password: chosen } })

  it('sets the first password and signs in once', async () => {
    const { id: userId } = await fixture.person('newcomer', { mustChangePassword: true })
    await give(userId)
    expect(await activate('Newcomer', 'o123 4567 89ab cdef')).toMatchObject({
      code: 200,
      data: { userId, mustChangePassword: false },
    })
    expect((await fixture.logs()).at(-1)).toMatchObject({ method: 'ACTIVATION', result: 'SUCCESS' })
    expect((await fixture.signIn('newcomer', 'Brook-field-77')).code).toBe(200)
    expect((await activate('newcomer', code, 'Other-field-77')).code).toBe(1_002_000_050)
    expect(await fixture.audits('users', userId)).toEqual(['system:user:activate'])
  })

  it('is rejected when the user has set a password by another way', async () => {
    const { id: userId } = await fixture.person('owner', { mobile: '13811110021' })
    await give(userId)
    await fixture.ask('13811110021', 'RESET')
    await fixture.deliver()
    const sent = fixture.received('13811110021').at(-1)
    const body = { contact: '13811110021', contactType: 'MOBILE', code: sent, password: 'Brook-field-78' }
    expect((await fixture.call('POST', '/system/auth/reset-password', { body })).code).toBe(200)
    expect((await activate('owner', code, 'Other-field-77')).code).toBe(1_002_000_050)
    expect((await fixture.signIn('owner', 'Brook-field-78')).code).toBe(200)
  })

  it('gives the same error for a wrong code, an expired code, a disabled account and an unknown user', async () => {
    const { id: userId } = await fixture.person('late')
    await give(userId)
    const { id: disabled } = await fixture.person('off', { enabled: false })
    await give(disabled)
    const answers = [await activate('late', 'wrong'), await activate('nobody', code), await activate('off', code)]
    await sql`update activation_code set expires_at = now() - interval '1 second'`.execute(fixture.db)
    answers.push(await activate('late', code))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ code: 1_002_000_050 })
    expect((await fixture.logs()).slice(-4).map(({ result }) => result)).toEqual([
      'BAD_CODE',
      'UNKNOWN_USER',
      'DISABLED',
      'BAD_CODE',
    ])
  })

  it('limits the tries, and rejects a weak password', async () => {
    for (let at = 0; at < 5; at += 1) await activate('late', 'wrong')
    expect((await activate('late', code)).code).toBe(1_002_000_013)
    expect((await activate('someone', code, 'woaini1314')).code).toBe(1_002_003_010)
  })
})
