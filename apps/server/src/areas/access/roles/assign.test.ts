import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../test/admin-fixture.ts'

let fixture: AdminFixture
let role: Awaited<ReturnType<AdminFixture['makeRole']>>
let count = 0

beforeAll(async () => {
  fixture = await openAdminFixture()
})
beforeEach(async () => {
  count += 1
  role = await fixture.makeRole(`role_${count}`)
  await fixture.told()
})
afterAll(() => fixture.close())

const holder = async (deptId: number) => {
  const { username } = await makeUser(fixture.db, { password, deptId, roles: [role.code] })
  return fixture.signedIn(username)
}

describe('the menus of a role', () => {
  const assign = (menuIds: unknown, as?: 'local', given = {}) =>
    fixture.post('/system/permission/assign-role-menu', { roleId: role.id, menuIds, ...given }, as)
  const ticked = async () =>
    (await fixture.get(`/system/permission/list-role-menus?roleId=${role.id}`)).data as unknown as number[]

  it('are replaced, effective with the next call, and refresh every screen', async () => {
    const user = await holder(fixture.east.id)
    expect((await fixture.get('/system/user/page', user)).code).toBe(403)
    const id = await fixture.menuId('system:user:list')
    expect((await assign([id, id], 'local')).code).toBe(200)
    expect((await fixture.get('/system/user/page', user)).code).toBe(200)
    expect(await ticked()).toEqual([id])
    expect(await fixture.told()).toMatchObject([
      { type: 'permission.changed', userId: null, deptId: null, schoolId: null },
    ])
    expect((await assign(undefined, 'local', { version: 2 })).code).toBe(200)
    expect((await fixture.get('/system/user/page', user)).code).toBe(403)
    expect(await fixture.audits('role', role.id)).toMatchObject([
      { action: 'system:permission:assign-role-menu', before: { menuIds: [] }, after: { menuIds: [id] } },
      { before: { menuIds: [id] }, after: { menuIds: [] } },
    ])
  })

  it('of the system administrator are all of them', async () => {
    const all = await fixture.db.selectFrom('menu').select('id').orderBy('id').execute()
    const id = await fixture.roleId('super_admin')
    const answer = await fixture.get(`/system/permission/list-role-menus?roleId=${id}`)
    expect(answer.data).toEqual(all.map((menu) => menu.id))
    expect((await fixture.get('/system/permission/list-role-menus?roleId=999999')).code).toBe(1_002_002_000)
  })

  it('cannot grant an entry that shares another spelling with one that the actor has', async () => {
    const calls = ['system:user:list', 'system:permission:assign-role-menu']
    const menuIds = await Promise.all(calls.map((permission) => fixture.menuId(permission)))
    const mine = await fixture.makeRole(`giver_${count}`)
    const given = { roleId: mine.id, menuIds }
    expect((await fixture.post('/system/permission/assign-role-menu', given)).code).toBe(200)
    const { username } = await makeUser(fixture.db, { password, deptId: fixture.east.id, roles: [mine.code] })
    const giver = await fixture.signedIn(username)
    const twin = [await fixture.menuId('system:user:query')]
    const answer = await fixture.post('/system/permission/assign-role-menu', { roleId: role.id, menuIds: twin }, giver)
    expect(answer).toMatchObject({ code: 1_002_002_010 })
    expect(await ticked()).toEqual([])
  })

  it('cannot grant what the actor lacks, not even partly', async () => {
    const own = await fixture.menuId('system:user:list')
    for (const permission of ['warn:record:query', 'system:user:security'])
      expect(await assign([own, await fixture.menuId(permission)], 'local')).toMatchObject({
        code: 1_002_002_010,
        data: { params: { permission } },
      })
    expect(await ticked()).toEqual([])
  })

  it('cannot be removed from a role that has more than the actor', async () => {
    expect((await assign([await fixture.menuId('warn:record:query')])).code).toBe(200)
    expect((await assign([], 'local')).code).toBe(1_002_002_010)
    expect(await ticked()).toHaveLength(1)
  })

  it('are rejected when unknown, stale or invalid', async () => {
    expect((await assign([999_999])).code).toBe(1_002_001_003)
    expect(await assign([], undefined, { version: 5 })).toMatchObject({ code: 409, data: { current: { id: role.id } } })
    expect((await assign(['x'])).data).toMatchObject({ errors: [{ field: 'menuIds.0' }] })
    expect((await assign([], undefined, { roleId: 999_999 })).code).toBe(1_002_002_000)
    expect((await fixture.post('/system/permission/assign-role-menu', {})).data).toMatchObject({
      errors: [{ field: 'roleId' }],
    })
    expect((await fixture.get('/system/permission/list-role-menus')).data).toMatchObject({
      errors: [{ field: 'roleId' }],
    })
  })
})

