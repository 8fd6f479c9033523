import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDept, makeUser } from '../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../test/admin-fixture.ts'

let fixture: AdminFixture
let wang: Awaited<ReturnType<typeof makeUser>>
let li: Awaited<ReturnType<typeof makeUser>>

beforeAll(async () => {
  fixture = await openAdminFixture()
  wang = await makeUser(fixture.db, {
    username: 'Wang',
    nickname: '王老师',
    deptId: fixture.eastSchool.deptId,
    mobile: '13812345678',
    email: 'wang@school.cn',
    sex: 'FEMALE',
    remark: '值班',
  })
  li = await makeUser(fixture.db, { username: 'li', deptId: fixture.westSchool.deptId, mobile: '13900001111' })
})
afterAll(() => fixture.close())

const names = (data: unknown) => (data as { list: { username: string }[] }).list.map(({ username }) => username)
const draft = { username: 'zhao', nickname: '赵', password }

describe('the page of users', () => {
  it('lists the visible users, newest first, with their total', async () => {
    const all = await fixture.get('/system/user/page')
    expect(names(all.data)).toEqual(['li', 'Wang', 'local', 'admin'])
    expect(all.data).toMatchObject({ total: 4, list: [{}, {}, {}, { roles: [{ nameEn: expect.any(String) }] }] })
    const seen = await fixture.get('/system/user/page', 'local')
    expect(names(seen.data)).toEqual(['Wang', 'local'])
    expect(seen.data).toMatchObject({ total: 2 })
  })

  it('returns rows in the wire form: numbers for enums, instants in ms, no password', async () => {
    const { data } = await fixture.get('/system/user/page?username=wang')
    expect((data as unknown as { list: unknown[] }).list).toEqual([
      {
        id: wang.id,
        username: 'Wang',
        nickname: '王老师',
        remark: '值班',
        userType: 1,
        deptId: wang.deptId,
        deptName: fixture.eastSchool.name,
        email: 'wang@school.cn',
        mobile: '13812345678',
        sex: 2,
        avatar: null,
        postIds: [],
        status: 0,
        pending: false,
        loginIp: null,
        loginDate: null,
        createTime: wang.createTime.getTime(),
        version: 1,
        roles: [],
      },
    ])
  })

  it.each([
    ['username=WAN', ['Wang']],
    ['mobile=1234', ['Wang']],
    ['status=1', []],
    ['createTime[0]=2000-01-01&createTime[1]=2001-01-01', []],
    ['createTime[0]=2000-01-01&createTime[1]=2100-01-01&username=li', ['li']],
    ['pageNo=2&pageSize=3', ['admin']],
    ['pageNum=2&pageSize=3', ['admin']],
  ])('is filtered by %s', async (query, found) => {
    expect(names((await fixture.get(`/system/user/page?${query}`)).data)).toEqual(found)
  })

  it('is filtered by the holders of a role', async () => {
    const roleId = await fixture.roleId('local_admin')
    expect(names((await fixture.get(`/system/user/page?roleId=${roleId}`)).data)).toEqual(['local'])
  })

  it('is filtered by a department with all below it', async () => {
    expect(names((await fixture.get(`/system/user/page?deptId=${fixture.east.id}`)).data)).toEqual(['Wang', 'local'])
    expect(names((await fixture.get(`/system/user/page?deptId=${fixture.west.id}`, 'local')).data)).toEqual([])
  })

  it.each(['status=2', 'deptId=x', 'createTime=yesterday', 'pageSize=201', 'color=red'])(
    'refuses %s',
    async (query) => {
      const { code, data } = await fixture.get(`/system/user/page?${query}`)
      expect(code).toBe(400)
      expect(data).toMatchObject({ errors: [{ field: expect.stringMatching(query.split('=')[0] ?? '') }] })
    },
  )

  it('masks contact data for callers without the permission, and searches only the masks', async () => {
    const find = (mobile: string) => fixture.get(`/system/user/page?mobile=${mobile}`, 'local')
    const [row] = ((await find('5678')).data as unknown as { list: unknown[] }).list
    expect(row).toMatchObject({ mobile: '138****5678', email: 'w***@school.cn' })
    expect(names((await find('1234')).data)).toEqual([])
    expect(names((await find('13812345678')).data)).toEqual(['Wang'])
  })
})

