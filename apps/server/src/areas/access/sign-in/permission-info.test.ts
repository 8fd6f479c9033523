import { PROCEDURE_PLAN } from '@tocsin/contract/device/procedure/procedure-machine'
import { endpoints } from '@tocsin/contract/all'
import { LEAD_PERMISSION, stateMachine } from '@tocsin/contract/alarm/state-machine'
import { REVEAL_CONTACTS_PERMISSION } from '@tocsin/contract/school/contact'
import { REVEAL_EMPLOYEES_PERMISSION } from '@tocsin/contract/school/employee'
import { demoPermissions } from '@tocsin/contract/demo/screens'
import type { MenuNode } from '@tocsin/contract/access/rights/menu-node'
import { REVEAL_PERMISSION, SECURITY } from '@tocsin/contract/access/user'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { type Console, openConsole } from '../../../../test/console.ts'
import { cloneDatabase, type TestDatabase } from '../../../../test/database.ts'
import { openPool } from '#db/db'
import { withPermissionAliases } from '#http/permission-aliases'
import { invalidateSessionCache } from '#http/session-auth'
import { seedSystem } from '../seed/seed.ts'

const password = 'Maple-river-42'
let database: TestDatabase
let pool: pg.Pool
let site: Console

beforeAll(async () => {
  database = await cloneDatabase()
  pool = openPool({ ...database.app, max: 4 }, 30)
  site = await openConsole(pool)
  await seedSystem(site.db, password)
})
afterAll(async () => {
  await site.app.close()
  await pool.end()
  await database.drop()
})

type Seen = { roles: string[]; permissions: string[]; menus: MenuNode[]; user: Record<string, unknown> }
const ask = async (token: string): Promise<Seen> => {
  invalidateSessionCache('all')
  const { data } = await site.call('GET', '/system/auth/get-permission-info', { token })
  return data as unknown as Seen
}
const seenBy = async (username: string): Promise<Seen> => ask(await site.tokenOf(username, password))

const flat = (menus: MenuNode[] | null): MenuNode[] => (menus ?? []).flatMap((menu) => [menu, ...flat(menu.children)])
const names = (menus: MenuNode[]) => flat(menus).map(({ componentName }) => componentName)

const makeRole = async (code: string, ticked: string[]) => {
  const { id } = await site.db.insertInto('role').values({ code, name: code }).returning('id').executeTakeFirstOrThrow()
  const menus = await site.db
    .selectFrom('menu')
    .select('id')
    .where((eb) => eb.or([eb('componentName', 'in', ticked), eb('permission', 'in', ticked)]))
    .execute()
  await site.db
    .insertInto('roleMenu')
    .values(menus.map((menu) => ({ roleId: id, menuId: menu.id })))
    .execute()
}
const disable = (componentName: string, enabled = false) =>
  site.db.updateTable('menu').set({ enabled }).where('componentName', '=', componentName).execute()

