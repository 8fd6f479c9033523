import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deptByCode, makeDept, makeUser } from '../../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../../test/admin-fixture.ts'

let fixture: AdminFixture
let dept: Awaited<ReturnType<typeof makeDept>>
let count = 0

beforeAll(async () => {
  fixture = await openAdminFixture()
})
beforeEach(async () => {
  count += 1
  dept = await makeDept(fixture.db, { name: `科室${count}`, parentId: fixture.east.id, phone: '010-1234' })
  fixture.forget()
  await fixture.told()
})
afterAll(() => fixture.close())

type Listed = { id: number; name: string; parentId: number }
const list = async (path: string, as?: 'local') => (await fixture.get(path, as)).data as unknown as Listed[]
const stored = (id: number) => fixture.db.selectFrom('dept').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const create = (given: object, as?: 'local') =>
  fixture.post('/system/dept/create', { name: `新${count}`, parentId: fixture.east.id, sort: 1, ...given }, as)
const edit = (given: object, as?: 'local') => fixture.put('/system/dept/update', { id: dept.id, ...given }, as)

describe('reading departments', () => {
  it('returns the whole tree, or its visible part', async () => {
    const all = await list('/system/dept/list')
    expect(all.find(({ id }) => id === fixture.east.id)).toMatchObject({
      parentId: await deptByCode(fixture.db, 'EDU'),
    })
    expect(all.filter(({ parentId }) => parentId === 0).length).toBeGreaterThan(1)
    const seen = (await list('/system/dept/list', 'local')).map(({ id }) => id)
    expect(seen.sort()).toEqual([fixture.east.id, fixture.eastSchool.deptId, dept.id].sort())
    expect((await list('/system/dept/simple-list', 'local')).find(({ id }) => id === dept.id)).toEqual({
      id: dept.id,
      name: dept.name,
      nameEn: null,
      parentId: fixture.east.id,
    })
  })

  it('filters by name and status; choices hold only enabled ones', async () => {
    await fixture.db.updateTable('dept').set({ enabled: false }).where('id', '=', dept.id).execute()
    expect((await list('/system/dept/list?status=1')).map(({ id }) => id)).toEqual([dept.id])
    expect((await list(`/system/dept/list?name=科室${count}&status=0`)).map(({ id }) => id)).toEqual([])
    expect((await list('/system/dept/list-all-simple')).map(({ id }) => id)).not.toContain(dept.id)
    expect((await fixture.get('/system/dept/list?status=x')).data).toMatchObject({ errors: [{ field: 'status' }] })
    await fixture.db.deleteFrom('dept').where('id', '=', dept.id).execute()
  })

  it('returns one in the wire form; one that is not visible does not exist', async () => {
    expect((await fixture.get(`/system/dept/get?id=${dept.id}`, 'local')).data).toMatchObject({
      name: dept.name,
      kind: 'EDU_BUREAU',
      phone: '****34',
      leaderUserId: null,
      status: 0,
    })
    expect((await fixture.get(`/system/dept/get?id=${fixture.west.id}`, 'local')).code).toBe(1_002_004_002)
    expect(await fixture.get('/system/dept/get?id=999999')).toMatchObject({
      code: 1_002_004_002,
      msg: '当前部门不存在',
    })
    await fixture.db.deleteFrom('dept').where('id', '=', dept.id).execute()
  })
})

