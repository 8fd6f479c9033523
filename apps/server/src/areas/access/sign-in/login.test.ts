import { sql } from 'kysely'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { CAPTCHA, type Console, openConsole } from '../../../../test/console.ts'
import { cloneSeededDatabase, type TestDatabase } from '../../../../test/database.ts'
import { SEED_PASSWORD } from '../../../../test/seed-password.ts'
import { lockWaiters } from '../../../../test/lock-waiters.ts'
import { openPool } from '#db/db'
import { unscoped } from '#db/scope'
import { metrics } from '../../../metrics.ts'
import { encryptCaptcha } from './captcha.ts'
import { networkPrefix } from './login-throttle.ts'

const password = SEED_PASSWORD
const badLogin = 1_002_000_000
const slowDown = 1_002_000_013

let database: TestDatabase
let pool: pg.Pool
let site: Console

beforeAll(async () => {
  database = await cloneSeededDatabase()
  pool = openPool({ ...database.app, max: 4 }, 30)
  site = await openConsole(pool)
  await makeUser(site.db, { username: 'Wang.Li', password })
  await makeUser(site.db, { username: 'gone', password, enabled: false })
})
afterAll(async () => {
  await site.app.close()
  await pool.end()
  await database.drop()
})
beforeEach(async () => {
  site.waits.length = 0
  await site.db.deleteFrom('loginGuard').execute()
})

const lastLog = () =>
  unscoped(site.db, 'test').selectFrom('loginLog').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
const fail = async (times: number, ip: string, username = 'wang.li') => {
  for (let at = 0; at < times; at += 1) await site.signIn(username, 'wrong-password', { ip })
}

describe('the captcha', () => {
  const picture = async () => (await site.call('GET', '/api/v1/auth/captcha')).data
  const attempt = (captchaKey: unknown, captchaCode: unknown = CAPTCHA) =>
    site.call('POST', '/api/v1/auth/login', { body: { username: 'wang.li', password, captchaKey, captchaCode } })

  it('is a PNG of 120 by 40 pixels', async () => {
    const { captchaBase64 } = await picture()
    const [head, body = ''] = String(captchaBase64).split(',')
    expect(head).toBe('data:image/png;base64')
    expect(await sharp(Buffer.from(body, 'base64')).metadata()).toMatchObject({ format: 'png', width: 120, height: 40 })
  })

  it('accepts upper and lower case', async () => {
    expect((await attempt((await picture()).captchaKey, CAPTCHA.toLowerCase())).code).toBe(200)
  })

  it('cannot be used again after a successful sign-in', async () => {
    const { captchaKey } = await picture()
    await attempt(captchaKey)
    expect(await attempt(captchaKey)).toMatchObject({ code: 1_002_014_002, msg: '验证码已使用' })
  })

  it('cannot be used again after a wrong answer, even with the right one', async () => {
    const { captchaKey } = await picture()
    const message = '验证码不正确'
    expect(await attempt(captchaKey, 'WRONG')).toMatchObject({
      code: 1_002_000_004,
      msg: message,
      data: { errors: [{ field: 'captchaCode', message }] },
    })
    expect((await attempt(captchaKey)).code).toBe(1_002_014_002)
  })

  it('expires', async () => {
    const old = encryptCaptcha(site.keys.captcha, CAPTCHA, new Date(Date.now() - 1000))
    expect((await attempt(old)).code).toBe(1_002_014_001)
  })

  it('does not exist when its key was invented or changed', async () => {
    const { captchaKey } = await picture()
    const changed = `${String(captchaKey).slice(0, -4)}AAAA`
    expect(await attempt(changed)).toMatchObject({ code: 1_002_014_000, msg: '验证码不存在' })
    expect((await attempt('made-up')).code).toBe(1_002_014_000)
  })

  it('is required: a sign-in without it names the field', async () => {
    const { code, data } = await site.call('POST', '/api/v1/auth/login', { body: { username: 'wang.li', password } })
    expect(code).toBe(400)
    expect(data.errors).toMatchObject([{ field: 'captchaKey' }, { field: 'captchaCode' }])
  })

  it('is served thirty times a minute to one network', async () => {
    const ask = async () => (await site.call('GET', '/api/v1/auth/captcha', { ip: '192.0.2.7' })).code
    const answers = []
    // A slow machine refills some while it asks.
    while (answers.length < 200 && answers.at(-1) !== 429) answers.push(await ask())
    expect(answers.slice(0, 30).every((code) => code === 200)).toBe(true)
    expect(answers.at(-1)).toBe(429)
    expect((await site.call('GET', '/api/v1/auth/captcha', { ip: '192.0.3.7' })).code).toBe(200)
  })
})

