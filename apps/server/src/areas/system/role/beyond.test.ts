import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/make.ts'
import { openAdminWorld, password } from '../../../../test/admin-world.ts'
import { everything } from '../../../db/scope.ts'

// Nobody grants beyond his own rights, by whichever call of either family. `local` holds every call of the
// administration in the east, but not the security role, and sees masks.

let world: Awaited<ReturnType<typeof openAdminWorld>>
let token: string
type Name =
  | 'plain'
  | 'strong'
  | 'ownRole'
  | 'moreRole'
  | 'superRole'
  | 'reveal'
  | 'button'
  | 'screen'
  | 'top'
  | 'east'
  | 'west'
let ids: Record<Name, number>
beforeAll(async () => {
  world = await openAdminWorld()
  const { db, east, west } = world
  const plain = await makeUser(db, { username: 'plain', password, deptId: east.id })
  const strong = await makeUser(db, { username: 'strong', password, deptId: east.id, roles: ['super_admin'] })
  const button = await world.menuId('system:user:query')
  const { parentId } = await db.selectFrom('menu').select('parentId').where('id', '=', button).executeTakeFirstOrThrow()
  token = (await world.signedIn('local')).token
  ids = {
    plain: plain.id,
    strong: strong.id,
    ownRole: (await world.makeRole('own_role', { permissions: ['system:user:query'] })).id,
    moreRole: (await world.makeRole('more_role', { permissions: ['system:user:reveal'] })).id,
    superRole: await world.roleId('super_admin'),
    reveal: await world.menuId('system:user:reveal'),
    button,
    screen: parentId ?? 0,
    top: east.parentId ?? 0,
    east: east.id,
    west: west.id,
  }
})
afterAll(() => world.close())

/** Everything that gives a right, and to whom. */
const rights = async () => {
  const { rows } = await sql<{ is: string }>`
    select md5(string_agg(line, ',' order by line)) as is from (
      select 'user ' || row(u.id, dept_id, enabled, password_hash, type)::text as line from users u
      union all select 'holds ' || user_role::text from user_role
      union all select 'role ' || row(id, code, data_scope, enabled)::text from role
      union all select 'dept of role ' || role_dept::text from role_dept
      union all select 'menu of role ' || role_menu::text from role_menu
      union all select 'menu ' || row(id, permission, parent_id, enabled)::text from menu
      union all select 'dept ' || row(id, parent_id, enabled, kind)::text from dept
    ) as lines`.execute(everything(world.db, 'test'))
  return rows[0]?.is
}

it('a spelling that stands for two permissions is given by whoever holds both', async () => {
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
  ['POST /system/menu/create', () => ({ ...button, parentId: ids.screen })],
  ['PUT /system/menu/update', () => ({ id: ids.button, permission: 'system:user:reveal' })],
  ['PUT /system/menu/update', () => ({ id: ids.reveal, status: 1 })],
  ['PUT /api/v1/menus/:button', () => ({ perm: 'system:user:reveal' })],
  ['DELETE /system/menu/delete?id=:reveal', () => ({})],
  ['POST /system/dept/create', () => ({ name: '新', parentId: ids.top, sort: 1 })],
  ['PUT /system/dept/update', () => ({ id: ids.east, parentId: ids.west })],
]

it.each(attempts)('%s gives nobody more than its caller has', async (call, body) => {
  const [method = '', path = ''] = call.replace(/:(\w+)/g, (_all, name) => String(ids[name as Name])).split(' ')
  const before = await rights()
  // The fixture's verbs; the path is whole.
  const { code } = await world.call(method as 'PUT', path, {
    token,
    ...(method !== 'DELETE' && { body: body() }),
  })
  // Refused by a rule of this business, not for its form and not for a permission that is missing.
  expect(code).toBeGreaterThan(1_001_000_000)
  expect(await rights()).toBe(before)
})
