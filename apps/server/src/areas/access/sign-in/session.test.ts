import { sql } from 'kysely'
import { Socket } from 'node:net'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeUser } from '../../../../seed/fixtures.ts'
import { type Console, openConsole } from '../../../../test/console.ts'
import { cloneSeededDatabase, type TestDatabase } from '../../../../test/database.ts'
import { SEED_PASSWORD } from '../../../../test/seed-password.ts'
import { somebodyWaits } from '../../../../test/lock-waiters.ts'
import { openPool } from '#db/db'
import { unscoped } from '#db/scope'
import { route } from '#http/route'
import { invalidateSessionCache } from '#http/session-auth'
import { openLog } from '../../../log.ts'
import { auditHash } from '#areas/audit/audit'
import { endSession, deleteExpiredSessions } from './session.ts'

const password = SEED_PASSWORD
const infoPath = '/system/auth/get-permission-info'
const guarded = {
  method: 'GET',
  path: '/test/guarded',
  kind: 'json',
  permission: 'warn:rule:create',
  scope: 'none',
  summary: '测试',
  summaryEn: 'Test',
  data: z.literal('inside'),
} as const

let database: TestDatabase
let pool: pg.Pool
let site: Console

beforeAll(async () => {
  database = await cloneSeededDatabase()
  pool = openPool({ ...database.app, max: 6 }, 30)
  site = await openConsole(pool, () => [route(guarded, async () => 'inside' as const)])
  await makeUser(site.db, { username: 'wang', password, roles: ['guard'] })
})
afterAll(async () => {
  await site.app.close()
  await pool.end()
  await database.drop()
})
beforeEach(async () => {
  await site.db.deleteFrom('loginGuard').execute()
  await sql`delete from event`.execute(site.db)
})

type Pair = { accessToken: string; refreshToken: string; sessionId: number }
const signIn = async (username = 'wang', given = password): Promise<Pair> => {
  const { data } = await site.signIn(username, given)
  const { id } = await site.db.selectFrom('session').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  return { accessToken: String(data.accessToken), refreshToken: String(data.refreshToken), sessionId: id }
}
const refresh = (token: string) => site.call('POST', `/system/auth/refresh-token?refreshToken=${token}`)
const info = (token: string) => site.call('GET', infoPath, { token })
const pass = (time: string) => sql`update refresh_token set used_at = used_at - ${time}::interval`.execute(site.db)
const endReason = async ({ sessionId }: Pair) =>
  (await site.db.selectFrom('session').select('endReason').where('id', '=', sessionId).executeTakeFirstOrThrow())
    .endReason
const over = { code: 401, msg: '刷新令牌已过期', status: 200 }
const killed = { status: 401, code: 'A0230' }

