import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { unscoped } from '#db/scope'
import { openSignInFixture, password, type SignInFixture } from '../../../../../test/sign-in-fixture.ts'

let fixture: SignInFixture
let token: string
let refreshToken: string

beforeAll(async () => {
  fixture = await openSignInFixture()
  await fixture.person('wang')
})
afterAll(() => fixture.close())
beforeEach(async () => {
  await fixture.forgetTries()
  const { data } = await fixture.signIn('wang', password)
  token = String(data.accessToken)
  refreshToken = String(data.refreshToken)
})

const lock = (body: object = {}, as = token) => fixture.call('POST', '/system/auth/lock', { token: as, body })
const unlock = (given: string, as = token) =>
  fixture.call('POST', '/system/auth/unlock', { token: as, body: { password: given } })
const info = (as = token) => fixture.call('GET', '/system/auth/get-permission-info', { token: as })
const locked = 1_002_000_021
const wrong = 1_002_000_022

describe('a locked session', () => {
  it('may only unlock, refresh and sign out', async () => {
    expect((await lock()).code).toBe(200)
    for (const [method, path] of [
      ['GET', '/system/auth/get-permission-info'],
      ['GET', '/profile/get'],
      ['PUT', '/profile/update'],
      ['POST', '/system/auth/lock'],
      ['POST', '/system/auth/qr-confirm'],
      ['PUT', '/profile/update-password'],
    ] as const)
      expect(await fixture.call(method, path, { token, body: method === 'GET' ? undefined : {} })).toMatchObject({
        code: locked,
      })
    const refreshed = await fixture.call('POST', `/system/auth/refresh-token?refreshToken=${refreshToken}`)
    expect(refreshed.code).toBe(200)
    const next = String(refreshed.data.accessToken)
    expect((await info(next)).code).toBe(locked)
    expect((await fixture.call('POST', '/system/auth/logout', { token: next })).code).toBe(200)
    expect((await unlock(password, next)).code).toBe(401)
  })

  it('is unlocked by the password of the account, and audited', async () => {
    await lock()
    expect(await unlock('wrong-password')).toMatchObject({ code: wrong, msg: '锁屏密码错误' })
    expect((await info()).code).toBe(locked)
    expect((await unlock(password)).code).toBe(200)
    expect((await info()).code).toBe(200)
    const [session] = await fixture.db.selectFrom('session').selectAll().orderBy('id', 'desc').limit(1).execute()
    expect(session).toMatchObject({ lockedAt: null, lockHash: null })
    expect(await fixture.audits('session', session?.id ?? 0)).toEqual(['system:session:lock', 'system:session:unlock'])
  })

  it('is unlocked already when its row says so', async () => {
    await unlock(password)
    await lock()
    await unlock(password)
    const states = await unscoped(fixture.db, 'tests look at every row')
      .selectFrom('auditLog')
      .select(['before', 'after'])
      .where('subject', '=', 'session')
      .orderBy('id', 'desc')
      .limit(3)
      .execute()
    const [open, locked] = [{ locked: false }, { locked: true }]
    expect(states.reverse()).toEqual([
      { before: open, after: open },
      { before: open, after: locked },
      { before: locked, after: open },
    ])
  })

  it('is unlocked by its own password, which is removed with the lock', async () => {
    await lock({ password: '2468' })
    const [kept] = await fixture.db.selectFrom('session').select('lockHash').orderBy('id', 'desc').limit(1).execute()
    expect(kept?.lockHash).toMatch(/^\$argon2id\$/)
    expect((await unlock('2468')).code).toBe(200)
    await lock()
    expect((await unlock('2468')).code).toBe(wrong)
    expect((await unlock(password)).code).toBe(200)
    await lock({ password: '2468' })
    expect((await unlock(password)).code).toBe(200)
  })

  it('leaves the other sessions of the account unlocked', async () => {
    const other = await fixture.tokenOf('wang', password)
    await lock()
    expect((await info(other)).code).toBe(200)
    expect((await unlock(password, other)).code).toBe(200)
    expect((await info()).code).toBe(locked)
  })

  it('limits wrong passwords, counted together with the old password of the profile', async () => {
    await lock()
    for (let at = 0; at < 5; at += 1) expect((await unlock(`guess-${at}`)).code).toBe(wrong)
    expect((await unlock(password)).code).toBe(1_002_000_013)
    const other = await fixture.tokenOf('wang', password)
    const body = { oldPassword: password, newPassword: 'Brook-field-77' }
    const changed = await fixture.call('PUT', '/profile/update-password', { token: other, body })
    expect(changed.code).toBe(1_002_000_013)
  })

  it('tells its sockets on every node', async () => {
    await fixture.db.deleteFrom('event').execute()
    await lock()
    await unlock(password)
    const events = await fixture.db.selectFrom('event').select(['type', 'userId']).execute()
    expect(events).toHaveLength(2)
    for (const event of events) expect(event.type).toBe('permission.changed')
  })
})

it('names the field when the password is missing, and rejects a caller without a session', async () => {
  expect((await fixture.call('POST', '/system/auth/unlock', { token, body: {} })).data).toMatchObject({
    errors: [{ field: 'password' }],
  })
  expect((await fixture.call('POST', '/system/auth/lock', { body: {} })).code).toBe(401)
  expect((await lock({ password: null })).code).toBe(200)
})
