import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSignInFixture, type SignInFixture } from '../../../../../test/sign-in-fixture.ts'
import { deleteExpiredCodes } from './code.ts'

let fixture: SignInFixture
let id: number
const mobile = '13811110001'
const nobody = '13811110002'

beforeAll(async () => {
  fixture = await openSignInFixture()
  await fixture.openChannels()
  ;({ id } = await fixture.person('wang', { mobile, email: 'Wang@school.test' }))
  await fixture.person('gone', { mobile: '13811110003', enabled: false })
})
afterAll(() => fixture.close())
beforeEach(() => fixture.forgetTries())

const codeFor = async (contact: string, scene: string): Promise<string> => {
  await fixture.forgetTries()
  expect((await fixture.ask(contact, scene)).code).toBe(200)
  await fixture.deliver()
  return fixture.received(contact).at(-1) ?? ''
}
const signIn = (number: string, code: string, ip?: string) =>
  fixture.call('POST', '/system/auth/sms-login', { body: { mobile: number, code }, ...(ip && { ip }) })
const wrongCode = 1_002_014_006
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('asking for a code', () => {
  it('gives the same answer for a user, a disabled user and an unknown contact, and sends only to the user', async () => {
    const answers = []
    for (const contact of [mobile, '13811110003', nobody]) answers.push(await fixture.ask(contact, 'LOGIN'))
    for (const contact of ['wang@school.test', 'nobody@school.test']) answers.push(await fixture.ask(contact, 'RESET'))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    await fixture.deliver()
    expect(fixture.received(mobile)).toHaveLength(1)
    expect(fixture.received('wang@school.test')).toHaveLength(1)
    expect([...fixture.received(nobody), ...fixture.received('13811110003')]).toEqual([])
    expect(fixture.received('nobody@school.test')).toEqual([])
  })

  it('runs the same statements for all three before it answers', async () => {
    const written = async (contact: string) => {
      await fixture.forgetTries()
      await fixture.db.deleteFrom('outbound').execute()
      await fixture.db.deleteFrom('verificationCode').execute()
      await fixture.ask(contact, 'LOGIN')
      const left = await fixture.db.selectFrom('outbound').select(sql<number>`length(payload)`.as('size')).execute()
      const codes = await fixture.db.selectFrom('verificationCode').select('tries').execute()
      return { left, codes }
    }
    expect(await written(nobody)).toEqual(await written(mobile))
    await fixture.db.deleteFrom('outbound').execute()
  })

  it('sends one code a minute and ten a day to a contact, and tells how long to wait', async () => {
    expect((await fixture.ask(nobody, 'LOGIN')).code).toBe(200)
    const again = await fixture.ask(nobody, 'RESET', '203.0.113.9')
    expect(again).toMatchObject({ code: 1_002_014_005 })
    expect(Number(/在 (\d+) 秒/.exec(again.msg)?.[1])).toBeGreaterThan(20)
    const later = () =>
      sql`update login_guard set blocked_until = blocked_until - interval '1 minute' where key like 'code-again%'`.execute(
        fixture.db,
      )
    for (let at = 0; at < 9; at += 1) {
      await later()
      expect((await fixture.ask(nobody, 'LOGIN', `203.0.${at}.9`)).code).toBe(200)
    }
    await later()
    expect((await fixture.ask(nobody, 'LOGIN', '192.0.2.9')).code).toBe(1_002_014_004)
  })

  it('limits the codes of one network over all contacts', async () => {
    const codes = []
    for (let at = 10; at < 32; at += 1) codes.push((await fixture.ask(`138222200${at}`, 'LOGIN', '192.0.2.1')).code)
    expect(codes.filter((code) => code === 200)).toHaveLength(20)
    expect(codes.at(-1)).toBe(429)
  })

  it('audits each request with its address and the masked contact, for known and unknown contacts', async () => {
    for (const contact of ['13833300001', 'some.body@example.test'])
      expect((await fixture.ask(contact, 'RESET', '192.0.2.77')).code).toBe(200)
    const rows = fixture.all.selectFrom('auditLog').selectAll().where('action', '=', 'system:user:send-code')
    const found = await rows.where('ip', '=', '192.0.2.77').orderBy('id').execute()
    expect(found).toMatchObject([
      { userId: null, subjectId: null, after: { scene: 'RESET', contact: '138****0001' } },
      { userId: null, after: { scene: 'RESET', contact: 's***@example.test' } },
    ])
    expect(JSON.stringify(found)).not.toMatch(/13833300001|some\.body/)
  })

  it('requires a captcha that is answered correctly and used once', async () => {
    const picture = await fixture.picture()
    const body = { contact: nobody, contactType: 'MOBILE', scene: 'LOGIN' }
    const ask = (more: object) => fixture.call('POST', '/system/auth/send-sms-code', { body: { ...body, ...more } })
    expect((await ask({})).data).toMatchObject({ errors: [{ field: 'captchaKey' }, { field: 'captchaCode' }] })
    expect((await ask({ ...picture, captchaCode: 'WRONG' })).code).toBe(1_002_000_004)
    expect((await ask(picture)).code).toBe(1_002_014_002)
  })

  it.each([
    ['contact', 'nobody', 'MOBILE', 'LOGIN'],
    ['contact', 'a@b', 'EMAIL', 'RESET'],
    ['contactType', 'a@b.cn', 'EMAIL', 'LOGIN'],
    ['scene', mobile, 'MOBILE', 'BIND'],
  ])('names the field %s when it is invalid', async (field, contact, contactType, scene) => {
    const body = { contact, contactType, scene, ...(await fixture.picture()) }
    const answer = await fixture.call('POST', '/system/auth/send-sms-code', { body })
    expect(answer.data).toMatchObject({ errors: [{ field }] })
  })

  it('is rejected when no channel is configured', async () => {
    await fixture.set('sms.provider', '')
    expect((await fixture.ask(mobile, 'LOGIN')).code).toBe(1_002_014_010)
    await fixture.openChannels()
  })
})

