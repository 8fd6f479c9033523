import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../test/admin-fixture.ts'
import { roleSeeds } from '../seed/roles.ts'

let fixture: AdminFixture
let role: Awaited<ReturnType<AdminFixture['makeRole']>>
let count = 0

beforeAll(async () => {
  fixture = await openAdminFixture()
})
beforeEach(async () => {
  count += 1
  role = await fixture.makeRole(`role_${count}`, { permissions: ['system:user:list'] })
  await fixture.told()
})
afterAll(() => fixture.close())

const list = (data: unknown) => (data as { list: { code: string }[] }).list.map(({ code }) => code)
const draft = { name: '值班', code: 'duty', sort: 3 }
const stored = (id: number) => fixture.db.selectFrom('role').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('reading roles', () => {
  it('returns pages in order, filtered, in the wire form', async () => {
    const { data } = await fixture.get('/system/role/page?code=super_')
    expect(data).toMatchObject({
      total: 1,
      list: [{ code: 'super_admin', type: 1, status: 0, dataScope: 1, dataScopeDeptIds: [], sort: 1 }],
    })
    expect((await fixture.get('/system/role/page')).data).toMatchObject({
      total: roleSeeds.length + 1 + count,
    })
    expect(list((await fixture.get('/system/role/page?name=安全员')).data)).toEqual(['safety_officer'])
    expect(list((await fixture.get('/system/role/page?status=1')).data)).toEqual([])
    expect(
      list((await fixture.get('/system/role/page?createTime[0]=2000-01-01&createTime[1]=2001-01-01')).data),
    ).toEqual([])
    expect((await fixture.get('/system/role/page?status=9')).data).toMatchObject({ errors: [{ field: 'status' }] })
  })

  it('returns one by id and by name; disabled ones are not offered', async () => {
    expect((await fixture.get(`/system/role/get?id=${role.id}`)).data).toMatchObject({
      code: role.code,
      type: 2,
      dataScope: 3,
    })
    expect(await fixture.get('/system/role/get?id=999999')).toMatchObject({ code: 1_002_002_000, msg: '角色不存在' })
    await fixture.db.updateTable('role').set({ enabled: false }).where('id', '=', role.id).execute()
    const offered = (await fixture.get('/system/role/simple-list', 'local')).data as unknown as { id: number }[]
    expect(offered.map(({ id }) => id)).not.toContain(role.id)
    expect(offered).toContainEqual({
      id: await fixture.roleId('super_admin'),
      name: '系统管理员',
      nameEn: 'System administrator',
    })
  })
})

describe('creating a role', () => {
  it('sees its own department by default, and is audited', async () => {
    const { code, data } = await fixture.post('/system/role/create', { ...draft, status: 1, remark: '夜班' }, 'local')
    expect(code).toBe(200)
    const made = await stored(Number(data))
    expect(made).toMatchObject({
      dataScope: 'DEPT',
      builtIn: false,
      enabled: false,
      remark: '夜班',
      creator: fixture.local.id,
    })
    expect(await fixture.audits('role', made.id)).toMatchObject([
      { action: 'system:role:create', after: { code: 'duty' } },
    ])
  })

  it('takes an English name, is found by it, and is offered with it', async () => {
    const { data } = await fixture.post('/system/role/create', {
      name: '巡更员',
      nameEn: 'Night patrol',
      code: 'patrol',
      sort: 1,
    })
    const found = await fixture.get('/system/role/page?name=night+pat')
    expect(found.data).toMatchObject({ list: [{ id: data, name: '巡更员', nameEn: 'Night patrol' }], total: 1 })
    const offered = (await fixture.get('/system/role/simple-list')).data as unknown as object[]
    expect(offered).toContainEqual({ id: data, name: '巡更员', nameEn: 'Night patrol' })
    await fixture.remove(`/system/role/delete?id=${Number(data)}`)
  })

  it.each([
    [{ name: '系统管理员' }, 1_002_002_001],
    [{ code: 'guard' }, 1_002_002_002],
    [{ code: 'Super_Admin' }, 1_002_002_005],
  ])('refuses %j', async (given, code) => {
    expect((await fixture.post('/system/role/create', { ...draft, name: 'n', code: 'c', ...given })).code).toBe(code)
  })

  it.each([
    ['name', ''],
    ['name', null],
    ['code', '值'],
    ['sort', -1],
    ['sort', undefined],
    ['status', true],
    ['dataScope', 6],
    ['dataScopeDeptIds', 1],
    ['builtIn', true],
  ])('refuses %s = %s by name', async (field, value) => {
    const { data } = await fixture.post('/system/role/create', { ...draft, [field]: value })
    expect(data).toMatchObject({ errors: [{ field }] })
  })
})