describe('a refresh', () => {
  it('returns a new pair, and both access tokens are valid until they expire', async () => {
    const first = await signIn()
    const { code, data } = await refresh(first.refreshToken)
    expect(code).toBe(200)
    expect(data.refreshToken).not.toBe(first.refreshToken)
    expect(data.expiresTime).toBeGreaterThan(Date.now() + 25 * 60_000)
    expect((await info(String(data.accessToken))).code).toBe(200)
    expect((await info(first.accessToken)).code).toBe(200)
  })

  it('returns the same pair to another tab that presents the same token', async () => {
    const { refreshToken } = await signIn()
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => refresh(refreshToken)))
    expect(first?.code).toBe(200)
    expect(second?.data).toEqual(first?.data)
    expect(third?.data).toEqual(first?.data)
    await pass('9 seconds')
    expect((await refresh(refreshToken)).data).toEqual(first?.data)
  })

  it('ends the session when the token comes again after ten seconds', async () => {
    const first = await signIn()
    const next = (await refresh(first.refreshToken)).data
    await pass('11 seconds')
    expect(await refresh(first.refreshToken)).toMatchObject(over)
    expect(await endReason(first)).toBe('REUSED')
    expect(await info(String(next.accessToken))).toMatchObject(killed)
    expect(await info(first.accessToken)).toMatchObject(killed)
    expect(await refresh(String(next.refreshToken))).toMatchObject(over)
  })

  it('ends the session when the token comes again from another browser or network', async () => {
    const elsewhere = [{ headers: { 'user-agent': 'another browser' } }, { remoteAddress: '198.51.100.7' }]
    for (const from of elsewhere) {
      const first = await signIn()
      expect((await refresh(first.refreshToken)).code).toBe(200)
      const url = '/admin-api/system/auth/refresh-token'
      const again = await site.app.inject({
        method: 'POST',
        url,
        payload: { refreshToken: first.refreshToken },
        ...from,
      })
      expect(again.json()).toMatchObject({ code: over.code, msg: over.msg })
      expect(await endReason(first)).toBe('REUSED')
    }
  })

  it('takes the token in the body, and names it when it is absent', async () => {
    const { refreshToken } = await signIn()
    const path = '/system/auth/refresh-token'
    expect((await site.call('POST', path, { body: { refreshToken } })).code).toBe(200)
    expect((await site.call('POST', path, { body: {} })).data).toMatchObject({ errors: [{ field: 'refreshToken' }] })
  })

  it('ends the oldest session of a user who has too many', async () => {
    await makeUser(site.db, { username: 'crowded', password, roles: ['guard'] })
    const sessions: Pair[] = []
    for (let count = 0; count < 21; count += 1) sessions.push(await signIn('crowded'))
    const [oldest, second] = sessions as [Pair, Pair]
    expect(await endReason(oldest)).toBe('LIMIT')
    expect(await endReason(second)).toBe(null)
    expect(await info(oldest.accessToken)).toMatchObject({ ...killed, data: { reason: 'LIMIT' } })
  })

  it('ends the session when a token is used again after its successor was used', async () => {
    const first = await signIn()
    const next = (await refresh(first.refreshToken)).data
    const last = (await refresh(String(next.refreshToken))).data
    expect(await refresh(first.refreshToken)).toMatchObject(over)
    expect(await endReason(first)).toBe('REUSED')
    for (const token of [first.accessToken, next.accessToken, last.accessToken])
      expect(await info(String(token))).toMatchObject(killed)
    const logs = unscoped(site.db, 'test').selectFrom('auditLog').select('action')
    expect(await logs.where('subjectId', '=', first.sessionId).execute()).toEqual([{ action: 'system:session:reuse' }])
  })

  it('audits a reuse with a hash that recomputes, and informs the screens', async () => {
    const first = await signIn()
    await refresh(first.refreshToken)
    await pass('11 seconds')
    await refresh(first.refreshToken)
    const {
      id: _id,
      hash,
      ...row
    } = await unscoped(site.db, 'test')
      .selectFrom('auditLog')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ action: 'system:session:reuse', subjectId: first.sessionId, username: 'wang' })
    expect(auditHash(row)).toEqual(hash)
    const events = await site.db.selectFrom('event').select(['type', 'ref', 'userId']).execute()
    expect(events).toMatchObject([{ type: 'session.ended', ref: first.sessionId, userId: row.userId }])
  })

  it('does not end other sessions of the same user', async () => {
    const robbed = await signIn()
    const other = await signIn()
    await refresh(robbed.refreshToken)
    await pass('11 seconds')
    await refresh(robbed.refreshToken)
    expect((await info(other.accessToken)).code).toBe(200)
  })

  it('rejects a token that was never issued', async () => {
    expect(await refresh('made-up')).toMatchObject({ status: 200, code: 400, msg: '无效的刷新令牌' })
    expect((await site.call('POST', '/system/auth/refresh-token')).data).toMatchObject({
      errors: [{ field: 'refreshToken' }],
    })
  })

  it.each(['idle_expires_at', 'expires_at'])('is too late after %s', async (column) => {
    const first = await signIn()
    await sql`update session set ${sql.ref(column)} = now() - interval '1 second' where id = ${first.sessionId}`.execute(
      site.db,
    )
    invalidateSessionCache('all')
    expect(await refresh(first.refreshToken)).toMatchObject(over)
    expect(await endReason(first)).toBe('EXPIRED')
    expect(await info(first.accessToken)).toMatchObject({ status: 200, code: 401 })
  })
})

describe('a bearer', () => {
  it('that is absent, invented or expired is told to refresh', async () => {
    expect(await site.call('GET', infoPath)).toMatchObject({ status: 200, code: 401, msg: '账号未登录' })
    expect(await info('made-up')).toMatchObject({ status: 200, code: 401 })
    const { accessToken, sessionId } = await signIn()
    await sql`update access_token set expires_at = now() where session_id = ${sessionId}`.execute(site.db)
    expect(await info(accessToken)).toMatchObject({ status: 200, code: 401 })
  })

  it.each(['KICKED', 'PASSWORD', 'DISABLED', 'REUSED'] as const)(
    'of a session ended by %s is told so, and why',
    async (reason) => {
      const { accessToken, sessionId } = await signIn()
      await endSession(site.db, [sessionId], reason)
      invalidateSessionCache({ sessionId })
      expect(await info(accessToken)).toMatchObject({ ...killed, msg: '您的会话已过期，请重新登录', data: { reason } })
    },
  )

  it('of an account disabled meanwhile learns so', async () => {
    const { id } = await makeUser(site.db, { username: 'leaving', password })
    const token = await site.tokenOf('leaving', password)
    await unscoped(site.db, 'test').updateTable('users').set({ enabled: false }).where('id', '=', id).execute()
    expect(await info(token)).toMatchObject({ ...killed, data: { reason: 'DISABLED' } })
    const headers = { authorization: `Bearer ${token}` }
    const answer = await site.app.inject({ url: `/admin-api${infoPath}`, headers })
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([401, 'no-store'])
  })

  it('is read again only after the cache dropped it', async () => {
    const { accessToken, sessionId } = await signIn()
    expect((await info(accessToken)).code).toBe(200)
    await endSession(site.db, [sessionId], 'KICKED')
    invalidateSessionCache({ sessionId: sessionId + 1 })
    expect((await info(accessToken)).code).toBe(200)
    invalidateSessionCache({ sessionId })
    expect((await info(accessToken)).code).toBe('A0230')
  })

  it('is rejected without the permission', async () => {
    expect(await site.call('GET', '/test/guarded', { token: (await signIn()).accessToken })).toMatchObject({
      status: 200,
      code: 403,
    })
    const admin = await signIn('admin', SEED_PASSWORD)
    expect(await site.call('GET', '/test/guarded', { token: admin.accessToken })).toMatchObject({ data: 'inside' })
  })

  it('of a locked session is rejected', async () => {
    const { accessToken, sessionId } = await signIn()
    await site.db.updateTable('session').set({ lockedAt: sql`now()` }).where('id', '=', sessionId).execute()
    expect((await info(accessToken)).code).toBe(1_002_000_021)
  })
})