describe('a code', () => {
  it('signs in once by its number, logs the method and sets the browser cookie', async () => {
    const code = await codeFor(mobile, 'LOGIN')
    const answer = await signIn(mobile, code)
    expect(answer).toMatchObject({ code: 200, data: { tokenType: 'Bearer', userId: id } })
    expect(answer.cookie).toMatch(/^browser=/)
    expect((await fixture.logs()).at(-1)).toMatchObject({ type: 'LOGIN', method: 'SMS', result: 'SUCCESS', userId: id })
    expect((await signIn(mobile, code)).code).toBe(wrongCode)
    expect((await fixture.logs()).at(-1)).toMatchObject({ method: 'SMS', result: 'BAD_CODE' })
  })

  it('replaces the code before it', async () => {
    const first = await codeFor(mobile, 'LOGIN')
    const second = await codeFor(mobile, 'LOGIN')
    if (first !== second) expect((await signIn(mobile, first)).code).toBe(wrongCode)
    expect((await signIn(mobile, second)).code).toBe(200)
  })

  it('expires after five minutes and after five wrong tries', async () => {
    const late = await codeFor(mobile, 'LOGIN')
    await sql`update verification_code set expires_at = expires_at - interval '5 minutes'`.execute(fixture.db)
    expect((await signIn(mobile, late)).code).toBe(wrongCode)
    const code = await codeFor(mobile, 'LOGIN')
    for (let at = 0; at < 5; at += 1) await signIn(mobile, other(code), `203.0.${at}.1`)
    expect((await signIn(mobile, code, '192.0.2.77')).code).toBe(wrongCode)
  })

  it('counts tries at the same moment against the limit', async () => {
    const code = await codeFor(mobile, 'LOGIN')
    const guesses = Array.from({ length: 20 }, (_, at) => String((Number(code) + 1 + at) % 1_000_000).padStart(6, '0'))
    await Promise.all(guesses.map((guess, at) => signIn(mobile, guess, `203.0.${at}.1`)))
    expect(
      (await fixture.db.selectFrom('verificationCode').select('tries').execute()).map(({ tries }) => tries),
    ).toContain(5)
    expect((await signIn(mobile, code, '192.0.2.78')).code).toBe(wrongCode)
  })

  it('is accepted only for its purpose and its contact', async () => {
    const reset = await codeFor(mobile, 'RESET')
    expect((await signIn(mobile, reset)).code).toBe(wrongCode)
    const login = await codeFor(mobile, 'LOGIN')
    expect((await signIn(nobody, login)).code).toBe(wrongCode)
  })

  it('is stored as a hash, as are contacts', async () => {
    const code = await codeFor(mobile, 'LOGIN')
    const dump = await fixture.pool.query(`
      select to_jsonb(t)::text as row from verification_code t union all select to_jsonb(g)::text from login_guard g
      union all select to_jsonb(o)::text from outbound o`)
    const text = dump.rows.map(({ row }) => String(row)).join()
    expect(text).not.toContain(mobile)
    expect(text).not.toContain(code)
  })

  it('blocks a number after five tries, and masks it in the log', async () => {
    for (let at = 0; at < 5; at += 1) await signIn(nobody, '000000')
    expect((await signIn(nobody, '000000')).code).toBe(1_002_000_013)
    expect((await fixture.logs()).at(-1)).toMatchObject({ result: 'SLOWED', username: '138****0002' })
  })
})

