import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { openAdminFixture, password } from '../../../../test/admin-fixture.ts'
import { unscoped } from '#db/scope'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { deptsV1 } from '@tocsin/contract/compat/dept'
import { menusV1 } from '@tocsin/contract/compat/menu'
import { rolesV1 } from '@tocsin/contract/compat/role'
import { usersV1 } from '@tocsin/contract/compat/user'
import { userFormsV1 } from '@tocsin/contract/compat/user-form'
import { depts } from '@tocsin/contract/access/dept'
import { onlineSessions } from '@tocsin/contract/access/online'
import { menus } from '@tocsin/contract/access/rights/menu'
import { permissions } from '@tocsin/contract/access/rights/permission'
import { roles } from '@tocsin/contract/access/rights/role'
import { registrations } from '@tocsin/contract/access/sign-in/register'
import { secondFactors } from '@tocsin/contract/access/sign-in/second-factor'
import { merchantUsers, users } from '@tocsin/contract/access/user'
import { userImports } from '@tocsin/contract/access/user-import'
import { onlineRoutes } from '../people/profile/online.ts'
import { registerRoutes } from '../sign-in/register/routes.ts'
import { secondFactorRoutes } from '../sign-in/second-factor/routes.ts'

// No call grants more than the caller's own permissions. `local` may make every call of the administration in the east
// except those of the security role, and sees masks.

let world: Awaited<ReturnType<typeof openAdminFixture>>
let token: string
type Name =
  | 'plain'
  | 'strong'
  | 'waiting'
  | 'waitingMore'
  | 'local'
  | 'ownRole'
  | 'moreRole'
  | 'superRole'
  | 'reveal'
  | 'button'
  | 'screen'
  | 'top'
  | 'east'
  | 'west'
  | 'session'
let ids: Record<Name, number>
beforeAll(async () => {
  // Nothing is sent here, so that no keys are needed.
  world = await openAdminFixture((db) => [
    ...registerRoutes({ db } as never),
    ...secondFactorRoutes({ db } as never),
    ...onlineRoutes({ db }),
  ])
  const { db, east, west } = world
  const plain = await makeUser(db, { username: 'plain', password, deptId: east.id })
  const strong = await makeUser(db, { username: 'strong', password, deptId: east.id, roles: ['super_admin'] })
  await world.signedIn('strong')
  const ofStrong = db.selectFrom('session').select('id').where('userId', '=', strong.id)
  const session = await ofStrong.executeTakeFirstOrThrow()
  const factor = { userId: strong.id, secret: Buffer.from('sealed'), confirmedAt: new Date() }
  await db.insertInto('secondFactor').values(factor).execute()
  const pending = { password, deptId: east.id, enabled: false, pending: true }
  const moreRole = await world.makeRole('more_role', { permissions: ['system:user:reveal'] })
  const waiting = await makeUser(db, { ...pending, roles: ['super_admin'] })
  const waitingMore = await makeUser(db, { ...pending, roles: ['more_role'] })
  const button = await world.menuId('system:user:query')
  const { parentId } = await db.selectFrom('menu').select('parentId').where('id', '=', button).executeTakeFirstOrThrow()
  token = (await world.signedIn('local')).token
  ids = {
    plain: plain.id,
    strong: strong.id,
    waiting: waiting.id,
    waitingMore: waitingMore.id,
    local: world.local.id,
    ownRole: (await world.makeRole('own_role', { permissions: ['system:user:query'] })).id,
    moreRole: moreRole.id,
    superRole: await world.roleId('super_admin'),
    reveal: await world.menuId('system:user:reveal'),
    button,
    screen: parentId ?? 0,
    top: east.parentId ?? 0,
    east: east.id,
    west: west.id,
    session: session.id,
  }
})
afterAll(() => world.close())

/** Every call that grants a right, and to whom. */
const rights = async () => {
  const { rows } = await sql<{ is: string }>`
    select md5(string_agg(line, ',' order by line)) as is from (
      select 'user ' || row(u.id, dept_id, enabled, pending, password_hash, type)::text as line from users u
      union all select 'proof ' || row(user_id, confirmed_at)::text from second_factor
      union all select 'session ' || row(id, ended_at)::text from session
      union all select 'holds ' || user_role::text from user_role
      union all select 'role ' || row(id, code, data_scope, enabled)::text from role
      union all select 'dept of role ' || role_dept::text from role_dept
      union all select 'menu of role ' || role_menu::text from role_menu
      union all select 'menu ' || row(id, permission, parent_id, enabled)::text from menu
      union all select 'dept ' || row(id, parent_id, enabled, kind)::text from dept
    ) as lines`.execute(unscoped(world.db, 'test'))
  return rows[0]?.is
}

