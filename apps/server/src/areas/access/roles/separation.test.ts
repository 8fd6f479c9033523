import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deptByCode, makeDept, makeUser } from '../../../../seed/fixtures.ts'
import { type AdminServer, startAdminServer, pageIn, PASSWORD } from '../../../../test/admin-server.ts'
import { invalidateSessionCache } from '#http/session-auth'
import { configurations } from '#areas/settings/routes'
import { invalidateSettings } from '#settings/settings-cache'
import { logRoutes } from '#areas/audit/log/routes'
import { menuRoutes } from './menu/routes.ts'
import { onlineRoutes } from '../people/profile/online.ts'
import { userRoutes } from '../people/routes.ts'
import { roleRoutes } from './routes.ts'

let admin: AdminServer
let security: { id: number; token: string }
let auditor: { id: number; token: string }
let bystander: number
let switchId: number
const ids = new Map<string, number>()

const person = async (username: string, role: string) => {
  const { id } = await makeUser(admin.site.db, {
    username,
    password: PASSWORD,
    deptId: admin.here.deptId,
    roles: [role],
  })
  return { id, token: await admin.site.tokenOf(username, PASSWORD) }
}

beforeAll(async () => {
  const keys = { setting: new Uint8Array(32) }
  admin = await startAdminServer((db) =>
    [configurations.routes, logRoutes, menuRoutes, onlineRoutes, userRoutes, roleRoutes].flatMap((routes) =>
      routes({ db, keys } as never),
    ),
  )
  security = await person('keeper', 'security_admin')
  auditor = await person('watcher', 'auditor')
  bystander = admin.here.userId
  for (const role of await admin.all.selectFrom('role').select(['id', 'code']).execute()) ids.set(role.code, role.id)
  const { list } = pageIn(await admin.call('GET', '/infra/config/page?key=security.separate-roles'))
  switchId = Number(list[0]?.id)
})
afterAll(() => admin.end())

/** As an operator with database access would: the rule governs what comes after. */
const put = async (value: 'true' | 'false') => {
  await admin.site.db.updateTable('config').set({ value }).where('id', '=', switchId).execute()
  invalidateSettings()
  invalidateSessionCache('all')
}
beforeEach(() => put('false'))

const turn = (value: string, token?: string) =>
  admin.call('PUT', '/infra/config/update', { id: switchId, value }, token)
const give = (userId: number, roles: string[], token?: string) =>
  admin.call(
    'POST',
    '/system/permission/assign-user-role',
    { userId, roleIds: roles.map((role) => ids.get(role)) },
    token,
  )
const audits = (token?: string) => admin.call('GET', '/system/operate-log/page', undefined, token)
const logins = (token?: string) => admin.call('GET', '/system/login-log/export', undefined, token)
const menuOf = async (permission: string) => {
  const menu = admin.all.selectFrom('menu').select('id').where('permission', '=', permission)
  return (await menu.executeTakeFirstOrThrow()).id
}
/** A custom role, held by a user. */
const makeRole = async (code: string, userId: number, dataScope: 'DEPT' | 'CUSTOM' = 'DEPT') => {
  const role = admin.site.db.insertInto('role').values({ code, name: code, dataScope }).returning('id')
  const { id } = await role.executeTakeFirstOrThrow()
  await admin.site.db.insertInto('userRole').values({ userId, roleId: id }).execute()
  return id
}
const permissions = async (token?: string) => {
  const { data } = await admin.call('GET', '/system/auth/get-permission-info', undefined, token)
  return data as unknown as { permissions: string[]; menus: { children: { component: string }[] | null }[] }
}

describe('while roles are not separated', () => {
  it('the administrator has the permissions of all offices', async () => {
    expect((await audits()).code).toBe(200)
    expect((await give(bystander, ['security_admin', 'auditor'])).code).toBe(200)
    expect((await give(bystander, [])).code).toBe(200)
  })
})

describe('separating roles', () => {
  it('is rejected while a user holds two offices, and names the user', async () => {
    await give(bystander, ['security_admin', 'auditor'])
    const { username } = await admin.all
      .selectFrom('users')
      .select('username')
      .where('id', '=', bystander)
      .executeTakeFirstOrThrow()
    const refused = await turn('true')
    expect(refused.code).toBe(codes.officesApart.code)
    expect(refused.msg).toContain(username)
    await give(bystander, [])
    expect((await turn('true')).code).toBe(200)
  })

  it('is rejected while an office has no holder', async () => {
    await admin.site.db.deleteFrom('userRole').where('userId', '=', auditor.id).execute()
    expect((await turn('true')).code).toBe(codes.officesHeld.code)
    await give(auditor.id, ['auditor'])
    expect((await turn('true')).code).toBe(200)
  })

  it('takes effect at once, and only the security officer can end it', async () => {
    expect((await turn('true')).code).toBe(200)
    expect((await audits()).code).toBe(403)
    expect((await turn('false')).code).toBe(codes.officesSecurity.code)
    expect((await turn('false', auditor.token)).code).toBe(403)
    expect((await turn('false', security.token)).code).toBe(200)
    expect((await audits()).code).toBe(200)
  })
})

