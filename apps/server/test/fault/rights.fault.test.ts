import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createNode, type ServerNode } from '../../../../tools/fault/node.ts'
import { databaseUrl, newMasterKey, createTempDir } from '../../../../tools/fault/fault-setup.ts'
import { type Access, openAccess } from '../../../../tools/fault/fault-devices.ts'
import { makeDept, makeUser } from '../../seed/fixtures.ts'
import { hashPassword } from '../../src/areas/access/sign-in/password/password.ts'
import { openSession } from '../../src/areas/access/sign-in/session.ts'
import { emitEvents } from '../../src/db/event.ts'
import { cloneDatabase, type TestDatabase } from '../database.ts'
import { openLivePage, type LivePage } from '../live-page.ts'
import { assertNoUncaughtErrors } from './fault-server.ts'

// Two server processes on one database: a change on one applies on the other within five seconds, to calls and to open
// sockets (issue Administration, live permissions).

const LIMIT_MS = 5000
const { folder, drop } = createTempDir()
let database: TestDatabase
let access: Access
let here: ServerNode
let there: ServerNode
let admin = ''
let count = 0

let roleId: number
let deptId: number
let userId: number
let sessionId: number
let token = ''
let page: LivePage

type Answer = { code: number | string; data: unknown }
const call = async (node: ServerNode, bearer: string, sent: string, body?: object): Promise<Answer> => {
  const [method = '', path = ''] = sent.split(' ')
  const response = await fetch(`${node.http}/admin-api${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as Answer
}
/** Runs on the administrator's node; the user is on the other node. */
const change = async (method: string, path: string, body?: object) =>
  expect(await call(here, admin, `${method} ${path}`, body)).toMatchObject({ code: 200 })
const codeThere = async (path = '/system/dept/list') => (await call(there, token, `GET ${path}`)).code

const signedIn = (id: number) => openSession(access.db, id, { ip: '127.0.0.1', userAgent: 'test', traceId: '' })
const menuId = async (permission: string) => {
  const found = await access.db.selectFrom('menu').select('id').where('permission', '=', permission).execute()
  return found[0]?.id ?? 0
}

beforeAll(async () => {
  database = await cloneDatabase()
  const settings = {
    DATABASE_URL: databaseUrl(database.owner),
    TOCSIN_MASTER_KEY: newMasterKey().toString('base64'),
  }
  here = await createNode({ dataDir: join(folder, 'here'), settings })
  there = await createNode({ dataDir: join(folder, 'there'), settings })
  await here.start()
  await there.start()
  access = openAccess(database.owner)
  const { rows } = await access.pool.query<{ id: number }>(`select id from users where username = 'admin'`)
  await access.pool.query('update users set must_change_password = false')
  admin = (await signedIn(rows[0]?.id ?? 0)).accessToken
})
afterAll(async () => {
  await access?.pool.end()
  for (const node of [here, there]) if (node?.running()) await node.stop()
  await database?.drop()
  drop()
  assertNoUncaughtErrors([here, there])
})

/** A user who may list departments and sees the own one and those below, with a page open on the other node. */
beforeEach(async () => {
  // The last message of a closed page is all there is to check.
  for (const node of [here, there]) expect(node.running() || node.output()).toBe(true)
  count += 1
  deptId = (await makeDept(access.db, { name: `科${count}` })).id
  const role = await access.db
    .insertInto('role')
    .values({ code: `r${count}`, name: `r${count}`, dataScope: 'DEPT_AND_CHILD' })
    .returning('id')
    .executeTakeFirstOrThrow()
  roleId = role.id
  await access.db
    .insertInto('roleMenu')
    .values({ roleId, menuId: await menuId('system:dept:query') })
    .execute()
  userId = (await makeUser(access.db, { username: `u${count}`, deptId, roles: [`r${count}`] })).id
  const session = await signedIn(userId)
  token = session.accessToken
  const found = await access.db.selectFrom('session').select('id').where('userId', '=', userId).execute()
  sessionId = found[0]?.id ?? 0
  page = await openLivePage({ port: Number(new URL(there.http).port) })
  page.say({ type: 'auth', token })
  await page.until(({ type }) => type === 'ready')
  // Cached there by now, so that the old permissions would be used.
  expect(await codeThere()).toBe(200)
  return () => page.ws.terminate()
})

/** How long the other node kept the old behaviour. */
const until = async (denied: () => Promise<boolean> | boolean): Promise<number> => {
  const began = performance.now()
  while (!(await denied())) {
    if (performance.now() - began > LIMIT_MS) throw new Error(`still as before after ${LIMIT_MS} ms`)
    await pause(50)
  }
  return performance.now() - began
}

type Change = [what: string, method: string, path: () => string, body: () => object | undefined]

const closed = async () => {
  const ended = await Promise.race([page.ended, pause(LIMIT_MS, 'open')])
  expect(ended).not.toBe('open')
}

const ending: Change[] = [
  ['disabling a user', 'PUT', () => '/system/user/update-status', () => ({ id: userId, status: 1 })],
  ['kicking him', 'DELETE', () => `/system/online-session/delete?id=${sessionId}`, () => undefined],
  [
    'giving him another password',
    'PUT',
    () => '/system/user/update-password',
    () => ({ id: userId, password: 'Other-river-43' }),
  ],
  ['deleting him', 'DELETE', () => `/system/user/delete?id=${userId}`, () => undefined],
]
test.each(ending)("%s ends the user's calls and socket on the other node", async (_what, method, path, body) => {
  await change(method, path(), body())
  const ms = await until(async () => (await codeThere()) !== 200)
  expect(ms).toBeLessThan(LIMIT_MS)
  // The user is told that the session ended, and not asked to refresh; for a deleted user nothing is known.
  expect(['A0230', 401]).toContain(await codeThere())
  await closed()
})

test("ends the user's other sessions on the other node when the user sets a new password", async () => {
  const words = { oldPassword: 'Maple-river-42', newPassword: 'Other-river-43' }
  const passwordHash = await hashPassword(words.oldPassword)
  await access.pool.query('update users set password_hash = $1 where id = $2', [passwordHash, userId])
  const { accessToken } = await signedIn(userId)
  expect(await call(here, accessToken, 'PUT /profile/update-password', words)).toMatchObject({ code: 200 })
  await until(async () => (await codeThere()) === 'A0230')
  await closed()
  expect((await call(there, accessToken, 'GET /system/dept/list')).code).toBe(200)
})

const taking: Change[] = [
  ['taking a role', 'POST', () => '/system/permission/assign-user-role', () => ({ userId, roleIds: [] })],
  ['taking a menu from a role', 'POST', () => '/system/permission/assign-role-menu', () => ({ roleId, menuIds: [] })],
  ['putting a role out of use', 'PUT', () => '/system/role/update', () => ({ id: roleId, status: 1 })],
]
test.each(taking)(
  '%s removes the permission on the other node and informs the open page',
  async (_what, method, path, body) => {
    await change(method, path(), body())
    await until(async () => (await codeThere()) === 403)
    await page.until(({ type }) => type === 'permission.changed')
    expect(page.ws.readyState).toBe(page.ws.OPEN)
  },
)

test('removes the permission from all users on the other node when a menu entry is disabled', async () => {
  const id = await menuId('system:dept:query')
  await change('PUT', '/system/menu/update', { id, status: 1 })
  try {
    await until(async () => (await codeThere()) === 403)
    await page.until(({ type }) => type === 'permission.changed')
  } finally {
    await change('PUT', '/system/menu/update', { id, status: 0 })
  }
  await until(async () => (await codeThere()) === 200)
})

/**
 * Sends an event of this department that needs no permission, then one to the user. @returns which the page received
 */
const markers = async (ref: number): Promise<number[]> => {
  await emitEvents(access.db, { type: 'rule.changed', ref, deptId })
  await emitEvents(access.db, { type: 'rule.changed', ref: ref + 1, userId })
  await page.until((frame) => 'data' in frame && frame.data.ref === ref + 1)
  return page.frames.flatMap((frame) =>
    'data' in frame && frame.data.ref !== null && [ref, ref + 1].includes(frame.data.ref) ? [frame.data.ref] : [],
  )
}

const moving: Change[] = [
  [
    'another scope of a role',
    'POST',
    () => '/system/permission/assign-role-data-scope',
    () => ({ roleId, dataScope: 5 }),
  ],
  ['another department of a user', 'PUT', () => '/system/user/update', () => ({ id: userId, deptId: 1 })],
]
test.each(moving)(
  '%s changes which events an open page on the other node receives',
  async (_what, method, path, body) => {
    expect(await markers(1000)).toEqual([1000, 1001])
    await change(method, path(), body())
    const names = async () => {
      const { data } = await call(there, token, 'GET /system/dept/list')
      return Array.isArray(data) ? data.map(({ id }: { id: number }) => id) : []
    }
    await until(async () => !(await names()).includes(deptId))
    await page.until(({ type }) => type === 'permission.changed')
    expect(await markers(2000)).toEqual([2001])
  },
)