it('a spelling that stands for two permissions is granted only by a holder of both', async () => {
  await world.makeRole('half', { permissions: ['system:user:list', 'system:menu:create', 'system:user:create'] })
  await makeUser(world.db, { username: 'halfway', password, deptId: ids.east, roles: ['half'] })
  const half = await world.signedIn('halfway')
  const made = (perm: string, name: string) => {
    const form = { parentId: ids.screen, name, type: 'BUTTON', perm }
    return world.call('POST', '/api/v1/menus', { token: half.token, body: form })
  }
  expect((await made('sys:user:query', '查')).code).toBe(codes.beyondPermission.code)
  expect((await made('sys:user:add', '加')).code).toBe(200)
})

const fresh = { username: 'fresh', nickname: '新', password }
const form = { username: 'fresh', nickname: '新' }
const button = { name: '新', type: 3, sort: 1, status: 0, permission: 'system:user:reveal' }

type Attempt = [call: string, body: () => object]
const attempts: Attempt[] = [
  ['POST /system/permission/assign-user-role', () => ({ userId: ids.plain, roleIds: [ids.moreRole] })],
  ['POST /system/permission/assign-user-role', () => ({ userId: ids.plain, roleIds: [ids.superRole] })],
  ['POST /system/permission/assign-user-role', () => ({ userId: ids.strong, roleIds: [] })],
  ['POST /system/user/create', () => ({ ...fresh, deptId: ids.east, roleIds: [ids.superRole] })],
  ['POST /system/user/create', () => ({ ...fresh, deptId: ids.west })],
  ['POST /api/v1/users', () => ({ ...form, deptId: ids.east, roleIds: [ids.superRole] })],
  ['POST /api/v1/users', () => ({ ...form, deptId: ids.east, roleIds: [ids.moreRole] })],
  ['POST /api/v1/users', () => ({ ...form, deptId: ids.west, roleIds: [] })],
  ['PUT /api/v1/users/:plain', () => ({ ...form, username: 'plain', roleIds: [ids.superRole] })],
  ['PUT /system/user/update', () => ({ id: ids.plain, deptId: ids.west })],
  ['PUT /system/user/update', () => ({ id: ids.plain, roleIds: [ids.superRole] })],
  ['PUT /system/user/update', () => ({ id: ids.plain, deptId: ids.east, roleIds: [ids.moreRole] })],
  ['PUT /system/user/update', () => ({ id: ids.local, roleIds: [ids.moreRole] })],
  ['PUT /system/user/update', () => ({ id: ids.strong, nickname: 'x' })],
  ['PUT /system/user/update-status', () => ({ id: ids.strong, status: 1 })],
  ['PUT /system/user/update-password', () => ({ id: ids.strong, password: 'Other-river-43' })],
  ['PUT /api/v1/users/:strong/password/reset?password=Other-river-43', () => ({})],
  ['DELETE /system/user/delete?id=:strong', () => ({})],
  ['DELETE /api/v1/users/:strong', () => ({})],
  ['POST /system/permission/assign-role-menu', () => ({ roleId: ids.ownRole, menuIds: [ids.reveal] })],
  ['PUT /api/v1/roles/:ownRole/menus', () => [ids.reveal]],
  ['POST /system/permission/assign-role-menu', () => ({ roleId: ids.superRole, menuIds: [] })],
  ['POST /system/permission/assign-role-data-scope', () => ({ roleId: ids.ownRole, dataScope: 1 })],
  [
    'POST /system/permission/assign-role-data-scope',
    () => ({ roleId: ids.ownRole, dataScope: 2, dataScopeDeptIds: [ids.west] }),
  ],
  ['PUT /system/role/update', () => ({ id: ids.superRole, status: 1 })],
  ['PUT /system/role/update', () => ({ id: ids.ownRole, dataScope: 1 })],
  ['PUT /system/role/update', () => ({ id: ids.ownRole, dataScope: 2, dataScopeDeptIds: [ids.west] })],
  ['POST /system/role/create', () => ({ name: '新', code: 'fresh', sort: 1, dataScope: 1 })],
  ['POST /system/menu/create', () => ({ ...button, parentId: ids.screen })],
  ['PUT /system/menu/update', () => ({ id: ids.button, permission: 'system:user:reveal' })],
  ['PUT /system/menu/update', () => ({ id: ids.reveal, status: 1 })],
  ['PUT /api/v1/menus/:button', () => ({ perm: 'system:user:reveal' })],
  ['DELETE /system/menu/delete?id=:reveal', () => ({})],
  ['POST /system/dept/create', () => ({ name: '新', parentId: ids.top, sort: 1 })],
  ['PUT /system/dept/update', () => ({ id: ids.east, parentId: ids.west })],
  // The own account, and several at once.
  ['PUT /system/user/update', () => ({ id: ids.local, deptId: ids.top })],
  ['PUT /api/v1/users/:local', () => ({ roleIds: [ids.superRole] })],
  ['POST /system/permission/assign-user-role', () => ({ userId: ids.local, roleIds: [ids.moreRole] })],
  ['DELETE /system/user/delete-list?ids=:plain,:strong', () => ({})],
  ['DELETE /api/v1/users/:plain,:strong', () => ({})],
  ['PUT /admin-user/update', () => ({ id: ids.strong, status: 1 })],
  ['PUT /api/v1/users/:strong', () => ({ nickname: 'x' })],
  ['PUT /api/v1/users/:strong', () => ({ status: 0, roleIds: [] })],
  ['PATCH /api/v1/users/:strong/status?status=0', () => ({})],
  ['PUT /api/v1/users/:plain', () => ({ deptId: ids.west })],
  ['PUT /api/v1/users/:plain', () => ({ deptId: ids.west, roleIds: [ids.ownRole] })],
  ['POST /system/user/approve', () => ({ id: ids.waiting })],
  ['POST /system/user/approve', () => ({ id: ids.waitingMore })],
  ['POST /system/user/reject', () => ({ id: ids.waiting })],
  ['POST /system/user/reject', () => ({ id: ids.waitingMore })],
  // Roles by `/api/v1`.
  ['POST /api/v1/roles', () => ({ name: '新', code: 'super_admin' })],
  ['POST /api/v1/roles', () => ({ name: '新', code: 'SUPER_admin' })],
  ['PUT /api/v1/roles/:ownRole', () => ({ code: 'super_admin' })],
  ['PUT /api/v1/roles/:moreRole', () => ({ name: '改' })],
  ['PUT /api/v1/roles/:moreRole', () => ({ status: 0 })],
  ['PUT /api/v1/roles/:moreRole', () => ({ status: 1 })],
  ['PUT /api/v1/roles/:superRole', () => ({ status: 0 })],
  ['PUT /api/v1/roles/:ownRole/menus', () => [ids.button, ids.reveal]],
  ['PUT /api/v1/roles/:moreRole/menus', () => []],
  ['PUT /api/v1/roles/:superRole/menus', () => [ids.button]],
  ['DELETE /api/v1/roles/:moreRole', () => ({})],
  ['DELETE /api/v1/roles/:ownRole,:moreRole', () => ({})],
  ['PUT /system/role/update-status', () => ({ id: ids.moreRole, status: 1 })],
  ['DELETE /system/role/delete-list?ids=:ownRole,:moreRole', () => ({})],
  ['POST /system/permission/assign-role-menu', () => ({ roleId: ids.moreRole, menuIds: [] })],
  ['POST /system/permission/assign-role-data-scope', () => ({ roleId: ids.moreRole, dataScope: 5 })],
  ['POST /api/v1/menus', () => ({ parentId: ids.screen, name: '新', type: 'BUTTON', perm: 'system:user:reveal' })],
  ['PUT /api/v1/menus/:reveal', () => ({ name: '改', perm: 'system:user:query' })],
  ['DELETE /api/v1/menus/:reveal', () => ({})],
  ['POST /api/v1/dept', () => ({ name: '新', parentId: ids.top, code: 'NEW1', sort: 1, status: 1 })],
  ['PUT /api/v1/dept/:east', () => ({ parentId: ids.west })],
  // Calls that give access to another account, or move a user.
  ['POST /system/user/reset-second-factor', () => ({ id: ids.strong })],
  ['DELETE /system/online-session/delete?id=:session', () => ({})],
  ['PUT /system/dept/move', () => ({ id: ids.east, parentId: ids.west, beforeId: null })],
  ['PUT /system/dept/move', () => ({ id: ids.west, parentId: ids.east, beforeId: null })],
  ['DELETE /system/dept/delete?id=:west', () => ({})],
  ['DELETE /system/dept/delete-list?ids=:west', () => ({})],
  ['DELETE /api/v1/dept/:west', () => ({})],
  ['PUT /system/menu/move', () => ({ id: ids.reveal, parentId: ids.screen, beforeId: ids.button })],
  ['PATCH /api/v1/menus/:reveal?visible=0', () => ({})],
  ['POST /system/role/create', () => ({ name: '新', code: 'super_admin', sort: 1, status: 0 })],
  ['PUT /system/role/update', () => ({ id: ids.moreRole, status: 1 })],
  ['DELETE /system/role/delete?id=:moreRole', () => ({})],
]

