import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../../test/admin-fixture.ts'

let fixture: AdminFixture
let dir: number
let count = 0

const create = (given: object, as?: 'local') =>
  fixture.post(
    '/system/menu/create',
    { name: `菜单${count}`, type: 1, parentId: 0, sort: 1, path: `/m${count}`, ...given },
    as,
  )
const made = async (given: object) => {
  const { code, msg, data } = await create(given)
  if (code !== 200) throw new Error(msg)
  return Number(data)
}
const edit = (id: number, given: object, as?: 'local') => fixture.put('/system/menu/update', { id, ...given }, as)
const stored = (id: number) => fixture.db.selectFrom('menu').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const list = async (path: string) => (await fixture.get(path)).data as unknown as { id: number; name: string }[]

beforeAll(async () => {
  fixture = await openAdminFixture()
})
beforeEach(async () => {
  count += 1
  dir = await made({})
  await fixture.told()
})
afterAll(() => fixture.close())

describe('reading menus', () => {
  it('returns all of them flat and in order, in the wire form', async () => {
    const rows = await list('/system/menu/list')
    expect(rows.find(({ id }) => id === dir)).toMatchObject({
      name: `菜单${count}`,
      nameEn: `菜单${count}`,
      parentId: 0,
      type: 1,
      status: 0,
      path: `/m${count}`,
      visible: true,
      permission: null,
      version: 1,
    })
    expect((await fixture.get(`/system/menu/get?id=${dir}`)).data).toMatchObject({ id: dir, type: 1 })
    expect(await fixture.get('/system/menu/get?id=999999')).toMatchObject({ code: 1_002_001_003, msg: '菜单不存在' })
  })

  it('filters by name and status; choices hold only what is enabled up to the top level', async () => {
    const child = await made({ parentId: dir, type: 2, path: 'x' })
    const offered = async () => (await list('/system/menu/list-all-simple')).map(({ id }) => id)
    expect((await list('/system/menu/simple-list')).find(({ id }) => id === child)).toEqual({
      id: child,
      name: `菜单${count}`,
      nameEn: `菜单${count}`,
      parentId: dir,
      type: 2,
    })
    expect((await edit(dir, { status: 1 })).code).toBe(200)
    expect(await offered()).not.toContain(child)
    expect((await list(`/system/menu/list?name=菜单${count}&status=1`)).map(({ id }) => id)).toEqual([dir])
    expect((await fixture.get('/system/menu/list?status=2')).data).toMatchObject({ errors: [{ field: 'status' }] })
  })
})

describe('creating a menu entry', () => {
  it('keeps only the permission of a button; the administrator holds it at once', async () => {
    const screen = await made({
      parentId: dir,
      type: 2,
      path: 'page',
      component: 'a/index',
      componentName: `A${count}`,
    })
    const button = await made({
      parentId: screen,
      type: 3,
      permission: `a:b:c${count}`,
      path: 'x',
      icon: 'y',
      nameEn: 'B',
    })
    expect(await stored(button)).toMatchObject({ type: 'BUTTON', path: null, icon: null, nameEn: 'B' })
    expect((await fixture.get('/system/auth/get-permission-info')).data['permissions']).toContain(`a:b:c${count}`)
    expect(await fixture.told()).toMatchObject([{ type: 'permission.changed', userId: null }, {}])
    expect(await fixture.audits('menu', button)).toMatchObject([{ action: 'system:menu:create', before: null }])
  })

  it('makes a link of an address of another site, without screen and children', async () => {
    const link = await made({ type: 2, path: 'https://example.com', component: 'a/index', name: `链接${count}` })
    expect(await stored(link)).toMatchObject({ type: 'LINK', component: null })
    expect((await fixture.get(`/system/menu/get?id=${link}`)).data).toMatchObject({ type: 2 })
    expect((await create({ parentId: link, type: 3 })).code).toBe(1_002_001_005)
  })

  it('requires a parent of a type that has children', async () => {
    const button = await made({ parentId: dir, type: 3 })
    expect((await create({ parentId: 999_999, path: 'x' })).code).toBe(1_002_001_001)
    expect(await create({ parentId: button, type: 3 })).toMatchObject({
      code: 1_002_001_005,
      msg: '父菜单的类型必须是目录或者菜单',
    })
  })

  it('is rejected when a sibling has the name, or any entry the component name', async () => {
    expect(await create({})).toMatchObject({ code: 1_002_001_000, msg: '已经存在该名字的菜单' })
    expect((await create({ parentId: dir, path: 'x', componentName: 'WarnRecord' })).code).toBe(1_002_001_006)
  })

  it.each([
    ['name', ''],
    ['type', 4],
    ['parentId', null],
    ['sort', undefined],
    ['status', 5],
    ['visible', 1],
    ['permission', 'a b'],
    ['path', 'relative'],
    ['path', null],
    ['path', 'javascript:alert(1)'],
    ['path', 'mailto:who@example.org'],
    ['path', 'TEL:110'],
    ['path', '/alarms#open'],
    ['path', '/alarms/../school'],
    ['path', '/admin-api/alarms'],
    ['path', '/assets'],
    ['path', '/报警'],
    ['path', '/a b'],
    ['path', '/a%2fb'],
    ['component', 'x'.repeat(201)],
    ['creator', 1],
  ])('refuses %s = %s by name', async (field, value) => {
    expect((await create({ name: 'n', [field]: value })).data).toMatchObject({ errors: [{ field }] })
  })

  it('requires a path without a slash below the top level', async () => {
    expect((await create({ parentId: dir, path: '/x' })).data).toMatchObject({ errors: [{ field: 'path' }] })
  })
})

