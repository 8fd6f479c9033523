import { sql } from 'kysely'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSignInFixture, password, type SignInFixture } from '../../../../../test/sign-in-fixture.ts'
import { useTransactionHooks } from '../../../../../test/transaction-hooks.ts'

let world: SignInFixture
let admin: string

useTransactionHooks()
beforeAll(async () => {
  world = await openSignInFixture()
  await world.openChannels()
  await world.set('register.dept-code', 'EDU')
  await world.set('register.enabled', 'true')
  admin = await world.tokenOf('admin', password)
  await world.person('taken', { mobile: '13811110001' })
})
afterAll(() => world.close())
beforeEach(() => world.forgetTries())

const codeFor = async (contact: string): Promise<string> => {
  await world.forgetTries()
  expect((await world.ask(contact, 'REGISTER')).code).toBe(200)
  await world.deliver()
  return world.received(contact).at(-1) ?? ''
}
const draft = { username: 'newcomer', password: 'Brook-field-77', agreed: true }
const register = (body: object) => world.call('POST', '/system/auth/register', { body: { ...draft, ...body } })
const userBy = (column: 'mobile' | 'email' | 'username', value: string) =>
  world.all.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst()
let numbers = 0
const freshNumber = () => `1391111${String((numbers += 1)).padStart(4, '0')}`
/** A pending applicant. */
const waiting = async (more: object = {}) => {
  const mobile = freshNumber()
  expect((await register({ mobile, smsCode: await codeFor(mobile), ...more })).code).toBe(200)
  const user = await userBy('mobile', mobile)
  if (!user) throw new Error('nobody was registered')
  return user
}