const sets = [users, merchantUsers, roles, permissions, menus, depts, userImports, registrations, secondFactors]
const others = [onlineSessions, usersV1, userFormsV1, rolesV1, menusV1, deptsV1]
/** Calls that other tests cover: an import grants rights by its own test, and an export grants none. */
const elsewhere = /\/import(-commit)?$|\/merchant-user\/create$|\/export-later$/
const plain = (call: string) => call.replace(/\?.*/, '').replaceAll(/:\w+(,:\w+)*/g, ':')

it('every write about users, roles, menus and departments is tried here', () => {
  const tried = new Set(attempts.map(([call]) => plain(call)))
  const missing = [...sets, ...others]
    .flatMap((set): Endpoint[] => Object.values(set))
    .filter(({ method, permission, path }) => method !== 'GET' && permission.includes(':') && !elsewhere.test(path))
    .map(({ method, path, also = [] }) => [{ method, path }, ...also.map((item) => ({ method, ...item }))])
    .filter((spellings) => !spellings.some((spelling) => tried.has(plain(`${spelling.method} ${spelling.path}`))))
  expect(missing).toEqual([])
})

it.each(attempts)('%s grants nobody more than its caller has', async (call, body) => {
  const [method = '', path = ''] = call.replace(/:(\w+)/g, (_all, name) => String(ids[name as Name])).split(' ')
  const before = await rights()
  // The verbs of the fixture; the path is complete.
  const { code } = await world.call(method as 'PUT', path, {
    token,
    ...(method !== 'DELETE' && { body: body() }),
  })
  // Rejected by a business rule, not for its form and not for a missing permission.
  expect(code).toBeGreaterThan(1_001_000_000)
  expect(await rights()).toBe(before)
})

