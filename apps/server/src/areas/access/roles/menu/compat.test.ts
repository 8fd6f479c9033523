import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../../test/admin-fixture.ts'
import { somebodyWaits } from '../../../../../test/lock-waiters.ts'

let fixture: AdminFixture
let dir: number
let screen: number

const stored = (id: number) => fixture.db.selectFrom('menu').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const create = (form: object, as?: 'local') => fixture.post('/api/v1/menus', form, as)
const update = (id: number, form: object) => fixture.put(`/api/v1/menus/${id}`, form)

beforeAll(async () => {
  fixture = await openAdminFixture()
  await makeUser(fixture.db, { username: 'plain', password })
  // The form sends everything it has, including the layout's name and its own empty id.
  const form = {
    parentId: 0,
    name: '参数',
    type: 'CATALOG',
    routePath: 'param',
    component: 'Layout',
    visible: 1,
    alwaysShow: 0,
  }
  dir = Number((await create(form)).data)
  const page = {
    parentId: dir,
    name: '页',
    type: 'MENU',
    routeName: 'ParamPage',
    routePath: 'page',
    component: 'shown/param/index',
    visible: 0,
    keepAlive: 1,
    sort: 5,
    params: [
      { key: 'type', value: '1' },
      { key: 'q', value: 'a b&c' },
    ],
  }
  screen = Number((await create(page)).data)
})
afterAll(() => fixture.close())