describe('signing out', () => {
  it.each([
    ['POST', '/system/auth/logout'],
    ['DELETE', '/api/v1/auth/logout'],
  ] as const)('by %s %s ends the session quietly, refresh included', async (method, path) => {
    const first = await signIn()
    expect(await site.call(method, path, { token: first.accessToken })).toMatchObject({ code: 200, data: true })
    expect(await endReason(first)).toBe('LOGOUT')
    expect(await info(first.accessToken)).toMatchObject({ status: 200, code: 401 })
    expect(await refresh(first.refreshToken)).toMatchObject(over)
  })

  it('succeeds without a token, with an invalid one, and when repeated', async () => {
    const { accessToken } = await signIn()
    await site.call('POST', '/system/auth/logout', { token: accessToken })
    for (const token of [accessToken, 'made-up'])
      expect(await site.call('POST', '/system/auth/logout', { token })).toMatchObject({ code: 200, data: true })
    expect((await site.call('POST', '/system/auth/logout')).code).toBe(200)
  })
})

describe('changing the password', () => {
  const change = (token: string, oldPassword: string, newPassword: string, path = '/profile/update-password') =>
    site.call('PUT', path, { token, body: { oldPassword, newPassword } })

  it('is the only call of an account that must change it; then all calls open', async () => {
    await makeUser(site.db, { username: 'fresh', password, mustChangePassword: true, roles: ['guard'] })
    const { data } = await site.signIn('fresh', password)
    const token = String(data.accessToken)
    expect(data.mustChangePassword).toBe(true)
    expect(await info(token)).toMatchObject({ status: 200, code: 1_002_000_012 })
    expect((await change(token, password, 'Brook-field-77', '/system/user/profile/update-password')).code).toBe(200)
    expect((await info(token)).code).toBe(200)
    expect((await site.signIn('fresh', 'Brook-field-77')).data.mustChangePassword).toBe(false)
  })

  it('ends the other sessions of the account, not this one, and is audited without the password', async () => {
    const { id } = await makeUser(site.db, { username: 'many', password })
    const [here, there] = [await signIn('many'), await signIn('many')]
    expect((await change(here.accessToken, password, 'Brook-field-77')).code).toBe(200)
    expect(await info(there.accessToken)).toMatchObject(killed)
    expect((await info(here.accessToken)).code).toBe(200)
    expect((await site.signIn('many', password)).code).toBe(1_002_000_000)
    const row = await unscoped(site.db, 'test')
      .selectFrom('auditLog')
      .selectAll()
      .where('subject', '=', 'users')
      .where('subjectId', '=', id)
      .execute()
    expect(row).toMatchObject([{ action: 'system:user:change-password', userId: id, sessionId: here.sessionId }])
    expect(JSON.stringify(row)).not.toContain('Brook-field-77')
  })

  it('does not undo a password that another request sets at the same moment', async () => {
    const { id } = await makeUser(site.db, { username: 'taken.over', password })
    const { passwordHash } = await makeUser(site.db, { username: 'another', password: 'Brook-field-77' })
    const token = await site.tokenOf('taken.over', password)
    const late = await site.db.transaction().execute(async (trx) => {
      await unscoped(trx, 'test').updateTable('users').set({ passwordHash }).where('id', '=', id).execute()
      const result = change(token, password, 'Thiefs-own-88')
      await expect.poll(() => somebodyWaits(site.db), { timeout: 10_000 }).toBe(true)
      return { asked: result }
    })
    expect((await late.asked).code).toBe(1_002_003_005)
    expect((await site.signIn('taken.over', 'Brook-field-77')).code).toBe(200)
  })

  it.each([
    ['the wrong old one', 'other-password', 'Brook-field-77', 1_002_003_005],
    ['one of the most common', password, 'Woaini1314', 1_002_003_010],
    ['a run of characters', password, 'hijklmnopq', 1_002_003_010],
    ['the user name', password, 'PickyUser', 1_002_003_010],
    ['the old one', password, password, 1_002_003_011],
    ['one too short', password, 'Ab3-xyz', 400],
    ['one too long', password, 'x7-'.repeat(22), 400],
  ])('refuses %s', async (_what, oldPassword, newPassword, code) => {
    await unscoped(site.db, 'test').deleteFrom('users').where('username', '=', 'pickyuser').execute()
    await makeUser(site.db, { username: 'pickyuser', password })
    expect((await change(await site.tokenOf('pickyuser', password), oldPassword, newPassword)).code).toBe(code)
    expect((await site.signIn('pickyuser', password)).code).toBe(200)
  })

  it('limits guesses of the old password', async () => {
    await makeUser(site.db, { username: 'guessed', password })
    const token = await site.tokenOf('guessed', password)
    for (let at = 0; at < 5; at += 1) await change(token, `guess-${at}`, 'Brook-field-77')
    expect((await change(token, password, 'Brook-field-77')).code).toBe(1_002_000_013)
  })
})