describe('numbers and addresses of a department', () => {
  const contact = { phone: '13812345678', email: 'li.ming@example.com' }
  const hidden = { phone: '138****5678', email: 'l***@example.com' }
  const read = async () => {
    const rows = await fixture.audits('dept', dept.id)
    return rows.map(({ action, username, after }) => [action, username, after])
  }

  it('are masked without the permission to see them; every read of the full values is audited', async () => {
    expect((await edit(contact)).code).toBe(200)
    await edit({ sort: 2 })
    const found = `/system/dept/list?name=科室${count}`
    expect(await list(found)).toMatchObject([contact])
    expect(await list(found, 'local')).toMatchObject([hidden])
    expect((await fixture.get(`/system/dept/get?id=${dept.id}`)).data).toMatchObject(contact)
    expect((await fixture.get(`/system/dept/get?id=${dept.id}`, 'local')).data).toMatchObject(hidden)
    expect((await edit({ sort: 3, version: 99 }, 'local')).data).toMatchObject({ current: hidden })
    const ids = [dept.id]
    const [first, some] = [
      { call: '/system/dept/get', ids },
      { call: '/system/dept/list', count: 1, ids },
    ]
    expect((await read()).slice(2)).toMatchObject([
      ['system:user:reveal', 'admin', some],
      ['system:dept:query', 'local', some],
      ['system:user:reveal', 'admin', first],
      ['system:dept:query', 'local', first],
    ])
  })

  it('leave no audit row when there are none', async () => {
    await edit({ phone: null })
    await list(`/system/dept/list?name=科室${count}`)
    await fixture.get(`/system/dept/get?id=${dept.id}`)
    expect((await read()).map(([action]) => action)).toEqual(['system:dept:update'])
  })

  it('stay unchanged when their masks come back; any other mask is rejected', async () => {
    await edit(contact)
    expect((await edit({ ...hidden, sort: 7 }, 'local')).code).toBe(200)
    expect(await stored(dept.id)).toMatchObject({ ...contact, sort: 7 })
    expect((await edit({ phone: '139****5678' })).data).toMatchObject({ errors: [{ field: 'phone' }] })
    expect((await edit({ email: 'x***@example.com' })).data).toMatchObject({ errors: [{ field: 'email' }] })
    expect((await create(hidden)).code).toBe(400)
  })
})

describe('creating a department', () => {
  it('takes the kind of its parent, is visible at once, and is audited', async () => {
    const { code, data } = await create({ leaderUserId: fixture.local.id }, 'local')
    expect(code).toBe(200)
    const id = Number(data)
    expect(await stored(id)).toMatchObject({
      kind: 'EDU_BUREAU',
      parentId: fixture.east.id,
      leaderUserId: fixture.local.id,
    })
    expect((await fixture.get(`/system/dept/get?id=${id}`, 'local')).code).toBe(200)
    expect(await fixture.told()).toMatchObject([{ type: 'permission.changed', userId: null, deptId: null }])
    expect(await fixture.audits('dept', id)).toMatchObject([{ action: 'system:dept:create', username: 'local' }])
  })

  it('at the top level or outside of the visible part needs to see everything', async () => {
    expect((await create({ parentId: 0, kind: 'VENDOR' }, 'local')).code).toBe(1_002_004_001)
    expect((await create({ parentId: fixture.west.id }, 'local')).code).toBe(1_002_004_001)
    expect((await create({ parentId: 999_999 })).code).toBe(1_002_004_001)
    expect((await create({ parentId: 0, name: '设备商', kind: 'VENDOR' })).code).toBe(200)
  })

  it('is rejected when a sibling has the name, or the leader is not visible', async () => {
    expect(await create({ name: dept.name })).toMatchObject({ code: 1_002_004_000, msg: '已经存在该名字的部门' })
    const { id } = await makeUser(fixture.db, { deptId: fixture.west.id })
    expect((await create({ leaderUserId: id }, 'local')).code).toBe(1_002_003_003)
  })

  it.each([
    ['name', ''],
    ['parentId', null],
    ['sort', -1],
    ['kind', 'CLUB'],
    ['kind', 'SCHOOL'],
    ['phone', 'call me'],
    ['email', 'nobody'],
    ['status', 2],
    ['code', '不行'],
  ])('refuses %s = %s by name', async (field, value) => {
    expect((await create({ [field]: value })).data).toMatchObject({ errors: [{ field }] })
  })

  it.each([
    ['城北派出所', 'POLICE_STATION'],
    ['市公安局', 'POLICE_BUREAU'],
    ['校警联动指挥中心', 'COMMAND_CENTER'],
    ['东区教育局', 'EDU_BUREAU'],
  ])('takes the kind from the name when %s is at the top level without a kind', async (name, kind) => {
    const { data } = await fixture.post('/system/dept/create', { parentId: 0, name, sort: 9 })
    expect(await stored(Number(data))).toMatchObject({ kind })
  })
})