describe('while roles are separated', () => {
  beforeEach(() => put('true'))

  it.each(['log.operate-days', 'log.login-days'])('only security shortens %s', async (key) => {
    const { list } = pageIn(await admin.call('GET', `/infra/config/page?key=${key}`))
    const id = Number(list[0]?.id)
    const keep = async (value: string, token?: string) =>
      (await admin.call('PUT', '/infra/config/update', { id, value }, token)).code
    expect(await keep('1094')).toBe(codes.configShorter.code)
    expect(await keep('1096')).toBe(200)
    expect(await keep('1096')).toBe(200)
    // A value that cannot be read keeps for the built-in days.
    await admin.site.db.updateTable('config').set({ value: '' }).where('id', '=', id).execute()
    expect(await keep('1094')).toBe(codes.configShorter.code)
    expect(await keep('1094', security.token)).toBe(200)
    await put('false')
    expect(await keep('180')).toBe(200)
    await put('true')
    expect(await keep('1095')).toBe(200)
  })

  it('the administrator neither reads logs nor grants rights, and is not offered to', async () => {
    expect((await audits()).code).toBe(403)
    const { data } = await logins()
    expect(data).toBeNull()
    expect((await give(bystander, ['guard'])).code).toBe(403)
    expect((await admin.call('POST', '/system/role/create', { name: 'x', code: 'x', sort: 1 })).code).toBe(403)
    expect((await admin.call('GET', '/system/user/page')).code).toBe(200)
    const mine = await permissions()
    expect(
      mine.permissions.filter((permission) => /(operate|login)-log|:permission:|user:security/.test(permission)),
    ).toEqual([])
    const screens = mine.menus.flatMap(({ children }) => children ?? []).map(({ component }) => component)
    expect(screens).toContain('system/user/index')
    expect(screens).not.toContain('system/log/index')
    expect(screens).not.toContain('system/login-log/index')
  })

  it('the auditor reads logs and changes nothing, security grants rights and reads no logs', async () => {
    expect((await audits(auditor.token)).code).toBe(200)
    expect((await give(bystander, ['guard'], auditor.token)).code).toBe(403)
    expect((await audits(security.token)).code).toBe(403)
    expect((await give(bystander, ['guard'], security.token)).code).toBe(200)
    expect((await give(bystander, ['super_admin'], security.token)).code).toBe(200)
    expect((await give(bystander, [], security.token)).code).toBe(200)
  })

  it('nobody gets a second office or grants to themselves', async () => {
    expect((await give(auditor.id, ['auditor', 'security_admin'], security.token)).code).toBe(codes.officesApart.code)
    expect((await give(auditor.id, ['auditor', 'super_admin'], security.token)).code).toBe(codes.officesApart.code)
    expect((await give(security.id, ['security_admin', 'guard'], security.token)).code).toBe(
      codes.officesNotYourself.code,
    )
    expect((await give(auditor.id, ['auditor', 'guard'], security.token)).code).toBe(200)
    expect((await give(auditor.id, ['auditor'], security.token)).code).toBe(200)
  })

  it('what a custom role grants counts as well', async () => {
    const second = await person('keeper2', 'security_admin')
    const role = await admin.call(
      'POST',
      '/system/role/create',
      { name: '看日志', code: 'peep', sort: 1 },
      security.token,
    )
    const roleId = Number(role.data)
    await admin.site.db.insertInto('userRole').values({ userId: security.id, roleId }).execute()
    const menu = await admin.all
      .selectFrom('menu')
      .select('id')
      .where('permission', '=', 'system:operate-log:query')
      .executeTakeFirstOrThrow()
    const body = { roleId, menuIds: [menu.id] }
    expect((await admin.call('POST', '/system/permission/assign-role-menu', body, second.token)).code).toBe(
      codes.officesApart.code,
    )
    expect(await admin.all.selectFrom('roleMenu').select('menuId').where('roleId', '=', roleId).execute()).toEqual([])
    await admin.site.db.deleteFrom('userRole').where('roleId', '=', roleId).execute()
    await give(second.id, [], security.token)
  })

  it('security grants nothing to itself through a role that it holds', async () => {
    const own = await makeRole('own', security.id)
    const menu = await menuOf('system:dict:create')
    const attempts = [
      ['POST', '/system/permission/assign-role-menu', { roleId: own, menuIds: [menu] }],
      ['PUT', `/api/v1/roles/${own}/menus`, [menu]],
      ['POST', '/system/permission/assign-role-data-scope', { roleId: own, dataScope: 1 }],
      ['PUT', '/system/role/update', { id: own, status: 0 }],
      ['PUT', '/system/role/update', { id: own, dataScope: 1 }],
      ['PUT', `/api/v1/roles/${own}`, { name: 'own', status: 1 }],
      ['DELETE', `/system/role/delete?id=${own}`, undefined],
    ] as const
    for (const [method, path, body] of attempts)
      expect([path, (await admin.call(method, path, body, security.token)).code]).toEqual([
        path,
        codes.officesNotYourself.code,
      ])
    const another = await person('keeper3', 'security_admin')
    const given = { roleId: own, menuIds: [menu] }
    expect((await admin.call('POST', '/system/permission/assign-role-menu', given, another.token)).code).toBe(200)
  })

  it('nor through the entries of its role, nor by moving to a department that sees more', async () => {
    await put('false')
    const mends = ['system:user:security', 'system:menu:update', 'system:user:update', 'demo:item:query']
    const { token, userId } = await admin.clerk(...mends)
    const roles = admin.site.db.selectFrom('userRole').select('roleId').where('userId', '=', userId)
    await admin.site.db.updateTable('role').set({ dataScope: 'DEPT_AND_CHILD' }).where('id', 'in', roles).execute()
    const top = await deptByCode(admin.site.db, 'EDU')
    await makeDept(admin.site.db, { name: '丙部门', parentId: top })
    const roleId = await makeRole('chosen_top', userId, 'CUSTOM')
    await admin.site.db.insertInto('roleDept').values({ roleId, deptId: top }).execute()
    await put('true')
    const asks = (path: string, body: object) => admin.call('PUT', path, body, token)
    const ticked = { id: await menuOf('demo:item:query'), permission: 'system:dict:create' }
    expect((await asks('/system/menu/update', ticked)).code).toBe(codes.beyondPermission.code)
    const entry = { name: 'x', nameEn: 'X', type: 'BUTTON', permission: 'demo:talk:query' } as const
    const own = await admin.site.db.insertInto('menu').values(entry).returning('id').executeTakeFirstOrThrow()
    const elsewhere = { id: own.id, permission: 'system:dict:create' }
    expect((await asks('/system/menu/update', elsewhere)).code).toBe(200)
    const move = { id: userId, deptId: top }
    expect((await asks('/system/user/update', move)).code).toBe(codes.beyondScope.code)
  })

  it('the last holder of an office stays, and the administrator changes no holder of another', async () => {
    expect((await give(auditor.id, [], security.token)).code).toBe(codes.officesHeld.code)
    const off = { id: auditor.id, status: 1 }
    expect((await admin.call('PUT', '/system/user/update-status', off)).code).toBe(codes.moreRights.code)
    const reset = { id: auditor.id, password: 'Quiet-lantern-58' }
    expect((await admin.call('PUT', '/system/user/update-password', reset)).code).toBe(codes.moreRights.code)
    const { id } = await admin.all
      .selectFrom('session')
      .select('id')
      .where('userId', '=', security.id)
      .executeTakeFirstOrThrow()
    expect((await admin.call('DELETE', `/system/online-session/delete?id=${id}`)).code).toBe(codes.moreRights.code)
  })

  it('two holders who become the last at the same time cannot both be removed', async () => {
    const second = await person('watcher2', 'auditor')
    const answers = await Promise.all([give(auditor.id, [], security.token), give(second.id, [], security.token)])
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([200, codes.officesHeld.code]))
    await give(auditor.id, ['auditor'], security.token)
    await give(second.id, [], security.token)
  })

  it('the administrator gets no permission by writing it into another menu entry', async () => {
    const { id } = await admin.all
      .selectFrom('menu')
      .select('id')
      .where('permission', '=', 'system:dict:query')
      .executeTakeFirstOrThrow()
    const edit = { id, permission: 'system:operate-log:query' }
    expect((await admin.call('PUT', '/system/menu/update', edit)).code).toBe(codes.beyondPermission.code)
  })
})

