import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeDept, makeUser } from '../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../test/admin-fixture.ts'

let fixture: AdminFixture
let user: Awaited<ReturnType<typeof makeUser>>

beforeAll(async () => {
  fixture = await openAdminFixture()
  await fixture.makeRole('reader', { permissions: ['system:user:list', 'system:user:query'] })
  await fixture.makeRole('alarms', { permissions: ['warn:record:query'] })
  await fixture.makeRole('everywhere', { dataScope: 'ALL' })
  await fixture.makeRole('western', { dataScope: 'CUSTOM', deptIds: [fixture.west.id] })
  await fixture.makeRole('downward', { dataScope: 'DEPT_AND_CHILD' })
  await fixture.makeRole('closed')
  await fixture.db.updateTable('role').set({ enabled: false }).where('code', '=', 'closed').execute()
})
beforeEach(async () => {
  user = await makeUser(fixture.db, { password, deptId: fixture.eastSchool.deptId })
})
afterAll(() => fixture.close())

const assign = async (codes: string[], as?: 'local', version?: number) => {
  const roleIds = await Promise.all(codes.map((code) => fixture.roleId(code)))
  return fixture.post(
    '/system/permission/assign-user-role',
    { userId: user.id, roleIds, ...(version && { version }) },
    as,
  )
}
const list = async (as?: 'local') =>
  (await fixture.get(`/system/permission/list-user-roles?userId=${user.id}`, as)).data as unknown as number[]

describe('assigning roles to a user', () => {
  it('replaces them, applies at the next call, and is audited', async () => {
    const item = await fixture.signedIn(user.username)
    expect((await fixture.get('/system/user/page', item)).code).toBe(403)
    await fixture.told()
    expect((await assign(['reader'], 'local')).code).toBe(200)
    expect((await fixture.get('/system/user/page', item)).code).toBe(200)
    expect(await fixture.told()).toMatchObject([{ type: 'permission.changed', userId: user.id }])
    const reader = await fixture.roleId('reader')
    expect(await list('local')).toEqual([reader])
    expect((await assign([], 'local')).code).toBe(200)
    expect((await fixture.get('/system/user/page', item)).code).toBe(403)
    expect(await fixture.audits('users', user.id)).toMatchObject([
      { action: 'system:permission:assign-user-role', before: { roleIds: [] }, after: { roleIds: [reader] } },
      { action: 'system:user:list', after: { ids: [user.id] } },
      { before: { roleIds: [reader] }, after: { roleIds: [] } },
    ])
  })

  it.each([
    ['alarms', 1_002_002_010],
    ['everywhere', 1_002_002_011],
    ['western', 1_002_002_011],
    ['super_admin', 1_002_002_012],
    ['closed', 1_002_002_004],
  ])('rejects %s, which exceeds the rights of the assigner', async (code, refused) => {
    expect((await assign(['reader', code], 'local')).code).toBe(refused)
    expect(await list()).toEqual([])
  })

  it('permits everything to the system administrator, and to others what is within their own rights', async () => {
    expect((await assign(['super_admin', 'everywhere', 'alarms'])).code).toBe(200)
    expect((await assign([])).code).toBe(200)
    expect((await assign(['downward'], 'local')).code).toBe(200)
  })

  it('derives the scope of a role from the department of its holder', async () => {
    await fixture.makeRole('one_dept', { permissions: ['system:permission:assign-user-role'] })
    await makeUser(fixture.db, { username: 'flat', password, deptId: fixture.east.id, roles: ['one_dept'] })
    const flat = await fixture.signedIn('flat')
    user = await makeUser(fixture.db, { deptId: fixture.east.id })
    const give = async (code: string) =>
      (
        await fixture.post(
          '/system/permission/assign-user-role',
          { userId: user.id, roleIds: [await fixture.roleId(code)] },
          flat,
        )
      ).code
    expect(await give('downward')).toBe(1_002_002_011)
    expect(await give('one_dept')).toBe(200)
  })

  it('rejects removing roles from a user with more rights', async () => {
    await assign(['alarms'])
    expect((await assign([], 'local')).code).toBe(1_002_003_022)
    expect(await list()).toHaveLength(1)
  })

  it('rejects an invisible user', async () => {
    user = await makeUser(fixture.db, { deptId: fixture.west.id })
    expect((await assign(['reader'], 'local')).code).toBe(1_002_003_003)
    const answer = await fixture.get(`/system/permission/list-user-roles?userId=${user.id}`, 'local')
    expect(answer.code).toBe(1_002_003_003)
  })

  it('rejects an unknown role and a stale version, and names invalid fields', async () => {
    const send = (body: object) => fixture.post('/system/permission/assign-user-role', { userId: user.id, ...body })
    expect((await send({ roleIds: [999_999] })).code).toBe(1_002_002_000)
    expect(await assign(['reader'], undefined, 9)).toMatchObject({ code: 409, data: { current: { id: user.id } } })
    expect((await send({ roleIds: ['x'] })).data).toMatchObject({ errors: [{ field: 'roleIds.0' }] })
    expect((await send({})).data).toMatchObject({ errors: [{ field: 'roleIds' }] })
    expect((await fixture.get('/system/permission/list-user-roles')).data).toMatchObject({
      errors: [{ field: 'userId' }],
    })
  })
})