describe('changing a department', () => {
  it('changes the given fields, clears null, increments the version', async () => {
    expect((await edit({ phone: null, status: 1, version: 1 }, 'local')).code).toBe(200)
    expect(await stored(dept.id)).toMatchObject({ phone: null, enabled: false, name: dept.name, version: 2 })
    expect(await fixture.audits('dept', dept.id)).toMatchObject([
      { action: 'system:dept:update', before: { phone: '010-1234', enabled: true }, after: { phone: null } },
    ])
  })

  it('is rejected when stale, unknown, not visible, taken or invalid', async () => {
    expect(await edit({ sort: 2, version: 9 })).toMatchObject({
      code: 409,
      data: { current: { id: dept.id, version: 1 } },
    })
    expect((await fixture.put('/system/dept/update', { id: 999_999, sort: 2 })).code).toBe(1_002_004_002)
    expect((await fixture.put('/system/dept/update', { id: fixture.west.id, sort: 2 }, 'local')).code).toBe(
      1_002_004_002,
    )
    const other = await makeDept(fixture.db, { parentId: fixture.east.id })
    expect((await edit({ name: other.name })).code).toBe(1_002_004_000)
    expect((await edit({ kind: 'SCHOOL' })).data).toMatchObject({ errors: [{ field: 'kind' }] })
    expect((await edit({ parentId: null })).data).toMatchObject({ errors: [{ field: 'parentId' }] })
    expect((await fixture.put('/system/dept/update', { sort: 1 })).data).toMatchObject({ errors: [{ field: 'id' }] })
  })

  it('keeps a leader who is not visible, and accepts no other such leader', async () => {
    const [leader, other] = [
      await makeUser(fixture.db, { deptId: fixture.west.id }),
      await makeUser(fixture.db, { deptId: fixture.west.id }),
    ]
    expect((await edit({ leaderUserId: leader.id })).code).toBe(200)
    expect((await edit({ leaderUserId: leader.id, phone: '010-4321' }, 'local')).code).toBe(200)
    expect(await stored(dept.id)).toMatchObject({ leaderUserId: leader.id, phone: '010-4321' })
    const shown = async (as?: 'local') => (await fixture.get(`/system/dept/get?id=${dept.id}`, as)).data['leaderName']
    expect([await shown(), await shown('local')]).toEqual([leader.nickname, null])
    expect((await edit({ leaderUserId: other.id }, 'local')).code).toBe(1_002_003_003)
    expect((await edit({ leaderUserId: null }, 'local')).code).toBe(200)
  })

  it('never creates a cycle', async () => {
    const child = await makeDept(fixture.db, { parentId: dept.id })
    const grandchild = await makeDept(fixture.db, { parentId: child.id })
    expect((await edit({ parentId: dept.id })).code).toBe(1_002_004_004)
    expect((await edit({ parentId: grandchild.id })).code).toBe(1_002_004_007)
    const [first, second] = [
      await makeDept(fixture.db, { parentId: dept.id }),
      await makeDept(fixture.db, { parentId: dept.id }),
    ]
    const move = (id: number, parentId: number) => fixture.put('/system/dept/update', { id, parentId })
    const answers = await Promise.all([move(first.id, second.id), move(second.id, first.id)])
    expect(answers.map(({ code }) => code)).toEqual(expect.arrayContaining([200, 1_002_004_007]))
  })

  it('moves visible departments to visible ones, and visibility follows at once', async () => {
    expect((await edit({ parentId: fixture.west.id }, 'local')).code).toBe(1_002_004_001)
    expect((await edit({ parentId: 0 }, 'local')).code).toBe(1_002_004_001)
    await fixture.makeRole(`flat_${count}`, {
      dataScope: 'CUSTOM',
      permissions: ['system:dept:update'],
      deptIds: [dept.id],
    })
    await makeDept(fixture.db, { parentId: dept.id })
    await makeUser(fixture.db, {
      username: `flat${count}`,
      password,
      deptId: fixture.east.id,
      roles: [`flat_${count}`],
    })
    const flat = await fixture.signedIn(`flat${count}`)
    const target = await makeDept(fixture.db, { parentId: fixture.east.id })
    await fixture.db
      .insertInto('roleDept')
      .values({ roleId: await fixture.roleId(`flat_${count}`), deptId: target.id })
      .execute()
    fixture.forget()
    const moved = await fixture.put('/system/dept/update', { id: dept.id, parentId: target.id }, flat)
    expect(moved.code).toBe(1_002_002_011)
    expect((await edit({ parentId: fixture.west.id })).code).toBe(200)
    expect((await fixture.get(`/system/dept/get?id=${dept.id}`, 'local')).code).toBe(1_002_004_002)
  })

  it('keeps a school under an education department, and its departments within it', async () => {
    const school = fixture.eastSchool.deptId
    const office = await makeDept(fixture.db, { parentId: school, kind: 'SCHOOL' })
    const move = (id: number, parentId: number) => fixture.put('/system/dept/move', { id, parentId, beforeId: null })
    const refused = { code: 400, data: { errors: [{ field: 'parentId' }] } }
    const police = await deptByCode(fixture.db, 'POLICE')
    for (const parentId of [police, fixture.westSchool.deptId, 0])
      expect(await move(school, parentId)).toMatchObject(refused)
    for (const parentId of [police, fixture.east.id]) expect(await move(office.id, parentId)).toMatchObject(refused)
    expect((await move(office.id, fixture.westSchool.deptId)).code).toBe(200)
    expect((await move(office.id, school)).code).toBe(200)
    expect((await move(school, fixture.west.id)).code).toBe(200)
    expect((await move(school, fixture.east.id)).code).toBe(200)
  })
})