describe('an application', () => {
  it('creates a disabled, pending user in the configured department, without roles', async () => {
    const user = await waiting({ username: 'First.One', nickname: '王老师', email: 'else@school.test' })
    const dept = await world.db.selectFrom('dept').select('id').where('code', '=', 'EDU').executeTakeFirstOrThrow()
    expect(user).toMatchObject({
      username: 'First.One',
      nickname: '王老师',
      enabled: false,
      pending: true,
      email: null,
    })
    expect(user.deptId).toBe(dept.id)
    expect(user.remark).toBe('未验证的邮箱 / unproven e-mail: e***@school.test')
    expect(await world.db.selectFrom('userRole').selectAll().where('userId', '=', user.id).execute()).toEqual([])
    expect(await world.audits('users', user.id)).toEqual(['system:user:register'])
    const { after } = await world.all
      .selectFrom('auditLog')
      .select('after')
      .where('subjectId', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(after)).not.toContain('else@')
  })

  it('shows a mask for applications stored before addresses were masked', async () => {
    const user = await waiting({ username: 'before.that' })
    const write = (remark: string) => world.all.updateTable('users').set({ remark }).where('id', '=', user.id).execute()
    await write('未验证的邮箱 / unproven e-mail: first.last@school.test 已电话确认')
    const file = new URL('../../../../../migrations/0049_unproven_mail.sql', import.meta.url)
    await sql.raw(readFileSync(file, 'utf8')).execute(world.all)
    const { remark } = (await userBy('username', 'before.that')) ?? {}
    expect(remark).toBe('未验证的邮箱 / unproven e-mail: f***@school.test 已电话确认')
  })

  it('takes the field names of the specification, and rejects a second password that differs', async () => {
    const mobile = freshNumber()
    const form = { username: undefined, userName: 'spec.name', mobile, smsCode: await codeFor(mobile) }
    const errors = [{ field: 'confirmPassword', message: '两次输入密码不一致' }]
    expect((await register({ ...form, confirmPassword: 'Brook-field-78' })).data).toMatchObject({ errors })
    expect((await register({ ...form, userName: undefined })).data).toMatchObject({ errors: [{ field: 'username' }] })
    expect((await register({ ...form, confirmPassword: draft.password })).code).toBe(200)
    expect(await userBy('mobile', mobile)).toMatchObject({ username: 'spec.name' })
  })

  it('accepts an e-mail address where there is no number', async () => {
    const smsCode = await codeFor('new@school.test')
    expect((await register({ username: 'mailer', email: 'New@School.test', smsCode })).code).toBe(200)
    expect(await userBy('username', 'mailer')).toMatchObject({ email: 'new@school.test', mobile: null, pending: true })
  })

  it('answers the same whether or not the name is taken; the applicant then gets another one', async () => {
    const [free, taken] = [freshNumber(), freshNumber()]
    const first = await register({ username: 'nobody-yet', mobile: free, smsCode: await codeFor(free) })
    const second = await register({ username: 'TAKEN', mobile: taken, smsCode: await codeFor(taken) })
    expect(second).toEqual(first)
    expect((await userBy('mobile', taken))?.username).toMatch(/^TAKEN-\d{4}$/)
    expect((await userBy('username', 'taken'))?.mobile).toBe('13811110001')
  })

  it("answers the same for a number of a user and for a wrong code: the user's gets none", async () => {
    expect(await codeFor('13811110001')).toBe('')
    const mobile = freshNumber()
    await codeFor(mobile)
    const mine = await register({ mobile, smsCode: '000000' })
    expect(await register({ mobile: '13811110001', smsCode: '000000' })).toEqual(mine)
    expect(mine).toMatchObject({ code: 1_002_014_006 })
  })

  it('cannot sign in before approval, and says so only for the right password', async () => {
    const user = await waiting({ username: 'eager' })
    expect((await world.signIn('eager', draft.password)).code).toBe(1_002_000_006)
    expect((await world.logs()).at(-1)).toMatchObject({ result: 'PENDING', userId: user.id })
    expect((await world.signIn('eager', 'wrong-password')).code).toBe(1_002_000_000)
    expect(await codeForLogin(user.mobile ?? '')).toBeUndefined()
  })
  const codeForLogin = async (mobile: string) => {
    const before = world.received(mobile).length
    await world.forgetTries()
    await world.ask(mobile, 'LOGIN')
    await world.deliver()
    return world.received(mobile)[before]
  }

  it.each([
    ['agreed', { agreed: false }],
    ['mobile', { mobile: null }],
    ['username', { username: 'a b' }],
    ['password', { password: 'short' }],
    ['smsCode', { smsCode: '12' }],
    ['enabled', { enabled: true }],
  ])('names the field %s when it is wrong', async (field, more) => {
    const answer = await register({ mobile: '13911119999', smsCode: '123456', ...more })
    expect(answer.data).toMatchObject({ errors: [{ field }] })
  })

  it('rejects a weak password before the code is used', async () => {
    const mobile = freshNumber()
    const smsCode = await codeFor(mobile)
    expect((await register({ mobile, smsCode, password: 'woaini1314' })).code).toBe(1_002_003_010)
    expect((await register({ username: 'strong', mobile, smsCode })).code).toBe(200)
  })

  it('is rejected while registration is off, or has no department or no way to verify a contact', async () => {
    const body = { mobile: '13911119998', smsCode: '123456' }
    const closed = async (
      key: 'register.enabled' | 'register.dept-code' | 'sms.provider',
      value: string,
      open: string,
    ) => {
      await world.set(key, value)
      const codes = [(await register(body)).code, (await world.ask('13911119998', 'REGISTER')).code]
      await world.set(key, open)
      return codes
    }
    const off = 1_002_000_030
    expect(await closed('register.enabled', 'false', 'true')).toEqual([off, off])
    expect(await closed('register.dept-code', 'NOWHERE', 'EDU')).toEqual([off, off])
    await world.set('mail.from', '')
    expect(await closed('sms.provider', '', 'console')).toEqual([off, off])
    await world.openChannels()
  })

  it('informs those who may approve it and see its department', async () => {
    // Any number of earlier users elsewhere must not keep the approvers from being informed.
    const { deptId: far = 0 } = (await userBy('username', 'admin')) ?? {}
    const crowd = await world.all
      .insertInto('users')
      .values(Array.from({ length: 60 }, (_, n) => ({ username: `far${n}`, nickname: 'far', deptId: far })))
      .returning('id')
      .execute()
    const { id: local } = await world.person('local', { deptId: (await waiting()).deptId })
    const role = await world.db
      .insertInto('role')
      .values({ code: 'approver', name: 'approver' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: elsewhere } = await world.person('elsewhere')
    await world.db
      .insertInto('userRole')
      .values([...crowd.map(({ id }) => id), local, elsewhere].map((userId) => ({ userId, roleId: role.id })))
      .execute()
    await world.db
      .insertInto('roleMenu')
      .columns(['roleId', 'menuId'])
      .expression((eb) =>
        eb
          .selectFrom('menu')
          .select((menu) => [menu.val(role.id).as('roleId'), 'menu.id as menuId'])
          .where('permission', '=', 'system:user:approve'),
      )
      .execute()
    await world.db.deleteFrom('event').execute()
    const { username } = await waiting({ username: 'announced' })
    const events = await world.db.selectFrom('event').select('userId').where('type', '=', 'notice.published').execute()
    const boss = await userBy('username', 'admin')
    expect(events.map(({ userId }) => userId).sort()).toEqual([boss?.id, local].sort())
    const notice = await world.all.selectFrom('notice').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
    expect(notice).toMatchObject({ state: 'PUBLISHED', target: 'USER', title: '新用户等待审核' })
    expect(notice?.content).toContain(username)
  })
})

describe('approving an application', () => {
  const act = (verb: 'approve' | 'reject', body: object, token = admin) =>
    world.call('POST', `/system/user/${verb}`, { token, body })

  it('finds pending users in the list of users, and enables the account', async () => {
    const user = await waiting({ username: 'patient' })
    const { data } = await world.call('GET', '/system/user/page?pending=true', { token: admin })
    expect((data['list'] as unknown as { username: string; pending: boolean }[])[0]).toMatchObject({
      username: 'patient',
      pending: true,
    })
    expect((await act('approve', { id: user.id, version: user.version + 1 })).code).toBe(409)
    expect((await act('approve', { id: user.id, version: user.version })).code).toBe(200)
    expect(await userBy('username', 'patient')).toMatchObject({ enabled: true, pending: false })
    expect((await world.signIn('patient', draft.password)).code).toBe(200)
    expect((await act('approve', { id: user.id })).code).toBe(1_002_003_051)
    expect(await world.audits('users', user.id)).toEqual(['system:user:register', 'system:user:approve'])
  })

  it('writes to the given address, with the assigned name', async () => {
    const smsCode = await codeFor('third@school.test')
    await register({ username: 'taken', email: 'third@school.test', smsCode })
    const user = await userBy('email', 'third@school.test')
    await act('approve', { id: user?.id })
    world.mailbox.mails.length = 0
    await world.deliver()
    const [mail] = world.mailbox.mails
    expect(mail?.to).toEqual(['third@school.test'])
    // A short Chinese text is sent as base64.
    const body = Buffer.from(mail?.raw.split('\r\n\r\n')[1] ?? '', 'base64').toString()
    expect(`${body}${mail?.raw}`).toContain(user?.username ?? 'nobody')
  })

  it('writes to the given number by the template of applications, when there is one', async () => {
    const texts = (to: string | null) =>
      world.lines.filter((line) => line.includes(`${to}: code`) && line.endsWith('过'))
    const silent = await waiting({ username: 'no.template' })
    await act('approve', { id: silent.id })
    await world.set('sms.template-application', 'SMS_2')
    const [welcome, unwelcome] = [await waiting({ username: 'texted' }), await waiting({ username: 'refused' })]
    await act('approve', { id: welcome.id })
    await act('reject', { id: unwelcome.id })
    await world.deliver()
    expect(texts(silent.mobile)).toEqual([])
    expect(texts(welcome.mobile)).toEqual([expect.stringContaining('已通过')])
    expect(texts(unwelcome.mobile)).toEqual([expect.stringContaining('未通过')])
    await world.set('sms.template-application', '')
  })

  it('deletes a rejected applicant; the audit keeps the row', async () => {
    const user = await waiting({ username: 'unwanted' })
    expect((await act('reject', { id: user.id })).code).toBe(200)
    expect(await userBy('username', 'unwanted')).toBeUndefined()
    expect(await world.audits('users', user.id)).toEqual(['system:user:register', 'system:user:reject'])
  })

  it('is rejected without the permission, for an invisible user, and for one who is not pending', async () => {
    const user = await waiting({ username: 'contested' })
    await world.person('clerk')
    const clerk = await world.tokenOf('clerk', password)
    expect((await act('approve', { id: user.id }, clerk)).code).toBe(403)
    const elsewhere = await world.tokenOf('elsewhere', password)
    expect((await act('approve', { id: user.id }, elsewhere)).code).toBe(1_002_003_003)
    expect((await act('reject', { id: user.id }, elsewhere)).code).toBe(1_002_003_003)
    expect((await act('approve', { id: 999_999 })).code).toBe(1_002_003_003)
    const somebody = await userBy('username', 'taken')
    expect((await act('reject', { id: somebody?.id })).code).toBe(1_002_003_051)
    expect((await act('approve', { id: 'x' })).data).toMatchObject({ errors: [{ field: 'id' }] })
  })

  it('is the only way: the switch of the list does not enable a pending user', async () => {
    const user = await waiting({ username: 'switched' })
    const body = { id: user.id, status: 0 }
    expect((await world.call('PUT', '/update-status', { token: admin, body })).code).toBe(1_002_003_050)
  })
})