describe('creating a user with roles', () => {
  const create = async (username: string, codes: string[], as?: Parameters<typeof fixture.post>[2]) => {
    const roleIds = await Promise.all(codes.map((code) => fixture.roleId(code)))
    const body = { username, nickname: '新人', password, deptId: fixture.eastSchool.deptId, roleIds }
    return fixture.post('/system/user/create', body, as)
  }
  const found = async (username: string) => (await fixture.get(`/system/user/page?username=${username}`)).data['total']

  it('grants them at once, and audits who granted them', async () => {
    const { code, data } = await create('with.roles', ['reader'], 'local')
    expect(code).toBe(200)
    const held = await fixture.get(`/system/permission/list-user-roles?userId=${Number(data)}`)
    expect(held.data).toEqual([await fixture.roleId('reader')])
    expect(await fixture.audits('users', Number(data))).toMatchObject([
      { action: 'system:user:create' },
      { action: 'system:permission:assign-user-role', after: { roleIds: [await fixture.roleId('reader')] } },
    ])
  })

  it('is rejected when a role exceeds the rights of the caller, or the caller may not assign roles', async () => {
    expect((await create('too.much', ['reader', 'alarms'], 'local')).code).toBe(1_002_002_010)
    await fixture.makeRole('creator', { permissions: ['system:user:create', 'system:user:query'] })
    await makeUser(fixture.db, { username: 'creator', password, deptId: fixture.eastSchool.deptId, roles: ['creator'] })
    const creator = await fixture.signedIn('creator')
    expect((await create('not.his', ['creator'], creator)).code).toBe(403)
    expect([await found('too.much'), await found('not.his')]).toEqual([0, 0])
    expect((await create('plain', [], creator)).code).toBe(200)
  })
})

describe('accounts of schools', () => {
  const draft = { username: 'school.one', nickname: '校方', password }

  it('are users of type 2 with the department of their school', async () => {
    const body = { ...draft, schoolId: fixture.eastSchool.id, jobTitle: '主任' }
    const { code, data } = await fixture.post('/bully/merchant-user/create', body, 'local')
    expect(code).toBe(200)
    const page = await fixture.get('/bully/merchant-user/page', 'local')
    expect(page.data).toMatchObject({
      total: 1,
      list: [
        { id: data, userType: 2, deptId: fixture.eastSchool.deptId, schoolId: fixture.eastSchool.id, jobTitle: '主任' },
      ],
    })
    expect(await fixture.audits('users', Number(data))).toMatchObject([
      { action: 'bully:merchant-user:create' },
      { action: 'bully:merchant-user:query', after: { ids: [data] } },
    ])
  })

  it('of invisible schools are neither created nor listed', async () => {
    const body = { ...draft, username: 'school.two', schoolId: fixture.westSchool.id }
    expect((await fixture.post('/bully/merchant-user/create', body, 'local')).msg).toBe('学校不存在')
    expect((await fixture.post('/bully/merchant-user/create', body)).code).toBe(200)
    expect((await fixture.get('/bully/merchant-user/page', 'local')).data).toMatchObject({ total: 1 })
    const west = await fixture.get(`/bully/merchant-user/page?schoolId=${fixture.westSchool.id}`)
    expect(west.data).toMatchObject({ total: 1, list: [{ username: 'school.two' }] })
  })

  it('are exported like the list, masked and audited', async () => {
    const named = { nickname: '=公式', mobile: '13912345678', schoolId: fixture.eastSchool.id }
    await fixture.post('/bully/merchant-user/create', { ...draft, ...named, username: 'school.csv' })
    const download = async (query: string, username: string) => {
      const { token } = await fixture.signedIn(username)
      const url = `/admin-api/bully/merchant-user/export?format=csv&${query}`
      const { headers, body } = await fixture.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
      return { type: headers['content-type'], lines: body.trim().split('\r\n') }
    }
    const { type, lines } = await download('username=school.csv', 'local')
    expect(type).toBe('text/csv; charset=utf-8')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`"school.csv","'=公式"`)
    expect(lines[1]).toContain('"139****5678"')
    expect((await download('', 'local')).lines).toHaveLength(3)
    const clear = await download('', 'admin')
    expect(clear.lines).toHaveLength(4)
    expect(clear.lines.join()).toContain('"13912345678"')
    const { rows } = await fixture.pool.query<{ username: string }>(
      `select username from audit_log where action = 'bully:merchant-user:export' order by id`,
    )
    expect(rows.map(({ username }) => username)).toEqual(['local', 'local', 'admin'])
  })

  it('are rejected when moved to a department that is no school', async () => {
    const { data } = await fixture.get('/bully/merchant-user/page?username=school.one')
    const [{ id }] = data['list'] as unknown as [{ id: number }]
    const office = await makeDept(fixture.db, { parentId: fixture.east.id })
    const move = (deptId: number) => fixture.put('/system/user/update', { id, deptId })
    expect((await move(office.id)).data).toMatchObject({ errors: [{ field: 'deptId' }] })
    expect((await move(fixture.westSchool.deptId)).code).toBe(200)
    const moved = await fixture.get('/bully/merchant-user/page?username=school.one')
    expect(moved.data).toMatchObject({ list: [{ schoolId: fixture.westSchool.id }] })
  })

  it('name the invalid field, and the taken user name', async () => {
    const create = (given: object) =>
      fixture.post('/bully/merchant-user/create', { ...draft, schoolId: fixture.eastSchool.id, ...given })
    expect(await create({ username: 'SCHOOL.one' })).toMatchObject({ code: 1_002_003_000, msg: '用户账号已经存在' })
    expect((await create({ schoolId: null })).data).toMatchObject({ errors: [{ field: 'schoolId' }] })
    expect((await create({ deptId: 1 })).data).toMatchObject({ errors: [{ field: 'deptId' }] })
  })
})