describe('menus by the /api/v1 calls', () => {
  it('are stored in the canonical form: a slash at the top level, no layout, parameters behind the screen', async () => {
    expect(await stored(dir)).toMatchObject({
      type: 'DIR',
      path: '/param',
      component: null,
      visible: true,
      alwaysShow: false,
    })
    expect(await stored(screen)).toMatchObject({
      type: 'MENU',
      component: 'shown/param/index?type=1&q=a+b%26c',
      componentName: 'ParamPage',
      visible: false,
      sort: 5,
    })
  })

  it('return as the form that created them', async () => {
    expect((await fixture.get(`/api/v1/menus/${screen}/form`)).data).toMatchObject({
      id: screen,
      parentId: dir,
      type: 'MENU',
      routeName: 'ParamPage',
      routePath: 'page',
      component: 'shown/param/index',
      visible: 0,
      keepAlive: 1,
      params: [
        { key: 'type', value: '1' },
        { key: 'q', value: 'a b&c' },
      ],
    })
  })

  it('change screen and parameters separately, and only what is named', async () => {
    expect(await update(screen, { id: screen, component: 'shown/other/index' })).toMatchObject({
      code: 200,
      data: null,
    })
    expect((await stored(screen)).component).toBe('shown/other/index?type=1&q=a+b%26c')
    expect((await update(screen, { params: [{ key: 'a', value: '2' }], visible: 1 })).code).toBe(200)
    expect(await stored(screen)).toMatchObject({
      component: 'shown/other/index?a=2',
      visible: true,
      name: '页',
      sort: 5,
    })
    expect((await update(screen, { params: null })).code).toBe(200)
    expect((await stored(screen)).component).toBe('shown/other/index')
  })

  it('keep what somebody else changes while they wait for the row (decision 029)', async () => {
    const name = '页'
    await update(screen, { component: 'shown/old/index', params: [{ key: 'old', value: '1' }] })
    const change = await fixture.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('menu')
        .set({ component: 'shown/new/index?old=1', version: sql`version + 1` })
        .where('id', '=', screen)
        .execute()
      const changing = update(screen, { params: [{ key: 'new', value: '2' }] })
      await expect.poll(() => somebodyWaits(fixture.db)).toBe(true)
      return { changing }
    })
    expect((await change.changing).code).toBe(200)
    expect(await stored(screen)).toMatchObject({ component: 'shown/new/index?new=2', name })
    await update(screen, { component: 'shown/other/index', params: null })
  })

  it('name the types BUTTON and EXTLINK', async () => {
    const button = await create({ parentId: screen, name: '旋钮', type: 'BUTTON', perm: 'demo:param:run' })
    expect(await stored(Number(button.data))).toMatchObject({ type: 'BUTTON', permission: 'demo:param:run', sort: 0 })
    const link = await create({ parentId: dir, name: '外', type: 'EXTLINK', routePath: 'https://example.com' })
    expect((await fixture.get(`/api/v1/menus/${link.data as unknown as number}/form`)).data).toMatchObject({
      type: 'EXTLINK',
      component: null,
    })
  })

  it('open the calls of their own spelling', async () => {
    const role = await fixture.makeRole('spelled')
    await makeUser(fixture.db, { username: 'spelled', password, roles: ['spelled'] })
    const as = await fixture.signedIn('spelled')
    const draft = { username: 'by.spelling', nickname: '拼', password: 'Brook-field-77' }
    const added = () => fixture.call('POST', '/system/user/create', { ...as, body: draft })
    expect((await added()).code).toBe(403)
    const button = await create({ parentId: screen, name: '加', type: 'BUTTON', perm: 'sys:user:add' })
    const menuIds = [Number(button.data)]
    expect((await fixture.post('/system/permission/assign-role-menu', { roleId: role.id, menuIds })).code).toBe(200)
    fixture.forget()
    expect((await added()).code).toBe(200)
    expect((await fixture.call('DELETE', '/system/user/delete?id=1', as)).code).toBe(403)
    expect((await fixture.remove(`/api/v1/menus/${menuIds[0]}`)).code).toBe(200)
    fixture.forget()
    expect((await added()).code).toBe(403)
  })

  it('are offered as a tree, on request without entries that have no children', async () => {
    type Option = { value: number; label: string; children?: Option[] }
    const options = async (query = '') =>
      (await fixture.get(`/api/v1/menus/options${query}`, 'local')).data as unknown as Option[]
    const own = (tree: Option[]) => tree.find(({ value }) => value === dir)
    expect(own(await options())).toMatchObject({
      label: '参数',
      children: [{ label: '外' }, { value: screen, children: [{ label: '旋钮' }] }],
    })
    expect(own(await options('?onlyParent=true'))).toEqual({
      value: dir,
      label: '参数',
      children: [{ value: screen, label: '页' }],
    })
    expect((await fixture.get('/api/v1/menus/options?onlyParent=7')).data).toMatchObject({
      errors: [{ field: 'onlyParent' }],
    })
  })

  it('enforce the rules of the canonical calls', async () => {
    expect((await create({ parentId: dir, name: 'x', type: 'BUTTON', perm: 'warn:record:query' }, 'local')).code).toBe(
      1_002_002_010,
    )
    expect((await update(dir, { parentId: screen, routePath: 'x' })).code).toBe(1_002_001_007)
    expect((await fixture.remove(`/api/v1/menus/${dir}`)).code).toBe(1_002_001_004)
    expect((await fixture.get('/api/v1/menus/999999/form')).code).toBe(1_002_001_003)
    expect((await update(999_999, { name: 'x' })).code).toBe(1_002_001_003)
    expect((await fixture.remove('/api/v1/menus/999999')).code).toBe(1_002_001_003)
  })

  it('name the rejected field in their own words', async () => {
    expect((await create({ parentId: 0, name: '', type: 'MENU' })).data).toMatchObject({ errors: [{ field: 'name' }] })
    expect((await create({ parentId: 0, name: 'x', type: 'PAGE' })).data).toMatchObject({ errors: [{ field: 'type' }] })
    expect((await create({ parentId: 0, name: 'x', type: 'MENU' })).data).toMatchObject({
      errors: [{ field: 'routePath' }],
    })
    expect((await create({ parentId: dir, name: 'x', type: 'BUTTON', perm: 'a b' })).data).toMatchObject({
      errors: [{ field: 'perm' }],
    })
    expect((await update(screen, { type: 'BUTTON', visible: true })).data).toMatchObject({
      errors: [{ field: 'visible' }],
    })
    const long = Array.from({ length: 3 }, (_, at) => ({ key: `k${at}`, value: 'x'.repeat(100) }))
    expect((await update(screen, { params: long })).data).toMatchObject({ errors: [{ field: 'params' }] })
    expect((await update(screen, { id: dir })).data).toMatchObject({ errors: [{ field: 'id' }] })
    expect((await fixture.get('/api/v1/menus/x/form')).data).toMatchObject({ errors: [{ field: 'id' }] })
  })

  it('return as a tree with buttons; a filter keeps matches without their ancestors', async () => {
    type Branch = { id: number; name: string; perm: string | null; children?: Branch[] }
    const tree = async (query = '') => (await fixture.get(`/api/v1/menus${query}`)).data as unknown as Branch[]
    const own = (await tree()).find(({ id }) => id === dir)
    expect(own).toMatchObject({ type: 'CATALOG', visible: 1, children: [{ name: '外' }, { id: screen }] })
    expect(own?.children?.[1]?.children).toMatchObject([{ name: '旋钮', type: 'BUTTON' }])
    expect(await tree(`?keywords=${encodeURIComponent('旋钮')}`)).toMatchObject([{ name: '旋钮', type: 'BUTTON' }])
    expect((await fixture.get('/api/v1/menus', await fixture.signedIn('plain'))).code).toBe(403)
  })

  it('return as the routes of the caller, without buttons', async () => {
    await update(screen, { visible: 1, params: [{ key: 'type', value: '1' }] })
    type Found = { path: string; children?: Found[] }
    const routes = (await fixture.get('/api/v1/menus/routes')).data as unknown as Found[]
    expect(routes.find(({ path }) => path === '/param')).toMatchObject({
      component: 'Layout',
      name: 'Param',
      meta: { title: '参数', hidden: false },
    })
    const page = routes.find(({ path }) => path === '/param')?.children?.find(({ path }) => path === 'page')
    expect(page).toMatchObject({ name: 'ParamPage', meta: { keepAlive: true, params: { type: '1' } } })
    expect((await fixture.get('/api/v1/menus/routes', await fixture.signedIn('plain'))).data).toEqual([])
  })

  it('return a hidden route for the entries of a dictionary beside the dictionaries', async () => {
    type Found = { path: string; component: string; children?: Found[]; meta: { hidden: boolean } }
    const routes = (await fixture.get('/api/v1/menus/routes')).data as unknown as Found[]
    const system = routes.find(({ path }) => path === '/system')?.children ?? []
    expect(system.filter(({ component }) => component.startsWith('system/dict/'))).toMatchObject([
      { path: 'dict', meta: { hidden: false } },
      { path: 'dict-data', component: 'system/dict/data', name: 'DictData', meta: { hidden: true } },
    ])
  })

  it('are hidden by 0 and shown by 1', async () => {
    const { token } = await fixture.signedIn('admin')
    const show = (id: number, visible: string) =>
      fixture.call('PATCH', `/api/v1/menus/${id}?visible=${visible}`, { token })
    expect(await show(screen, '0')).toMatchObject({ code: 200, data: null })
    expect(await stored(screen)).toMatchObject({ visible: false })
    expect((await show(screen, 'x')).data).toMatchObject({ errors: [{ field: 'visible' }] })
    expect((await show(999_999, '1')).code).toBe(1_002_001_003)
    expect((await show(screen, '1')).code).toBe(200)
  })

  it('remove the last entry of a parent', async () => {
    const { data } = await create({ parentId: 0, name: '一', type: 'CATALOG', routePath: '/one' })
    const id = data as unknown as number
    expect(await fixture.remove(`/api/v1/menus/${id}`)).toMatchObject({ code: 200, data: null })
    expect((await fixture.get(`/system/menu/get?id=${id}`)).code).toBe(1_002_001_003)
  })
})