it('an account of a school is created without roles, and only for a visible school', async () => {
  const draft = { username: 'fresh', nickname: '新', password }
  const make = (more: object) =>
    world.call('POST', '/bully/merchant-user/create', { token, body: { ...draft, ...more } })
  const [east, west] = [world.eastSchool, world.westSchool]
  const before = await rights()
  for (const [more, field] of [
    [{ roleIds: [ids.superRole] }, 'roleIds'],
    [{ roleIds: [ids.ownRole] }, 'roleIds'],
    [{ deptId: ids.west }, 'deptId'],
    [{ userType: 1 }, 'userType'],
  ] as const)
    expect((await make({ schoolId: east.id, ...more })).data).toMatchObject({ errors: [{ field }] })
  expect(await make({ schoolId: west.id })).toMatchObject({ code: codes.notFound.code, msg: '学校不存在' })
  expect(await rights()).toBe(before)
  const { code, data } = await make({ schoolId: east.id })
  expect(code).toBe(200)
  expect(await world.user(Number(data))).toMatchObject({ type: 'SCHOOL', deptId: east.deptId })
  expect((await world.get(`/system/permission/list-user-roles?userId=${Number(data)}`)).data).toEqual([])
})

it('a new role of /api/v1 grants nothing, whatever its name', async () => {
  const make = (form: object) =>
    world.call('POST', '/api/v1/roles', { token, body: { name: '新角色', code: 'new_role', ...form } })
  const before = await rights()
  expect((await make({ dataScope: 0 })).code).toBe(codes.beyondScope.code)
  for (const more of [{ menuIds: [ids.reveal] }, { type: 1 }])
    expect((await make(more)).data).toMatchObject({ errors: [{ field: Object.keys(more)[0] }] })
  expect(await rights()).toBe(before)
  const { code, data } = await make({})
  expect(code).toBe(200)
  expect((await world.get(`/api/v1/roles/${Number(data)}/menuIds`)).data).toEqual([])
  expect((await world.get(`/system/role/get?id=${Number(data)}`)).data).toMatchObject({ dataScope: 3, type: 2 })
})

it('the same person approves and rejects an applicant without more rights', async () => {
  const pending = { deptId: ids.east, enabled: false, pending: true, roles: ['own_role'] }
  const [first, second] = [await makeUser(world.db, pending), await makeUser(world.db, pending)]
  for (const [verb, { id }] of [
    ['approve', first],
    ['reject', second],
  ] as const)
    expect((await world.call('POST', `/system/user/${verb}`, { token, body: { id } })).code).toBe(200)
})