describe('a sign-in', () => {
  it('returns tokens, ignores case and blanks of the name, and is logged', async () => {
    const { code, data } = await site.signIn(' WANG.LI ', password, { ip: '198.51.100.4' })
    expect(code).toBe(200)
    expect(data).toMatchObject({ tokenType: 'Bearer', mustChangePassword: false })
    expect(String(data.accessToken)).toMatch(/^[\w-]{43}$/)
    expect(await lastLog()).toMatchObject({ result: 'SUCCESS', username: 'Wang.Li', ip: '198.51.100.4' })
  })

  it('accepts the multipart form of the specification', async () => {
    const { data } = await site.call('GET', '/api/v1/auth/captcha')
    const form = new FormData()
    for (const [name, value] of Object.entries({
      username: 'wang.li',
      password,
      captchaKey: String(data.captchaKey),
      captchaCode: CAPTCHA,
    }))
      form.set(name, value)
    const request = new Request('http://x', { method: 'POST', body: form })
    const response = await site.app.inject({
      method: 'POST',
      url: '/admin-api/system/auth/login',
      headers: { 'content-type': request.headers.get('content-type') ?? '', 'tenant-id': '1' },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    expect(response.json()).toMatchObject({ code: 200, data: { tokenType: 'Bearer' } })
  })

  it('never trims a password', async () => {
    expect((await site.signIn('wang.li', ` ${password}`)).code).toBe(badLogin)
  })

  it.each([
    ['password_hash = null', 1_002_000_024],
    ['enabled = false', 1_002_000_001],
  ])('that was proven before %s opens nothing after it', async (change, code) => {
    const { id } = await makeUser(site.db, { username: `late.${code}`, password })
    const other = await pool.connect()
    try {
      await other.query('begin')
      await other.query('select from users where id = $1 for update', [id])
      const entered = site.signIn(`late.${code}`, password)
      await expect.poll(async () => (await pool.query(lockWaiters)).rowCount).toBe(1)
      await other.query(`update users set ${change} where id = $1`, [id])
      await other.query('commit')
      expect(await entered).toMatchObject({ code })
    } finally {
      other.release()
    }
    expect((await pool.query('select from session where user_id = $1', [id])).rowCount).toBe(0)
  })

  it('stores neither a token nor a password', async () => {
    const { data } = await site.signIn('wang.li', password)
    const dump = await pool.query(
      'select to_jsonb(t)::text as row from access_token t union all select to_jsonb(l)::text from login_log l',
    )
    const text = dump.rows.map(({ row }) => row).join()
    expect(text).not.toContain(String(data.accessToken))
    expect(text).not.toContain(password)
  })

  it.each([
    ['a wrong password', 'wang.li', 'other-password', 'BAD_PASSWORD'],
    ['an unknown name', 'nobody', password, 'UNKNOWN_USER'],
    ['a disabled account and its right password', 'gone', password, 'DISABLED'],
  ])('gives the same answer to %s, and only the log knows better', async (_what, username, given, result) => {
    const answer = await site.signIn(username, given)
    expect(answer).toMatchObject({ status: 200, code: badLogin, msg: '登录失败，账号密码不正确', data: null })
    expect((await lastLog()).result).toBe(result)
  })
})

describe('the cost of an attempt', () => {
  /** Counts the password hashes that a call caused. */
  const hashed = async (name: string, given: string, ip = '203.0.113.9') => {
    const count = async () => (await metrics.passwordHashes.get()).values[0]?.value ?? 0
    const before = await count()
    await site.signIn(name, given, { ip })
    return (await count()) - before
  }

  it.each([
    ['a wrong password', 'wang.li', 'wrong-password'],
    ['the right one', 'wang.li', password],
    ['a name that no account bears', 'nobody', password],
    ['the right password of a disabled account', 'gone', password],
    ['a wrong one of a disabled account', 'gone', 'wrong-password'],
  ])('one hash: %s', async (_what, name, given) => {
    expect(await hashed(name, given)).toBe(1)
  })

  it.each(['wang.li', 'nobody', 'gone'])('is the same where it is blocked: %s', async (name) => {
    await fail(5, '203.0.113.9', name)
    expect(await hashed(name, password)).toBe(1)
  })

  it('never takes the place of others, however many are blocked at that moment', async () => {
    await fail(5, '203.0.113.9')
    const blocked = Array.from({ length: 40 }, () => site.signIn('wang.li', password, { ip: '203.0.113.9' }))
    const own = await site.signIn('admin', SEED_PASSWORD, { ip: '198.51.100.4' })
    expect(own.code).toBe(200)
    expect((await Promise.all(blocked)).map(({ code }) => code)).toEqual(blocked.map(() => slowDown))
  })
})

describe('failures', () => {
  it('block account and network together after five failures, even for the right password', async () => {
    await fail(5, '203.0.113.5')
    const answer = await site.signIn('Wang.Li', password, { ip: '203.0.113.200' })
    expect(answer.code).toBe(slowDown)
    expect(answer.msg).toMatch(/请在 \d+ 秒后重试/)
    expect((await lastLog()).result).toBe('SLOWED')
  })

  it('block names without an account in the same way', async () => {
    await fail(5, '203.0.113.5', 'nobody')
    expect((await site.signIn('nobody', password, { ip: '203.0.113.5' })).code).toBe(slowDown)
  })

  it('do not affect other networks and other accounts', async () => {
    await fail(5, '203.0.113.5')
    expect((await site.signIn('wang.li', password, { ip: '203.0.114.5' })).code).toBe(200)
    expect((await site.signIn('admin', SEED_PASSWORD, { ip: '203.0.113.5' })).code).toBe(200)
  })

  it('count before the verification, so that concurrent attempts do not exceed the limit', async () => {
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => site.signIn('wang.li', 'wrong-password', { ip: '203.0.113.5' })),
    )
    expect(tries.filter(({ code }) => code === badLogin)).toHaveLength(5)
    expect(tries.filter(({ code }) => code === slowDown)).toHaveLength(3)
  })

  it('block longer each time, and expire after 15 minutes without a failure', async () => {
    const seconds = async () => {
      const { msg } = await site.signIn('wang.li', password, { ip: '203.0.113.5' })
      return Number(/(\d+) 秒/.exec(msg)?.[1])
    }
    const pass = (time: string) =>
      sql`update login_guard set blocked_until = blocked_until - ${time}::interval, last_at = last_at - ${time}::interval`.execute(
        site.db,
      )
    await fail(5, '203.0.113.5')
    const first = await seconds()
    await pass('1 minute')
    await fail(1, '203.0.113.5')
    expect(await seconds()).toBeGreaterThan(first)
    await pass('30 minutes')
    await fail(4, '203.0.113.5')
    expect((await site.signIn('wang.li', password, { ip: '203.0.113.5' })).code).toBe(200)
  })

  it('do not include frequent successful sign-ins', async () => {
    for (let at = 0; at < 15; at += 1) await site.signIn('wang.li', password)
    expect(site.waits).toEqual([])
  })

  it('from many networks only delay each further attempt, thirty seconds at most', async () => {
    for (let at = 0; at < 45; at += 1) await fail(1, `203.0.${at}.5`)
    expect((await site.signIn('wang.li', password, { ip: '198.51.100.4' })).code).toBe(200)
    expect(Math.max(...site.waits)).toBe(30)
    expect(site.waits[0]).toBe(1)
  })

  it('of one name delay only a limited number at a time, and no other name', async () => {
    for (const name of ['wang.li', 'nobody']) for (let at = 0; at < 10; at += 1) await fail(1, `203.0.${at}.5`, name)
    expect(site.waits).toEqual([])
    const { promise, resolve } = Promise.withResolvers<void>()
    site.holding.until = promise
    const answers: unknown[] = []
    const tries = Array.from({ length: 13 }, async (_, at) => {
      answers.push((await site.signIn('wang.li', 'wrong-password', { ip: `198.51.${at}.4` })).code)
    })
    await expect.poll(() => [site.waits.length, answers]).toEqual([10, [429, 429, 429]])
    const other = site.signIn('nobody', 'wrong-password', { ip: '198.51.100.4' })
    await expect.poll(() => site.waits.length).toBe(11)
    resolve()
    delete site.holding.until
    await Promise.all(tries)
    expect((await other).code).toBe(badLogin)
    expect(answers.slice(3)).toEqual(Array(10).fill(badLogin))
  })

  it('elsewhere do not block a browser that signed in before', async () => {
    const { cookie } = await site.signIn('wang.li', password, { ip: '203.0.113.5' })
    await fail(12, '203.0.113.5')
    site.waits.length = 0
    expect((await site.signIn('wang.li', password, { ip: '203.0.113.5' })).code).toBe(slowDown)
    expect((await site.signIn('wang.li', password, { ip: '203.0.113.5', cookie })).code).toBe(200)
    expect(site.waits).toEqual([])
  })

  it('from a trusted browser block that browser only, not its network', async () => {
    const { cookie } = await site.signIn('wang.li', password)
    for (let at = 0; at < 5; at += 1) await site.signIn('wang.li', 'wrong-password', { cookie })
    expect((await site.signIn('wang.li', password, { cookie })).code).toBe(slowDown)
    expect((await site.signIn('wang.li', password)).code).toBe(200)
  })

  it('ignore an invented cookie', async () => {
    await fail(5, '203.0.113.5')
    const answer = await site.signIn('wang.li', password, { ip: '203.0.113.5', cookie: 'browser=a~b~c' })
    expect(answer.code).toBe(slowDown)
  })

  it('never affect a running session', async () => {
    const token = await site.tokenOf('wang.li', password)
    await fail(6, '203.0.113.5')
    expect((await site.call('GET', '/system/auth/get-permission-info', { token })).code).toBe(200)
  })
})

describe('networkPrefix', () => {
  it.each([
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('takes %s as %s', (ip, network) => {
    expect(networkPrefix(ip)).toBe(network)
  })
})