describe('deleting a department', () => {
  const remove = (id: number, as?: 'local') => fixture.remove(`/system/dept/delete?id=${id}`, as)

  it('removes the row, and the audit keeps it', async () => {
    expect((await remove(dept.id, 'local')).code).toBe(200)
    expect((await fixture.get(`/system/dept/get?id=${dept.id}`)).code).toBe(1_002_004_002)
    expect(await fixture.audits('dept', dept.id)).toMatchObject([
      { action: 'system:dept:delete', before: { name: dept.name }, after: null },
    ])
  })

  it('removes several, all or none, one together with those below it', async () => {
    const removeAll = (ids: number[], as?: 'local') => fixture.remove(`/system/dept/delete-list?ids=${ids}`, as)
    const make = async (name: string, parentId: number) =>
      (await makeDept(fixture.db, { name: `${name}${count}`, parentId })).id
    const below = await make('下', dept.id)
    const last = await make('末', below)
    fixture.forget()
    const which = `下${count}`
    expect(await removeAll([dept.id, below], 'local')).toMatchObject({
      code: 1_002_004_003,
      msg: `【${which}】存在子部门，无法删除`,
      data: { params: { which } },
    })
    expect(await removeAll([last, fixture.west.id], 'local')).toMatchObject({
      code: 1_002_004_002,
      msg: `【#${fixture.west.id}】当前部门不存在`,
    })
    expect(await stored(last)).toBeDefined()
    expect((await removeAll([dept.id, last, below], 'local')).code).toBe(200)
    for (const id of [dept.id, below, last]) {
      expect((await fixture.get(`/system/dept/get?id=${id}`)).code).toBe(1_002_004_002)
      expect(await fixture.audits('dept', id)).toMatchObject([{ action: 'system:dept:delete', after: null }])
    }
    expect((await fixture.remove('/system/dept/delete-list')).data).toMatchObject({ errors: [{ field: 'ids' }] })
  })

  it('refuses the department of new accounts while registration is on', async () => {
    const setting = (key: string, value: string) =>
      fixture.db.updateTable('config').set({ value }).where('key', '=', key).execute()
    const refused = { code: codes.deptNewcomers.code, msg: codes.deptNewcomers.zh }
    expect((await edit({ code: 'NEWCOMERS' })).code).toBe(200)
    await setting('register.dept-code', 'NEWCOMERS')
    await setting('register.enabled', 'true')
    expect(await edit({ status: 1 })).toMatchObject(refused)
    expect(await edit({ code: 'OTHER' })).toMatchObject(refused)
    expect(await edit({ code: null })).toMatchObject(refused)
    expect(await fixture.remove(`/system/dept/delete?id=${dept.id}`)).toMatchObject(refused)
    const other = await makeDept(fixture.db, { name: `旁${count}`, parentId: fixture.east.id })
    const several = await fixture.remove(`/system/dept/delete-list?ids=${other.id},${dept.id}`)
    expect(several).toMatchObject({ code: refused.code, msg: `【${dept.name}】${refused.msg}` })
    expect(await stored(dept.id)).toMatchObject({ enabled: true, code: 'NEWCOMERS' })
    expect((await edit({ phone: '010-4321' })).code).toBe(200)
    await setting('register.enabled', 'false')
    expect((await fixture.remove(`/system/dept/delete-list?ids=${other.id},${dept.id}`)).code).toBe(200)
    await setting('register.dept-code', '')
  })

  it('is rejected with children, users, schools or a district, and when not visible', async () => {
    await makeUser(fixture.db, { deptId: dept.id })
    expect(await remove(dept.id)).toMatchObject({ code: 1002, msg: '部门正在被使用，不能删除' })
    expect(await remove(fixture.east.id)).toMatchObject({ code: 1_002_004_003, msg: '存在子部门，无法删除' })
    expect((await remove(fixture.westSchool.deptId)).code).toBe(1002)
    expect((await remove(fixture.west.id, 'local')).code).toBe(1_002_004_002)
    expect((await remove(999_999)).code).toBe(1_002_004_002)
    expect((await fixture.remove('/system/dept/delete')).data).toMatchObject({ errors: [{ field: 'id' }] })
  })
})