describe('changing a menu entry', () => {
  it('changes the given fields, clears null, increments the version', async () => {
    expect((await edit(dir, { icon: 'bell', redirect: '/m', version: 1 })).code).toBe(200)
    expect((await edit(dir, { icon: null })).code).toBe(200)
    expect(await stored(dir)).toMatchObject({ icon: null, redirect: '/m', name: `菜单${count}`, version: 3 })
    expect((await fixture.audits('menu', dir)).at(-1)).toMatchObject({
      action: 'system:menu:update',
      before: { icon: 'bell' },
      after: { icon: null },
    })
  })

  it('removes everything below from its holders at once when disabled', async () => {
    const role = await fixture.makeRole(`has_${count}`, { permissions: ['system:user:list'] })
    const { username } = await makeUser(fixture.db, { password, deptId: fixture.east.id, roles: [role.code] })
    const user = await fixture.signedIn(username)
    const screen = (await list('/system/menu/list')).find(({ name }) => name === '用户管理')?.id ?? 0
    expect((await fixture.get('/system/user/page', user)).code).toBe(200)
    expect((await edit(screen, { status: 1 })).code).toBe(200)
    expect((await fixture.get('/system/user/page', user)).code).toBe(403)
    expect((await edit(screen, { status: 0 })).code).toBe(200)
    expect((await fixture.get('/system/user/page', user)).code).toBe(200)
  })

  it('keeps the address of an enabled menu unique for every kind of edit', async () => {
    const taken = { code: 1_002_001_020 }
    const page = { type: 2, component: 'demo/x', path: 'Only' }
    const [other, off] = [
      await made({ name: 'other', path: '/other' }),
      await made({ parentId: dir, ...page, name: 'off', status: 1 }),
    ]
    await made({ parentId: dir, ...page, path: 'only', name: 'first' })
    expect(await create({ parentId: dir, ...page, name: 'again' })).toMatchObject(taken)
    expect(await edit(off, { status: 0 })).toMatchObject(taken)
    const moved = await made({ parentId: other, ...page, name: 'moved' })
    expect(await edit(moved, { parentId: dir })).toMatchObject(taken)
    expect(await fixture.put('/system/menu/move', { id: moved, parentId: dir, beforeId: null })).toMatchObject(taken)
    expect((await edit(off, { path: 'elsewhere', status: 0 })).code).toBe(200)
    // What is below a disabled directory has no address until the directory has one.
    const hidden = await made({ name: 'hidden', path: '/Hidden', status: 1 })
    await made({ parentId: hidden, ...page, name: 'below' })
    await made({ ...page, name: 'same', path: '/hidden/only' })
    expect(await edit(hidden, { status: 0 })).toMatchObject(taken)
  })

  it('never creates a cycle', async () => {
    const child = await made({ parentId: dir, path: 'a' })
    const grandchild = await made({ parentId: child, path: 'b' })
    expect((await edit(dir, { parentId: dir })).code).toBe(1_002_001_002)
    expect((await edit(dir, { parentId: grandchild, path: 'c' })).code).toBe(1_002_001_007)
    const [first, second] = [
      await made({ parentId: dir, path: 'd', name: 'd' }),
      await made({ parentId: dir, path: 'e', name: 'e' }),
    ]
    const answers = await Promise.all([edit(first, { parentId: second }), edit(second, { parentId: first })])
    expect(answers.map(({ code }) => code)).toEqual(expect.arrayContaining([200, 1_002_001_007]))
  })

  it('rejects the type button for an entry with children', async () => {
    await made({ parentId: dir, type: 3 })
    expect((await edit(dir, { type: 3 })).data).toMatchObject({ errors: [{ field: 'type' }] })
  })

  it('is rejected when stale, unknown, misplaced or invalid', async () => {
    const button = await made({ parentId: dir, type: 3 })
    expect(await edit(dir, { sort: 2, version: 9 })).toMatchObject({
      code: 409,
      data: { current: { id: dir, type: 1 } },
    })
    expect((await edit(999_999, { sort: 2 })).code).toBe(1_002_001_003)
    expect((await edit(dir, { parentId: button })).code).toBe(1_002_001_007)
    expect((await edit(dir, { parentId: 999_999 })).code).toBe(1_002_001_001)
    expect((await edit(dir, { name: null })).data).toMatchObject({ errors: [{ field: 'name' }] })
    expect((await edit(dir, { path: 'x' })).data).toMatchObject({ errors: [{ field: 'path' }] })
    expect((await fixture.put('/system/menu/update', { sort: 1 })).data).toMatchObject({ errors: [{ field: 'id' }] })
  })
})