describe('the data scope of a role', () => {
  const assign = (dataScope: unknown, given = {}, as?: 'local') =>
    fixture.post('/system/permission/assign-role-data-scope', { roleId: role.id, dataScope, ...given }, as)
  const stored = async () => (await fixture.get(`/system/role/get?id=${role.id}`)).data

  it('changes at once what its holders see', async () => {
    const menuIds = [await fixture.menuId('system:user:list')]
    await fixture.post('/system/permission/assign-role-menu', { roleId: role.id, menuIds })
    const item = await holder(fixture.eastSchool.deptId)
    const seen = async () => {
      const { data } = await fixture.get('/system/user/page?pageSize=200', item)
      const usernames = (data['list'] as unknown as { username: string }[]).map((user) => user.username)
      return { own: usernames.length === 1, east: usernames.includes('local'), all: usernames.includes('admin') }
    }
    expect((await assign(5)).code).toBe(200)
    expect(await seen()).toEqual({ own: true, east: false, all: false })
    expect((await assign(2, { dataScopeDeptIds: [fixture.east.id, fixture.east.id] }, 'local')).code).toBe(200)
    expect(await stored()).toMatchObject({ dataScope: 2, dataScopeDeptIds: [fixture.east.id] })
    expect(await seen()).toEqual({ own: false, east: true, all: false })
    expect((await assign(1)).code).toBe(200)
    expect(await seen()).toEqual({ own: false, east: true, all: true })
    expect(await stored()).toMatchObject({ dataScope: 1, dataScopeDeptIds: [] })
    expect((await fixture.audits('role', role.id)).at(-1)).toMatchObject({
      action: 'system:permission:assign-role-data-scope',
      before: { dataScope: 'CUSTOM', dataScopeDeptIds: [fixture.east.id] },
      after: { dataScope: 'ALL', dataScopeDeptIds: [] },
    })
    const result = await fixture.told()
    expect(result.filter(({ type, userId }) => type === 'permission.changed' && userId === null)).toHaveLength(4)
  })

  it('is limited by the visibility of the actor, for any holder of the role', async () => {
    await holder(fixture.eastSchool.deptId)
    expect((await assign(1, {}, 'local')).code).toBe(1_002_002_011)
    expect((await assign(2, { dataScopeDeptIds: [fixture.west.id] }, 'local')).code).toBe(1_002_004_002)
    expect((await assign(4, {}, 'local')).code).toBe(200)
    await makeUser(fixture.db, { deptId: fixture.west.id, roles: [role.code] })
    expect((await assign(3, {}, 'local')).code).toBe(1_002_002_011)
    expect(await stored()).toMatchObject({ dataScope: 4 })
  })

  it('hides departments from those who cannot see them, who then cannot change them either', async () => {
    const { east, west } = fixture
    expect((await assign(2, { dataScopeDeptIds: [east.id, west.id] })).code).toBe(200)
    const seen = (await fixture.get(`/system/role/get?id=${role.id}`, 'local')).data
    expect(seen).toMatchObject({ dataScope: 2, dataScopeDeptIds: [east.id] })
    const { data } = await fixture.get(`/system/role/page?code=${role.code}`, 'local')
    expect(data).toMatchObject({ list: [{ dataScopeDeptIds: [east.id] }] })
    expect((await assign(2, { dataScopeDeptIds: [east.id] }, 'local')).code).toBe(1_002_002_011)
    expect(await stored()).toMatchObject({ dataScope: 2, dataScopeDeptIds: [east.id, west.id] })
  })

  it('needs the same permission in the /api/v1 form, and loses no chosen department', async () => {
    const put = (form: object, as?: 'local' | { token: string }) => fixture.put(`/api/v1/roles/${role.id}`, form, as)
    expect((await put({ name: role.name, dataScope: 3 }, 'local')).code).toBe(200)
    expect(await stored()).toMatchObject({ dataScope: 5 })
    expect((await fixture.audits('role', role.id)).at(-1)).toMatchObject({
      action: 'system:permission:assign-role-data-scope',
      after: { dataScope: 'SELF' },
    })
    expect((await put({ sort: 8, dataScope: 0 }, 'local')).code).toBe(1_002_002_011)
    const editor = await fixture.makeRole(`edits_${role.code}`, {
      permissions: ['system:role:create', 'system:role:update'],
    })
    const { username } = await makeUser(fixture.db, { password, deptId: fixture.east.id, roles: [editor.code] })
    const user = await fixture.signedIn(username)
    const right = { permission: 'system:permission:assign-role-data-scope' }
    const lacking = { code: 1_002_002_010, data: { params: right } }
    expect(await put({ sort: 8, dataScope: 2 }, user)).toMatchObject(lacking)
    const made = (dataScope: number) =>
      fixture.post('/api/v1/roles', { name: `新${role.code}`, code: `new_${role.code}`, dataScope }, user)
    expect(await made(3)).toMatchObject(lacking)
    expect((await made(2)).code).toBe(200)
    expect(await stored()).toMatchObject({ dataScope: 5, sort: role.sort })
    expect((await put({ sort: 8, dataScope: 3 }, user)).code).toBe(200)
    expect((await assign(2, { dataScopeDeptIds: [fixture.east.id] })).code).toBe(200)
    expect((await put({ sort: 9, dataScope: 2 })).code).toBe(200)
    expect((await put({ dataScope: 0 })).data).toMatchObject({ errors: [{ field: 'dataScope' }] })
    expect(await stored()).toMatchObject({ dataScope: 2, dataScopeDeptIds: [fixture.east.id], sort: 9 })
  })

  it('is rejected when unknown, stale or invalid', async () => {
    expect((await assign(6)).data).toMatchObject({ errors: [{ field: 'dataScope' }] })
    expect((await assign(2, { dataScopeDeptIds: [999_999] })).code).toBe(1_002_004_002)
    expect((await assign(2, { dataScopeDeptIds: ['x'] })).data).toMatchObject({
      errors: [{ field: 'dataScopeDeptIds.0' }],
    })
    expect((await assign(3, { version: 5 })).code).toBe(409)
    expect((await assign(3, { roleId: 999_999 })).code).toBe(1_002_002_000)
  })
})