describe('another spelling', () => {
  it('gives the administrator no permission of another office', async () => {
    const entry = { name: '日志', nameEn: 'Log', type: 'BUTTON', permission: 'infra:operate-log:query' } as const
    await admin.site.db.insertInto('menu').values(entry).execute()
    await put('true')
    expect((await audits()).code).toBe(403)
    expect((await permissions()).permissions).not.toContain('system:operate-log:query')
  })
})

describe('security apart from administration', () => {
  it('keeps the selected departments that the security officer cannot see', async () => {
    const { here, there } = admin
    const scope = (dataScopeDeptIds: number[], token?: string) =>
      admin.call(
        'POST',
        '/system/permission/assign-role-data-scope',
        { roleId: chosen, dataScope: 2, dataScopeDeptIds },
        token,
      )
    const { id: chosen } = await admin.site.db
      .insertInto('role')
      .values({ code: 'chosen', name: 'chosen' })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await scope([here.deptId, there.deptId])).code).toBe(200)
    const near = await admin.clerk('system:user:security', 'system:permission:assign-role-data-scope')
    await put('true')
    expect((await scope([there.deptId], near.token)).code).toBe(codes.deptMissing.code)
    expect((await scope([], near.token)).code).toBe(200)
    const left = await admin.site.db.selectFrom('roleDept').select('deptId').where('roleId', '=', chosen).execute()
    expect(left).toEqual([{ deptId: there.deptId }])
  })
})