describe('permission strings', () => {
  it('are granted only by their holders, by every call', async () => {
    const beyond = { code: 1_002_002_010 }
    expect(await create({ name: 'n', parentId: dir, type: 3, permission: 'warn:record:query' }, 'local')).toMatchObject(
      beyond,
    )
    expect(await create({ name: 'n', parentId: dir, type: 3, permission: 'made:up:now' }, 'local')).toMatchObject(
      beyond,
    )
    expect((await create({ name: 'n', parentId: dir, type: 3, permission: 'system:user:list' }, 'local')).code).toBe(
      200,
    )
    const own = await fixture.menuId('system:user:query')
    expect(await edit(own, { permission: 'warn:record:query' }, 'local')).toMatchObject(beyond)
    const foreign = await fixture.menuId('warn:record:claim')
    expect(await edit(foreign, { permission: 'system:user:query' }, 'local')).toMatchObject(beyond)
    const above = (await stored(foreign)).parentId ?? 0
    expect(await edit(above, { status: 1 }, 'local')).toMatchObject(beyond)
    expect(await fixture.remove(`/system/menu/delete?id=${foreign}`, 'local')).toMatchObject(beyond)
  })
})

describe('deleting a menu entry', () => {
  it('removes it from the roles that had it; the audit keeps them', async () => {
    const button = await made({ parentId: dir, type: 3, permission: `x:y:z${count}` })
    const role = await fixture.makeRole(`had_${count}`, { permissions: [`x:y:z${count}`] })
    expect((await fixture.remove(`/system/menu/delete?id=${button}`)).code).toBe(200)
    expect((await fixture.get(`/system/permission/list-role-menus?roleId=${role.id}`)).data).toEqual([])
    expect((await fixture.audits('menu', button)).at(-1)).toMatchObject({
      action: 'system:menu:delete',
      before: { roleIds: [role.id], permission: `x:y:z${count}` },
    })
  })

  it('is rejected with entries below, and for an unknown id', async () => {
    await made({ parentId: dir, type: 3 })
    expect(await fixture.remove(`/system/menu/delete?id=${dir}`)).toMatchObject({
      code: 1_002_001_004,
      msg: '存在子菜单，无法删除',
    })
    expect((await fixture.remove('/system/menu/delete?id=999999')).code).toBe(1_002_001_003)
    expect((await fixture.remove('/system/menu/delete')).data).toMatchObject({ errors: [{ field: 'id' }] })
  })

  it('and changing its permission are rejected while a built-in role has it, by every call', async () => {
    const given = async () => ({
      ticked: await fixture.db
        .selectFrom('roleMenu')
        .innerJoin('role', 'role.id', 'roleMenu.roleId')
        .select(['roleId', 'menuId'])
        .where('builtIn', '=', true)
        .orderBy('roleId')
        .orderBy('menuId')
        .execute(),
      permissions: await fixture.db.selectFrom('menu').select(['id', 'permission']).orderBy('id').execute(),
    })
    const before = await given()
    const id = await fixture.menuId('warn:record:claim')
    const refused = { code: 1_002_001_010, msg: expect.stringContaining('学校保安') }
    for (const answer of [
      await fixture.remove(`/system/menu/delete?id=${id}`),
      await fixture.remove(`/api/v1/menus/${id}`),
      await edit(id, { permission: 'warn:record:handle' }),
      await edit(id, { permission: null }),
      await fixture.put(`/api/v1/menus/${id}`, { perm: 'warn:record:handle' }),
    ])
      expect(answer).toMatchObject(refused)
    const above = (await stored(id)).parentId ?? 0
    expect((await fixture.remove(`/system/menu/delete?id=${above}`)).code).toBe(1_002_001_004)
    expect(await given()).toEqual(before)
    // The name and whether it is enabled can be restored.
    expect((await edit(id, { status: 1, name: '认领报警', permission: 'warn:record:claim' })).code).toBe(200)
    expect((await edit(id, { status: 0 })).code).toBe(200)
    expect(await given()).toEqual(before)
  })

  it('never removes the permissions that restore menus', async () => {
    const id = await fixture.menuId('system:menu:create')
    const refused = { code: 1_002_001_008, data: { params: { permission: 'system:menu:create' } } }
    expect(await fixture.remove(`/system/menu/delete?id=${id}`)).toMatchObject(refused)
    expect(await edit(id, { permission: null })).toMatchObject(refused)
    await made({ parentId: dir, type: 3, permission: 'system:menu:create' })
    expect((await fixture.remove(`/system/menu/delete?id=${id}`)).code).toBe(200)
  })

  it('and no other edit removes the last way to the screen that restores them', async () => {
    const refused = { code: 1_002_001_009, msg: '菜单管理须保持可用，否则无人能再恢复菜单' }
    const screens = fixture.db.selectFrom('menu').selectAll().where('component', '=', 'system/menu/index')
    const screen = await screens.executeTakeFirstOrThrow()
    const above = screen.parentId ?? 0
    const before = [await stored(screen.id), await stored(above)]
    const off = await made({ name: '停用', path: '/off', status: 1 })
    for (const answer of [
      await edit(screen.id, { status: 1 }),
      await edit(above, { status: 1 }),
      await edit(screen.id, { component: 'system/role/index' }),
      await edit(screen.id, { type: 1 }),
      await edit(screen.id, { parentId: off }),
      await fixture.put('/system/menu/move', { id: screen.id, parentId: off, beforeId: null }),
      await fixture.put(`/api/v1/menus/${screen.id}`, { component: 'system/role/index' }),
    ])
      expect(answer).toMatchObject(refused)
    expect([await stored(screen.id), await stored(above)]).toEqual(before)
    const other = await made({ parentId: dir, type: 2, path: 'again', component: 'system/menu/index?from=elsewhere' })
    expect((await edit(screen.id, { status: 1 })).code).toBe(200)
    expect((await fixture.remove(`/system/menu/delete?id=${other}`)).code).toBe(refused.code)
    // A loss that exists already does not block other edits.
    await fixture.db.updateTable('menu').set({ enabled: false }).where('id', '=', other).execute()
    expect((await edit(dir, { sort: 7 })).code).toBe(200)
    expect((await edit(screen.id, { status: 0 })).code).toBe(200)
  })
})