describe('one user', () => {
  it('is returned whole, or is not found', async () => {
    expect((await fixture.get(`/system/user/get?id=${wang.id}`)).data).toMatchObject({ username: 'Wang' })
    expect(await fixture.get('/system/user/get?id=999999')).toMatchObject({ code: 1_002_003_003, msg: '用户不存在' })
    expect(await fixture.get(`/system/user/get?id=${li.id}`, 'local')).toMatchObject({ code: 1_002_003_003 })
    expect((await fixture.get('/system/user/get')).data).toMatchObject({ errors: [{ field: 'id' }] })
  })

  it('is offered by name to every user who can see the user', async () => {
    const { data } = await fixture.get('/system/user/list-all-simple', 'local')
    expect(data).toEqual([
      { id: fixture.local.id, nickname: 'local', deptId: fixture.east.id, deptName: '东区教育局' },
      { id: wang.id, nickname: '王老师', deptId: wang.deptId, deptName: fixture.eastSchool.name },
    ])
    expect((await fixture.get('/api/v1/users/options', 'local')).data).toEqual([
      { value: String(fixture.local.id), label: 'local' },
      { value: String(wang.id), label: '王老师' },
    ])
  })
})

describe('creating a user', () => {
  it('creates an account that must change its password first, and audits it without the password', async () => {
    const body = { ...draft, deptId: fixture.eastSchool.deptId, sex: 1, mobile: '13700000001' }
    const { code, data } = await fixture.post('/system/user/create', body, 'local')
    expect(code).toBe(200)
    const id = Number(data)
    expect(await fixture.user(id)).toMatchObject({
      type: 'STAFF',
      sex: 'MALE',
      enabled: true,
      creator: fixture.local.id,
    })
    expect((await fixture.signIn('zhao', password)).data).toMatchObject({ mustChangePassword: true })
    const audits = await fixture.audits('users', id)
    expect(audits).toMatchObject([{ action: 'system:user:create', username: 'local', before: null }])
    expect(JSON.stringify(audits)).not.toMatch(/argon2|Maple/)
  })

  it('uses the own department when none is given', async () => {
    const { data } = await fixture.post('/system/user/create', { ...draft, username: 'home' }, 'local')
    expect((await fixture.user(Number(data))).deptId).toBe(fixture.east.id)
  })

  it.each([
    ['username', 'a'],
    ['username', '王'],
    ['nickname', ' '],
    ['password', 'short'],
    ['mobile', '1380000000'],
    ['mobile', '138****5678'],
    ['email', 'nobody'],
    ['sex', 3],
    ['deptId', 'x'],
    ['isAdmin', true],
  ])('refuses %s = %s by name', async (field, value) => {
    const { code, data } = await fixture.post('/system/user/create', { ...draft, username: 'bad', [field]: value })
    expect(code).toBe(400)
    expect(data).toMatchObject({ errors: [{ field }] })
  })

  it.each([
    [{ username: 'WANG' }, 1_002_003_000, '用户账号已经存在'],
    [{ mobile: '13812345678' }, 1_002_003_001, '手机号已经存在'],
    [{ email: 'WANG@school.cn' }, 1_002_003_002, '邮箱已经存在'],
    [{ password: 'Password123' }, 1_002_003_010, '密码过于简单：属于最常见的密码'],
  ])('refuses %j', async (given, code, msg) => {
    expect(await fixture.post('/system/user/create', { ...draft, username: 'second', ...given })).toMatchObject({
      code,
      msg,
    })
  })

  it('rejects an invisible, unknown or disabled department', async () => {
    const closed = await makeDept(fixture.db, { name: '已撤销', parentId: fixture.east.id, enabled: false })
    fixture.forget()
    const create = (deptId: number) =>
      fixture.post('/system/user/create', { ...draft, username: 'nowhere', deptId }, 'local')
    expect((await create(fixture.west.id)).code).toBe(1_002_004_002)
    expect((await create(999_999)).code).toBe(1_002_004_002)
    expect(await create(closed.id)).toMatchObject({
      code: 1_002_004_006,
      msg: '部门【已撤销】不处于开启状态，不允许选择',
    })
  })
})