it('is postponed, and ends no session, while the database is unreachable', async () => {
  const { refreshToken } = await signIn()
  class Nowhere extends Socket {
    override connect() {
      return this.destroy(Object.assign(new Error('connect EHOSTUNREACH'), { code: 'EHOSTUNREACH' }))
    }
  }
  const cut = openPool({ ...database.app, max: 1, stream: () => new Nowhere() }, 30)
  const away = await openConsole(cut)
  const answer = await away.call('POST', `/system/auth/refresh-token?refreshToken=${refreshToken}`)
  expect(answer).toMatchObject({ status: 503, code: 503 })
  expect((await refresh(refreshToken)).code).toBe(200)
  await away.app.close()
  await cut.end()
})

it('leaves no token of a query in the log or the operation log', async () => {
  const lines: string[] = []
  const log = openLog('trace', { write: (line) => void lines.push(line) })
  const logged = await openConsole(pool, () => [], { loggerInstance: log })
  const first = await signIn()
  const { refreshToken, accessToken } = first
  const path = `/system/auth/refresh-token?refreshToken=${refreshToken}`
  expect((await logged.call('POST', path)).code).toBe(200)
  await pass('11 seconds')
  expect(await logged.call('POST', path)).toMatchObject(over)
  expect(await endReason(first)).toBe('REUSED')
  // A field that does not exist, an unknown path, and an address that cannot be read, which has no "answered" line.
  for (const other of [path, '/nowhere?', '/%E0%A4%A?']) await logged.call('POST', `${other}&token=${accessToken}`)
  const { rows } = await pool.query(
    'select to_jsonb(audit_log) as row from audit_log union all select to_jsonb(login_log) from login_log',
  )
  expect(lines.filter((line) => line.includes('"answered"'))).toHaveLength(4)
  expect(JSON.stringify(rows)).toContain('/system/auth/refresh-token')
  const said = lines.join() + JSON.stringify(rows)
  for (const token of [refreshToken, accessToken]) expect(said).not.toContain(token)
  await logged.app.close()
})

describe('cleaning up', () => {
  it('removes what expired and keeps what still counts', async () => {
    const [ended, running] = [await signIn(), await signIn()]
    await endSession(site.db, [ended.sessionId], 'KICKED')
    await deleteExpiredSessions(site.db)
    expect(await endReason(ended)).toBe('KICKED')
    await sql`update session set ended_at = now() - interval '31 days' where id = ${ended.sessionId}`.execute(site.db)
    await sql`update captcha_use set expires_at = now() - interval '2 hours'`.execute(site.db)
    await site.signIn('wang', 'wrong-password')
    await deleteExpiredSessions(site.db)
    invalidateSessionCache('all')
    expect(await info(ended.accessToken)).toMatchObject({ status: 200, code: 401 })
    expect((await info(running.accessToken)).code).toBe(200)
    const left = async (table: 'captchaUse' | 'loginGuard') =>
      (await site.db.selectFrom(table).selectAll().execute()).length
    expect(await left('captchaUse')).toBe(1)
    expect(await left('loginGuard')).toBeGreaterThan(0)
    await sql`update login_guard set last_at = now() - interval '2 days', blocked_until = null`.execute(site.db)
    await deleteExpiredSessions(site.db)
    expect(await left('loginGuard')).toBe(0)
  })
})
