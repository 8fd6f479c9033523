import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { type Console, openConsole } from '../../../../test/console.ts'
import { cloneSeededDatabase, type TestDatabase } from '../../../../test/database.ts'
import { SEED_PASSWORD } from '../../../../test/seed-password.ts'
import { openPool } from '#db/db'
import { unscoped } from '#db/scope'

// DESIGN 3: X-Forwarded-For counts only from TOCSIN_TRUSTED_PROXIES; lockout and login log use the resulting address.

const password = SEED_PASSWORD
const [outer, inner] = ['192.0.2.10', '192.0.2.11']
const stranger = '198.51.100.9'
const badLogin = 1_002_000_000
const blocked = 1_002_000_013

let database: TestDatabase
let pool: pg.Pool
let site: Console
beforeAll(async () => {
  database = await cloneSeededDatabase()
  pool = openPool({ ...database.app, max: 4 }, 30)
  site = await openConsole(pool, undefined, { trustProxy: [`${outer}/31`] })
  await makeUser(site.db, { username: 'wang', password })
})
afterAll(async () => {
  await site.app.close()
  await pool.end()
  await database.drop()
})
beforeEach(() => site.db.deleteFrom('loginGuard').execute())

const lastIp = async () =>
  (
    await unscoped(site.db, 'test')
      .selectFrom('loginLog')
      .select('ip')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
  ).ip

it.each([
  ['of a proxy names the caller', outer, '203.0.113.7', '203.0.113.7'],
  ['of a proxy names a caller with IPv6', outer, '2001:db8::7', '2001:db8::7'],
  ['of a stranger names nobody', stranger, '203.0.113.7', stranger],
  ['of a stranger who names a proxy names nobody', stranger, `203.0.113.7, ${outer}`, stranger],
  ['through two proxies names the caller', outer, `203.0.113.7, ${inner}`, '203.0.113.7'],
  ['that the caller began himself counts from the proxy on', outer, '10.0.0.1, 203.0.113.7', '203.0.113.7'],
  ['of a proxy that hides the caller is the proxy', outer, inner, inner],
  ['that is no address is the proxy', outer, 'unknown', outer],
  ['that ends in no address is the proxy', outer, '203.0.113.7, _hidden', outer],
  ['with a port is the proxy', outer, '203.0.113.7:4711', outer],
  ['that is long and no address is the proxy', outer, 'x'.repeat(3000), outer],
  ['that is empty is the proxy', outer, '', outer],
])('a header %s: the login log has it', async (_what, ip, forwarded, expected) => {
  expect((await site.signIn('wang', password, { ip, forwarded })).code).toBe(200)
  expect(await lastIp()).toBe(expected)
})

it('a lockout applies to the caller behind a proxy and not to others behind it', async () => {
  const from = (forwarded: string, given = 'wrong-password') => site.signIn('wang', given, { ip: outer, forwarded })
  for (let at = 0; at < 5; at += 1) expect((await from(`203.0.113.${at}`)).code).toBe(badLogin)
  expect((await from('203.0.113.200', password)).code).toBe(blocked)
  expect((await from('203.0.114.1', password)).code).toBe(200)
})

it('a caller cannot escape it by sending another address each time', async () => {
  const from = (forwarded: string, given = 'wrong-password') => site.signIn('wang', given, { ip: stranger, forwarded })
  for (let at = 0; at < 5; at += 1) await from(`203.0.${at}.7`)
  expect((await from('203.0.99.7', password)).code).toBe(blocked)
})