describe('changing a user', () => {
  it.each(['/system/user/update', '/admin-user/update', '/system/admin-user/update'])('works by %s', async (path) => {
    expect((await fixture.put(path, { id: wang.id, remark: path })).code).toBe(200)
    expect((await fixture.user(wang.id)).remark).toBe(path)
  })

  it('keeps absent fields, clears null ones, increments the version and notifies the screens', async () => {
    const { version } = await fixture.user(wang.id)
    await fixture.told()
    expect((await fixture.put('/system/user/update', { id: wang.id, remark: null, version })).code).toBe(200)
    expect(await fixture.user(wang.id)).toMatchObject({ remark: null, nickname: '王老师', version: version + 1 })
    expect(await fixture.told()).toMatchObject([{ type: 'permission.changed', userId: wang.id }])
    const last = (await fixture.audits('users', wang.id)).at(-1)
    expect(last).toMatchObject({ before: { version }, after: { version: version + 1, remark: null } })
  })

  it('rejects a stale version with the current row', async () => {
    const { version } = await fixture.user(wang.id)
    const stale = await fixture.put('/system/user/update', { id: wang.id, nickname: '迟', version: version - 1 })
    expect(stale).toMatchObject({
      code: 409,
      data: { current: { id: wang.id, version, nickname: '王老师', status: 0 } },
    })
  })

  it('treats the displayed mask as no change, and another mask as invalid', async () => {
    const edit = (given: object) => fixture.put('/system/user/update', { id: wang.id, ...given }, 'local')
    expect((await edit({ mobile: '138****5678', email: 'w***@school.cn' })).code).toBe(200)
    expect(await fixture.user(wang.id)).toMatchObject({ mobile: '13812345678', email: 'wang@school.cn' })
    expect((await edit({ mobile: '139****5678' })).data).toMatchObject({ errors: [{ field: 'mobile' }] })
    expect((await edit({ email: 'x***@school.cn' })).data).toMatchObject({ errors: [{ field: 'email' }] })
  })

  it.each([
    ['nickname', null],
    ['deptId', null],
    ['sex', 9],
    ['password', 'Another-pass-77'],
    ['postIds', [99]],
    ['avatar', 'https://example.com/a.png'],
    ['id', 'x'],
  ])('refuses %s = %s by name', async (field, value) => {
    const { data } = await fixture.put('/system/user/update', { id: wang.id, [field]: value })
    expect(data).toMatchObject({ errors: [{ field }] })
  })

  it('rejects an invisible user, and a move to an invisible department', async () => {
    expect((await fixture.put('/system/user/update', { id: li.id, nickname: 'x' }, 'local')).code).toBe(1_002_003_003)
    const away = await fixture.put('/system/user/update', { id: wang.id, deptId: fixture.west.id }, 'local')
    expect(away.code).toBe(1_002_004_002)
    expect((await fixture.put('/system/user/update', { id: 999_999, nickname: 'x' })).code).toBe(1_002_003_003)
  })

  it('rejects a move that would show the user more than the caller can see', async () => {
    await fixture.makeRole('whole_tree', { dataScope: 'DEPT_AND_CHILD' })
    const low = await makeUser(fixture.db, { deptId: fixture.eastSchool.deptId, roles: ['whole_tree'] })
    await fixture.makeRole('two_depts', {
      dataScope: 'CUSTOM',
      deptIds: [fixture.east.id, fixture.eastSchool.deptId],
      permissions: ['system:user:update'],
    })
    const { id } = await makeDept(fixture.db, { name: '东区二局', parentId: fixture.east.id })
    await makeUser(fixture.db, {
      username: 'twodepts',
      password,
      deptId: fixture.eastSchool.deptId,
      roles: ['two_depts'],
    })
    const narrow = await fixture.signedIn('twodepts')
    const moved = await fixture.put('/system/user/update', { id: low.id, deptId: fixture.east.id }, narrow)
    expect(moved).toMatchObject({ code: 1_002_002_011 })
    expect((await fixture.user(low.id)).deptId).toBe(fixture.eastSchool.deptId)
    expect(id).toBeGreaterThan(0)
  })

  it('rejects an edit of a user with more rights without the security permission', async () => {
    const chief = await makeUser(fixture.db, { deptId: fixture.east.id, roles: ['command_operator'] })
    const edit = { id: chief.id, email: 'mine@school.cn' }
    expect(await fixture.put('/system/user/update', edit, 'local')).toMatchObject({ code: 1_002_003_022 })
    expect((await fixture.put('/system/user/update', edit)).code).toBe(200)
  })
})