describe('moving a menu entry', () => {
  const make = async (parentId: number, name: string, path: string, sort: number) =>
    Number((await fixture.post('/system/menu/create', { parentId, name, type: 1, path, sort })).data)
  const move = (id: number, to: object, as?: 'local') => fixture.put('/system/menu/move', { id, ...to }, as)
  const below = async (parentId: number) => {
    const rows = (await fixture.get('/system/menu/list')).data as unknown as { id: number; parentId: number }[]
    return rows.filter((row) => row.parentId === parentId).map(({ id }) => id)
  }

  it('puts it before another, last, below another and back at the top level, with its path', async () => {
    const home = await make(0, '家', '/home', 50)
    const [a, b, c] = [await make(home, 'a', 'a', 1), await make(home, 'b', 'b', 1), await make(home, 'c', 'c', 9)]
    expect((await move(c, { parentId: home, beforeId: a, version: 1 })).code).toBe(200)
    expect(await below(home)).toEqual([c, a, b])
    expect((await move(c, { parentId: home, beforeId: null })).code).toBe(200)
    expect(await below(home)).toEqual([a, b, c])
    expect((await move(b, { parentId: a, beforeId: null })).code).toBe(200)
    expect([await below(home), await below(a)]).toEqual([[a, c], [b]])
    expect((await move(b, { parentId: 0, beforeId: null })).code).toBe(200)
    expect(await stored(b)).toMatchObject({ parentId: null, path: '/b' })
    expect((await move(b, { parentId: home, beforeId: c })).code).toBe(200)
    expect(await stored(b)).toMatchObject({ path: 'b' })
    expect(await below(home)).toEqual([a, b, c])
    expect((await fixture.audits('menu', b)).map(({ action }) => action)).toContain('system:menu:update')
    expect((await move(a, { parentId: b, beforeId: null, version: 9 })).code).toBe(409)
    expect((await move(home, { parentId: a, beforeId: null })).code).toBe(1_002_001_007)
    expect((await move(999_999, { parentId: 0, beforeId: null })).code).toBe(1_002_001_003)
    expect((await move(a, { parentId: home })).data).toMatchObject({ errors: [{ field: 'beforeId' }] })
    expect((await fixture.put('/system/menu/move', {}, await fixture.signedIn('plain'))).code).toBe(403)
  })
})