describe('permission info', () => {
  it('names the signed-in user', async () => {
    const { user, roles } = await seenBy('admin')
    expect(user).toMatchObject({ username: 'admin', nickname: '系统管理员', avatar: null, deptName: '运营中心' })
    expect(roles).toEqual(['super_admin'])
  })

  it('gives the system administrator exactly the permissions that calls need, and demo screens', async () => {
    const items = [
      ...endpoints.map(({ permission }) => permission),
      ...Object.values(stateMachine).map((r) => r.permission),
      LEAD_PERMISSION,
      PROCEDURE_PLAN,
      REVEAL_PERMISSION,
      REVEAL_CONTACTS_PERMISSION,
      REVEAL_EMPLOYEES_PERMISSION,
      SECURITY,
      ...demoPermissions,
    ]
    const wanted = withPermissionAliases(items.filter((permission) => permission.includes(':')))
    const { permissions } = await seenBy('admin')
    expect(permissions).toEqual([...wanted].sort())
  })

  it('returns null for the children of a leaf, 0 for the parent of a top entry, and no buttons', async () => {
    const { menus } = await seenBy('admin')
    const all = flat(menus)
    expect(menus.every(({ parentId }) => parentId === 0)).toBe(true)
    expect(all.filter(({ children }) => children?.length === 0)).toEqual([])
    expect(all.map(({ type }) => type)).not.toContain('BUTTON')
    expect(all.find(({ componentName }) => componentName === 'WarnRecord')).toMatchObject({
      name: '警情记录',
      nameEn: 'Alarm records',
      component: 'warn/record/index',
      path: 'record',
      children: null,
      visible: true,
      redirect: null,
    })
  })

  it('sorts siblings by their sort value', async () => {
    await site.db.updateTable('menu').set({ sort: 99 }).where('componentName', '=', 'MyTasks').execute()
    expect((await seenBy('admin')).menus.at(-1)?.componentName).toBe('MyTasks')
    await site.db.updateTable('menu').set({ sort: 1 }).where('componentName', '=', 'MyTasks').execute()
    expect((await seenBy('admin')).menus[0]?.componentName).toBe('MyTasks')
  })

  it('derives the ancestors of granted entries, down to a single button', async () => {
    await makeRole('one_button', ['warn:log:query'])
    await makeUser(site.db, { username: 'onebutton', password, roles: ['one_button'] })
    const { menus, permissions } = await seenBy('onebutton')
    expect(names(menus)).toEqual(['Warn', 'WarnLog'])
    expect(permissions).toEqual(['warn:log:query'])
  })

  it('omits a disabled entry with everything below, from the tree and from the permissions', async () => {
    await makeUser(site.db, { username: 'reader', password, roles: ['auditor'] })
    const token = await site.tokenOf('reader', password)
    expect(names((await ask(token)).menus)).toContain('WarnRecord')
    await disable('Warn')
    const { menus, permissions } = await ask(token)
    expect(names(menus).filter((name) => name?.startsWith('Warn'))).toEqual([])
    expect(permissions.filter((permission) => permission.startsWith('warn:'))).toEqual([])
    expect(permissions).toContain('school:school:query')
    await disable('Warn', true)
  })

  it('combines several roles and ignores a disabled one', async () => {
    await makeUser(site.db, { username: 'both', password, roles: ['maintainer', 'guard'] })
    const token = await site.tokenOf('both', password)
    const { roles, permissions } = await ask(token)
    expect(roles).toEqual(['guard', 'maintainer'])
    expect(permissions).toEqual(expect.arrayContaining(['warn:record:claim', 'device:device:quarantine']))
    await site.db.updateTable('role').set({ enabled: false }).where('code', '=', 'guard').execute()
    const after = await ask(token)
    expect(after.roles).toEqual(['maintainer'])
    expect(after.permissions).not.toContain('warn:record:claim')
    await site.db.updateTable('role').set({ enabled: true }).where('code', '=', 'guard').execute()
  })

  it('returns empty lists, not null, to a user without a role', async () => {
    await makeUser(site.db, { username: 'nothing', password })
    expect(await seenBy('nothing')).toMatchObject({ roles: [], permissions: [], menus: [] })
  })

  it('returns generic permissions in both spellings', async () => {
    const parent = await site.db
      .insertInto('menu')
      .values({ type: 'MENU', name: '用户', nameEn: 'Users' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const others = ['system:dict:create', 'infra:config:create', 'system:login-log:export']
    for (const permission of ['system:user:create', 'system:user:update-password', 'system:role:update', ...others])
      await site.db
        .insertInto('menu')
        .values({ parentId: parent.id, type: 'BUTTON', name: permission, nameEn: permission, permission })
        .execute()
    const { permissions } = await seenBy('admin')
    expect(permissions).toEqual(
      expect.arrayContaining([
        'system:user:create',
        'sys:user:add',
        'system:user:update-password',
        'sys:user:password:reset',
        'system:role:update',
        'sys:role:edit',
        'sys:dict-data:add',
        'sys:config:add',
        'infra:login-log:export',
      ]),
    )
  })
})

describe('the seed', () => {
  const dump = async () => {
    const { rows } = await pool.query(`
      select 'dept' as t, to_jsonb(d) as row from dept d union all select 'role', to_jsonb(r) from role r
      union all select 'menu', to_jsonb(m) from menu m union all select 'grant', to_jsonb(g) from role_menu g
      union all select 'user', to_jsonb(u) from users u order by 1, 2`)
    return rows
  }

  it('changes nothing at the next start, two concurrent ones included', async () => {
    const before = await dump()
    expect(await Promise.all([seedSystem(site.db), seedSystem(site.db, 'Another-pass-9')])).toEqual([
      undefined,
      undefined,
    ])
    expect(await dump()).toEqual(before)
  })

  it('leaves edited and deleted rows alone', async () => {
    await site.db.updateTable('menu').set({ name: '报警台' }).where('componentName', '=', 'AlarmDesk').execute()
    await site.db.deleteFrom('menu').where('permission', '=', 'warn:log:export').execute()
    const { id } = await site.db.selectFrom('role').select('id').where('code', '=', 'guard').executeTakeFirstOrThrow()
    await site.db.deleteFrom('roleMenu').where('roleId', '=', id).execute()
    const before = await dump()
    await seedSystem(site.db)
    expect(await dump()).toEqual(before)
  })

  it('generates a random password for the first administrator, to be changed, and only once', async () => {
    const other = await cloneDatabase()
    const second = openPool({ ...other.app, max: 2 }, 30)
    const fresh = await openConsole(second)
    const random = await seedSystem(fresh.db)
    expect(random).toMatch(/^\w{16}$/)
    expect((await fresh.signIn('admin', random ?? '')).data).toMatchObject({ mustChangePassword: true })
    expect(await seedSystem(fresh.db)).toBeUndefined()
    await fresh.app.close()
    await second.end()
    await other.drop()
  })
})