describe('departments by the /api/v1 calls', () => {
  it('are created, read and changed by their form, with a unique code', async () => {
    const form = { parentId: fixture.east.id, name: `码${count}`, code: `K-${count}`, sort: 4, status: 0 }
    const id = Number((await fixture.post('/api/v1/dept', { id: undefined, ...form }, 'local')).data)
    expect((await fixture.get(`/api/v1/dept/${id}/form`)).data).toEqual({ id, ...form })
    expect(await stored(id)).toMatchObject({ kind: 'EDU_BUREAU', enabled: false })
    expect(await fixture.put(`/api/v1/dept/${id}`, { ...form, id, code: null, status: 1 })).toMatchObject({
      code: 200,
      data: null,
    })
    expect((await fixture.get(`/system/dept/get?id=${id}`)).data).toMatchObject({ code: null, status: 0 })
    await edit({ code: 'taken' })
    expect((await fixture.put(`/api/v1/dept/${id}`, { code: 'taken' })).code).toBe(1_002_004_008)
    expect((await fixture.put(`/api/v1/dept/${id}`, { code: '不行' })).data).toMatchObject({
      errors: [{ field: 'code' }],
    })
    expect((await fixture.get(`/api/v1/dept/${fixture.west.id}/form`, 'local')).code).toBe(1_002_004_002)
    expect((await fixture.remove(`/api/v1/dept/${id},${fixture.west.id}`, 'local')).code).toBe(1_002_004_002)
    expect(await stored(id)).toBeDefined()
    expect(await fixture.remove(`/api/v1/dept/${id},${dept.id}`, 'local')).toMatchObject({ code: 200, data: null })
  })
})

describe('moving a department', () => {
  const move = (id: number, to: object, as?: 'local') => fixture.put('/system/dept/move', { id, ...to }, as)

  it('places it before another or below one, among the visible ones', async () => {
    const make = async (name: string) => (await makeDept(fixture.db, { name: `${name}${count}`, parentId: dept.id })).id
    const [a, b, c] = [await make('甲'), await make('乙'), await make('丙')]
    const below = async (id: number) =>
      (await list('/system/dept/list')).filter((item) => item.parentId === id).map((item) => item.id)
    expect((await move(c, { parentId: dept.id, beforeId: a, version: 1 }, 'local')).code).toBe(200)
    expect(await below(dept.id)).toEqual([c, a, b])
    expect((await move(b, { parentId: c, beforeId: null }, 'local')).code).toBe(200)
    expect([await below(dept.id), await below(c)]).toEqual([[c, a], [b]])
    expect((await move(c, { parentId: b, beforeId: null })).code).toBe(1_002_004_007)
    expect((await move(a, { parentId: fixture.west.id, beforeId: null }, 'local')).code).toBe(1_002_004_001)
    expect((await move(fixture.west.id, { parentId: a, beforeId: null }, 'local')).code).toBe(1_002_004_002)
    expect((await move(a, { parentId: dept.id, beforeId: null, version: 7 })).code).toBe(409)
    expect((await move(a, { parentId: 'x', beforeId: null })).data).toMatchObject({ errors: [{ field: 'parentId' }] })
  })
})