describe('changing a role', () => {
  const edit = (given: object, as?: 'local') => fixture.put('/system/role/update', { id: role.id, ...given }, as)

  it('changes the given fields, clears null, and refreshes every screen', async () => {
    expect((await edit({ remark: 'x', version: 1 }, 'local')).code).toBe(200)
    expect((await edit({ remark: null, name: `新名${count}` }, 'local')).code).toBe(200)
    expect(await stored(role.id)).toMatchObject({ name: `新名${count}`, code: role.code, remark: null, version: 3 })
    expect(await fixture.told()).toMatchObject([
      { type: 'permission.changed', ref: role.id, userId: null, deptId: null, schoolId: null },
      { type: 'permission.changed' },
    ])
  })

  it('removes its rights from its holders at once when disabled', async () => {
    const { username } = await makeUser(fixture.db, { password, roles: [role.code], deptId: fixture.east.id })
    const user = await fixture.signedIn(username)
    expect((await fixture.get('/system/user/page', user)).code).toBe(200)
    expect((await edit({ status: 1 }, 'local')).code).toBe(200)
    expect((await fixture.get('/system/user/page', user)).code).toBe(403)
  })

  it('is rejected when stale, unknown, taken, reserved or invalid', async () => {
    expect(await edit({ name: 'y', version: 9 })).toMatchObject({
      code: 409,
      data: { current: { id: role.id, version: 1 } },
    })
    expect((await fixture.put('/system/role/update', { id: 999_999, name: 'y' })).code).toBe(1_002_002_000)
    expect((await edit({ name: '系统管理员' })).code).toBe(1_002_002_001)
    expect((await edit({ code: 'super_admin' })).code).toBe(1_002_002_005)
    expect((await edit({ name: null })).data).toMatchObject({ errors: [{ field: 'name' }] })
    expect((await fixture.put('/system/role/update', { name: 'y' })).data).toMatchObject({ errors: [{ field: 'id' }] })
  })

  it('is rejected when it grants more than the actor has', async () => {
    const alarms = await fixture.makeRole(`alarms_${count}`, { permissions: ['warn:record:query'] })
    const change = await fixture.put('/system/role/update', { id: alarms.id, name: 'mine' }, 'local')
    expect(change).toMatchObject({ code: 1_002_002_010, data: { params: { permission: 'warn:record:query' } } })
    expect((await fixture.remove(`/system/role/delete?id=${alarms.id}`, 'local')).code).toBe(1_002_002_010)
  })
})

describe('a built-in role', () => {
  type Change = (id: number, as?: 'local') => ReturnType<AdminFixture['put']>
  const changes: [string, Change][] = [
    ['update', (id, as) => fixture.put('/system/role/update', { id, name: 'x' }, as)],
    ['nothing', (id, as) => fixture.put('/system/role/update', { id }, as)],
    ['status', (id, as) => fixture.put('/system/role/update-status', { id, status: 1 }, as)],
    ['the status it has', (id, as) => fixture.put('/system/role/update-status', { id, status: 0, version: 1 }, as)],
    ['delete', (id, as) => fixture.remove(`/system/role/delete?id=${id}`, as)],
    ['delete-list', (id, as) => fixture.remove(`/system/role/delete-list?ids=${id}`, as)],
    ['menus', (roleId, as) => fixture.post('/system/permission/assign-role-menu', { roleId, menuIds: [] }, as)],
    ['scope', (roleId, as) => fixture.post('/system/permission/assign-role-data-scope', { roleId, dataScope: 5 }, as)],
    ['name by the other family', (id, as) => fixture.put(`/api/v1/roles/${id}`, { name: 'x' }, as)],
    ['code by the other family', (id, as) => fixture.put(`/api/v1/roles/${id}`, { id, code: 'mine' }, as)],
    ['status by the other family', (id, as) => fixture.put(`/api/v1/roles/${id}`, { status: 0 }, as)],
    ['menus by the other family', (id, as) => fixture.put(`/api/v1/roles/${id}/menus`, [], as)],
    ['delete by the other family', (id, as) => fixture.remove(`/api/v1/roles/${id}`, as)],
  ]
  const everyRole = async () => ({
    roles: await fixture.db.selectFrom('role').selectAll().orderBy('id').execute(),
    menus: await fixture.db.selectFrom('roleMenu').selectAll().orderBy('roleId').orderBy('menuId').execute(),
    depts: await fixture.db.selectFrom('roleDept').selectAll().orderBy('roleId').orderBy('deptId').execute(),
  })

  it.each(changes)('cannot be changed by anybody: %s', async (_what, change) => {
    const before = await everyRole()
    for (const { code } of roleSeeds)
      for (const as of [undefined, 'local'] as const)
        expect(await change(await fixture.roleId(code), as)).toMatchObject({
          code: 1_002_002_003,
          msg: '不能操作类型为系统内置的角色',
        })
    expect(await everyRole()).toEqual(before)
  })

  it('is not deleted with others, which stay', async () => {
    const before = await everyRole()
    for (const code of ['super_admin', 'guard'])
      for (const path of ['/api/v1/roles/', '/system/role/delete-list?ids='])
        expect((await fixture.remove(`${path}${role.id},${await fixture.roleId(code)}`)).code).toBe(1_002_002_003)
    expect(await everyRole()).toEqual(before)
  })
})