describe('a forgotten password', () => {
  const reset = (contact: string, code: string, password: string) =>
    fixture.call('POST', '/system/auth/reset-password', {
      body: { contact, contactType: contact.includes('@') ? 'EMAIL' : 'MOBILE', code, password },
    })

  it('is replaced when the contact is proven, ends all sessions and is audited', async () => {
    const before = await fixture.tokenOf('wang', 'Maple-river-42')
    const code = await codeFor('wang@school.test', 'RESET')
    expect((await reset('Wang@School.test', code, 'Brook-field-77')).code).toBe(200)
    expect((await fixture.signIn('wang', 'Brook-field-77')).code).toBe(200)
    expect((await fixture.signIn('wang', 'Maple-river-42')).code).toBe(1_002_000_000)
    expect(await fixture.call('GET', '/system/auth/get-permission-info', { token: before })).toMatchObject({
      status: 401,
      code: 'A0230',
    })
    expect(await fixture.audits('users', id)).toContain('system:user:forgotten-password')
  })

  it('is replaced through the field names of the specification, only for the named user', async () => {
    const smsCode = await codeFor(mobile, 'RESET')
    const form = { mobile, smsCode, password: 'Fifth-field-77', confirmPassword: 'Fifth-field-77' }
    const send = (more: object) => fixture.call('POST', '/system/auth/reset-password', { body: { ...form, ...more } })
    expect((await send({ confirmPassword: 'x' })).data).toMatchObject({ errors: [{ field: 'confirmPassword' }] })
    expect((await send({ smsCode: undefined })).data).toMatchObject({ errors: [{ field: 'code' }] })
    expect((await send({ userName: 'WANG' })).code).toBe(200)
    const next = { smsCode: await codeFor(mobile, 'RESET'), userName: 'somebody' }
    expect((await send(next)).code).toBe(wrongCode)
  })

  it('gives the same error for a wrong code, a disabled account and an unknown contact', async () => {
    await codeFor(mobile, 'RESET')
    const answers = []
    for (const contact of [mobile, '13811110003', nobody, 'nobody@school.test'])
      answers.push(await reset(contact, '000000', 'Other-field-77'))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ code: wrongCode })
  })

  it('rejects a weak password before the code is used', async () => {
    const code = await codeFor(mobile, 'RESET')
    expect((await reset(mobile, code, 'woaini1314')).code).toBe(1_002_003_010)
    expect((await reset(mobile, code, 'Third-field-77')).code).toBe(200)
  })
})

describe('deleteExpiredCodes', () => {
  it('deletes expired and used codes, and keeps valid ones', async () => {
    await deleteExpiredCodes(fixture.db)
    const kept = await codeFor(mobile, 'LOGIN')
    await codeFor(nobody, 'LOGIN')
    const table = () => fixture.db.selectFrom('verificationCode').select('keyHash').orderBy('expiresAt').execute()
    const before = (await table()).length
    await sql`
      update verification_code set expires_at = now() - interval '1 second'
      where ctid = (select ctid from verification_code order by expires_at desc limit 1)`.execute(fixture.db)
    const [used, late, open] = [
      await fixture.person('act.used'),
      await fixture.person('act.late'),
      await fixture.person('act.open'),
    ]
    const hours = (more: number) => new Date(Date.now() + more * 3_600_000)
    const codeHash = Buffer.alloc(32)
    await fixture.db
      .insertInto('activationCode')
      .values([
        { userId: used.id, codeHash, expiresAt: hours(1), usedAt: hours(0) },
        { userId: late.id, codeHash, expiresAt: hours(-1) },
        { userId: open.id, codeHash, expiresAt: hours(1) },
      ])
      .execute()
    await deleteExpiredCodes(fixture.db)
    expect((await table()).length).toBe(before - 1)
    expect((await signIn(mobile, kept)).code).toBe(200)
    const left = await fixture.db.selectFrom('activationCode').select('userId').execute()
    expect(left).toEqual([{ userId: open.id }])
  })
})