describe('deleting a role', () => {
  it('removes the row, and the audit keeps it with its menus', async () => {
    expect((await fixture.remove(`/system/role/delete?id=${role.id}`, 'local')).code).toBe(200)
    expect((await fixture.get(`/system/role/get?id=${role.id}`)).code).toBe(1_002_002_000)
    const menuIds = [await fixture.menuId('system:user:list')]
    expect(await fixture.audits('role', role.id)).toMatchObject([
      { action: 'system:role:delete', before: { code: role.code, menuIds } },
    ])
  })

  it('is rejected while somebody holds it, and for an unknown id', async () => {
    await makeUser(fixture.db, { deptId: fixture.east.id, roles: [role.code] })
    const answer = await fixture.remove(`/system/role/delete?id=${role.id}`, 'local')
    expect(answer).toMatchObject({ code: 1002, msg: '角色正在被使用，不能删除' })
    expect((await fixture.remove('/system/role/delete?id=999999')).code).toBe(1_002_002_000)
    expect((await fixture.remove('/system/role/delete')).data).toMatchObject({ errors: [{ field: 'id' }] })
  })
})

describe('roles by other spellings', () => {
  it('are enabled and disabled by their own call', async () => {
    const turn = (given: object, as?: 'local') =>
      fixture.put('/system/role/update-status', { id: role.id, ...given }, as)
    expect((await turn({ status: 1, version: 1 }, 'local')).code).toBe(200)
    expect(await stored(role.id)).toMatchObject({ enabled: false, version: 2 })
    expect((await turn({ status: 0, version: 1 })).code).toBe(409)
    expect((await turn({ status: 2 })).data).toMatchObject({ errors: [{ field: 'status' }] })
    expect((await turn({ id: 999_999, status: 0 })).code).toBe(1_002_002_000)
  })

  it('are deleted all together or not at all', async () => {
    const other = await fixture.makeRole(`other_${count}`)
    const builtIn = await fixture.roleId('super_admin')
    const refused = await fixture.remove(`/system/role/delete-list?ids=${role.id},${builtIn}`)
    expect(refused).toMatchObject({ code: 1_002_002_003, msg: '【系统管理员】不能操作类型为系统内置的角色' })
    expect(await stored(role.id)).toBeDefined()
    expect((await fixture.remove(`/system/role/delete-list?ids=${role.id},${other.id}`, 'local')).code).toBe(200)
    expect((await fixture.get(`/system/role/get?id=${other.id}`)).code).toBe(1_002_002_000)
    expect((await fixture.remove('/system/role/delete-list?ids=')).data).toMatchObject({ errors: [{ field: 'ids' }] })
  })

  it('are exported by holders of the permission', async () => {
    const { token } = await fixture.signedIn('admin')
    const sheet = async (bearer: string) =>
      fixture.app.inject({
        url: '/admin-api/system/role/export?format=csv&code=super_',
        headers: { authorization: `Bearer ${bearer}` },
      })
    const [head, line, ...more] = (await sheet(token)).body.trim().split('\r\n')
    expect(head).toContain('角色名称')
    expect(line).toMatch(/系统管理员.*super_admin.*内置.*全部数据权限.*开启/)
    expect(more).toEqual([])
    await makeUser(fixture.db, { username: `plain${count}`, password })
    expect((await sheet((await fixture.signedIn(`plain${count}`)).token)).json()).toMatchObject({ code: 403 })
  })
})
