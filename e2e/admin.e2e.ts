import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { deptByCode, makeUser } from '../apps/server/seed/make.ts'
import { everything } from '../apps/server/src/db/scope.ts'
import { ADMIN } from './stage/site.ts'
import { stage } from './stage/stage.ts'
import { EAST } from './stage/world.ts'
import { button, choose, row, SETTLED } from './words.ts'

const { site, world, visit, allow } = stage()

const all = () => everything(site().db, 'e2e')
const admin = () =>
  all()
    .selectFrom('users')
    .select(['id', 'username', 'nickname'])
    .where('username', '=', ADMIN.username)
    .executeTakeFirstOrThrow()
const userNamed = (username: string) => all().selectFrom('users').selectAll().where('username', '=', username).execute()

const USERS = '/system/user'
const drawer = (page: Page) => page.locator('.ant-drawer-content-wrapper:visible')
const save = (page: Page) => button(drawer(page), '保存').click()
// Not while it still grows: the press would miss.
const yes = (page: Page) => button(page.locator(SETTLED), '确定').click()

/** Something of a row that waits under "more". */
const more = async (page: Page, text: string, words: string) => {
  await button(row(page, text), '更多').click()
  await page.locator('.ant-dropdown:visible').getByText(words, { exact: true }).click()
}

const fillUser = async (page: Page, username: string) => {
  await button(page, '新增').click()
  await drawer(page).getByLabel('用户名称').fill(username)
  await drawer(page).getByLabel('用户昵称').fill('新来的老师')
  await drawer(page).getByLabel('归属部门').click()
  await page.locator('.ant-select-dropdown:visible').getByText(EAST, { exact: true }).click()
}

test('a user is created with a password shown once, found by department, edited, given a role and deleted', async () => {
  const page = await visit(await admin(), USERS)
  await fillUser(page, 'teacher.new')
  const password = await drawer(page).getByLabel('用户密码').inputValue()
  await save(page)
  const handOver = page.locator('.ant-modal:visible')
  await handOver.getByText(password).waitFor()
  await button(handOver, '已记下').click()
  await handOver.waitFor({ state: 'hidden' })
  expect(await page.getByText(password).count()).toBe(0)

  await page.getByRole('tree').getByText(EAST, { exact: true }).click()
  await row(page, 'teacher.new').getByText(EAST).waitFor()
  await row(page, world().station.nickname).waitFor({ state: 'hidden' })
  await page.getByRole('textbox', { name: '用户名称' }).fill('teacher')
  await button(page, '搜索').click()
  await row(page, 'guard.east').waitFor({ state: 'hidden' })

  await button(row(page, 'teacher.new'), '编辑').click()
  await drawer(page).getByLabel('手机号码').fill('13912345678')
  await save(page)
  await page.getByText('修改成功').waitFor()
  await row(page, 'teacher.new').getByText('13912345678').waitFor()

  await more(page, 'teacher.new', '分配角色')
  await choose(page, drawer(page).getByRole('combobox', { name: '角色' }), '学校保安')
  await page.keyboard.press('Escape')
  await save(page)
  await drawer(page).waitFor({ state: 'hidden' })
  await button(row(page, 'teacher.new'), '详情').click()
  await drawer(page).getByText('学校保安').waitFor()
  await page.keyboard.press('Escape')
  await drawer(page).waitFor({ state: 'hidden' })

  await more(page, 'teacher.new', '删除')
  await yes(page)
  await page.getByText('删除成功').waitFor()
  await page.getByText('没有符合条件的数据').waitFor()
  expect(await userNamed('teacher.new')).toEqual([])
})

test('what is wrong with a user is said at its field, and nothing is written', async () => {
  allow(/user\/create/)
  const page = await visit(await admin(), USERS)
  await button(page, '新增').click()
  await save(page)
  await drawer(page).getByText('用户名称不能为空').waitFor()
  await drawer(page).getByText('归属部门不能为空').waitFor()
  await button(drawer(page), '取消').click()
  await drawer(page).waitFor({ state: 'hidden' })

  await fillUser(page, 'guard.east')
  await drawer(page).getByLabel('手机号码').fill('12')
  await save(page)
  await drawer(page).getByText('手机号码格式不正确').waitFor()
  await drawer(page).getByLabel('手机号码').fill('')
  await save(page)
  await drawer(page).locator('.ant-form-item-explain-error').getByText('用户账号已经存在').waitFor()
  expect(await userNamed('guard.east')).toHaveLength(1)
})

test('a user is switched off, a reset password is shown once, and the own account is left alone', async () => {
  const page = await visit(await admin(), `${USERS}?username=safety.east`)
  await row(page, 'safety.east').getByRole('switch').click()
  await page.getByText('该用户将立即从所有设备退出登录。').waitFor()
  await yes(page)
  await page.getByText('修改成功').waitFor()
  expect(await userNamed('safety.east')).toMatchObject([{ enabled: false }])

  await more(page, 'safety.east', '重置密码')
  const password = await drawer(page).getByLabel('用户密码').inputValue()
  await save(page)
  await page.locator('.ant-modal:visible').getByText(password).waitFor()
  expect(await userNamed('safety.east')).toMatchObject([{ mustChangePassword: true }])

  await page.goto(`${USERS}?username=${ADMIN.username}`)
  await row(page, ADMIN.username).waitFor()
  expect(await row(page, ADMIN.username).getByRole('switch').isDisabled()).toBe(true)
})

const ROLES = '/system/role'
const box = (page: Page, title: string) =>
  drawer(page).getByRole('treeitem').filter({ hasText: title }).locator('.ant-tree-checkbox').first()

test('a role is created, given menus that come back as they were ticked, a data scope, and deleted', async () => {
  const page = await visit(await admin(), ROLES)
  await button(page, '新增').click()
  await save(page)
  await drawer(page).getByText('角色名称不能为空').waitFor()
  await drawer(page).getByLabel('角色名称').fill('夜班巡查')
  await drawer(page).getByLabel('角色标识').fill('guard')
  allow(/role\/create/)
  await save(page)
  await drawer(page).locator('.ant-form-item-explain-error').getByText('角色标识已经存在').waitFor()
  await drawer(page).getByLabel('角色标识').fill('night_watch')
  await save(page)
  await drawer(page).waitFor({ state: 'hidden' })

  await page.getByRole('textbox', { name: '角色名称' }).fill('夜班')
  await button(page, '搜索').click()
  await row(page, '学校保安').waitFor({ state: 'hidden' })
  await button(row(page, '夜班巡查'), '菜单权限').click()
  await button(drawer(page), '展开全部').click()
  await box(page, '转派').click()
  await save(page)
  await drawer(page).waitFor({ state: 'hidden' })
  const held = () =>
    all()
      .selectFrom('roleMenu')
      .innerJoin('menu', 'menu.id', 'roleMenu.menuId')
      .innerJoin('role', 'role.id', 'roleMenu.roleId')
      .select('menu.name')
      .where('role.code', '=', 'night_watch')
      .orderBy('menu.id')
      .execute()
  const ticked = [{ name: '预警' }, { name: '预警记录' }, { name: '转派' }]
  expect(await held()).toEqual(ticked)

  await button(row(page, '夜班巡查'), '菜单权限').click()
  await button(drawer(page), '展开全部').click()
  await drawer(page).locator('.ant-tree-checkbox-checked').first().waitFor()
  expect(await drawer(page).locator('.ant-tree-checkbox-checked').count()).toBe(1)
  expect(await drawer(page).locator('.ant-tree-checkbox-indeterminate').count()).toBe(2)
  await save(page)
  await drawer(page).waitFor({ state: 'hidden' })
  expect(await held()).toEqual(ticked)

  await more(page, '夜班巡查', '数据权限')
  await choose(page, drawer(page).getByLabel('权限范围'), '指定部门数据')
  await save(page)
  await drawer(page).getByText('请至少选择一个部门').waitFor()
  await box(page, '东湖区教育局').click()
  await save(page)
  await drawer(page).waitFor({ state: 'hidden' })
  await row(page, '夜班巡查').getByText('指定部门数据').waitFor()

  await more(page, '夜班巡查', '成员')
  await drawer(page).getByText('没有可见的成员').waitFor()
  await page.keyboard.press('Escape')
  await drawer(page).waitFor({ state: 'hidden' })
  await more(page, '夜班巡查', '删除')
  await yes(page)
  await page.getByText('删除成功').waitFor()
  expect(await held()).toEqual([])
})

test('a built-in role shows what it gives and whom, and cannot be changed', async () => {
  const page = await visit(await admin(), `${ROLES}?code=station_desk`)
  expect(await button(row(page, 'station_desk'), '编辑').isDisabled()).toBe(true)
  await button(row(page, 'station_desk'), '菜单权限').click()
  await drawer(page).getByText('内置角色只能查看，不能修改').waitFor()
  expect(await button(drawer(page), '保存').count()).toBe(0)
  await page.keyboard.press('Escape')
  await drawer(page).waitFor({ state: 'hidden' })
  await more(page, 'station_desk', '成员')
  await drawer(page).getByText(world().station.nickname).waitFor()
})

const DEPTS = '/system/dept'
const parent = async (page: Page, words: string) => {
  await drawer(page).getByLabel('上级').click()
  await page.locator('.ant-select-dropdown:visible').getByText(words, { exact: true }).click()
}

test('a department is created below another, found, moved, and kept while it has departments below', async () => {
  allow(/dept\/create/, /dept\/delete/)
  const page = await visit(await admin(), DEPTS)
  await button(row(page, '东湖派出所'), '新增下级').click()
  await save(page)
  await drawer(page).getByText('部门名称不能为空').waitFor()
  await drawer(page).getByLabel('部门名称').fill('东湖警务室')
  await save(page)
  await drawer(page).waitFor({ state: 'hidden' })
  await row(page, '东湖警务室').getByText('派出所', { exact: true }).waitFor()

  await button(row(page, '东湖派出所'), '新增下级').click()
  await drawer(page).getByLabel('部门名称').fill('东湖警务室')
  await save(page)
  await drawer(page).locator('.ant-form-item-explain-error').getByText('已经存在该名字的部门').waitFor()
  await button(drawer(page), '取消').click()
  await yes(page)
  await drawer(page).waitFor({ state: 'hidden' })

  const typed = page.locator('.ant-modal:visible').getByRole('textbox')
  await more(page, '东湖派出所', '删除')
  await typed.fill('东湖')
  await yes(page)
  await page.getByText('输入的数据不合法!').waitFor()
  await typed.fill('东湖派出所')
  await yes(page)
  await page.getByText('存在子部门，无法删除').waitFor()
  await typed.waitFor({ state: 'hidden' })

  await page.getByRole('textbox', { name: '部门名称' }).fill('警务室')
  await button(page, '搜索').click()
  await row(page, '教育局').first().waitFor({ state: 'hidden' })
  await button(row(page, '东湖警务室'), '编辑').click()
  await parent(page, '指挥中心')
  await save(page)
  await page.getByText('修改成功').waitFor()
  const moved = () => all().selectFrom('dept').select(['name', 'parentId']).where('name', '=', '东湖警务室').execute()
  const [command] = await all().selectFrom('dept').select('id').where('name', '=', '指挥中心').execute()
  expect(await moved()).toEqual([{ name: '东湖警务室', parentId: command?.id }])

  await button(row(page, '东湖警务室'), '删除').click()
  await page.keyboard.press('Escape')
  await typed.waitFor({ state: 'hidden' })
  expect((await moved()).length).toBe(1)
  await button(row(page, '东湖警务室'), '删除').click()
  await typed.fill('东湖警务室')
  await page.keyboard.press('Enter')
  await page.getByText('没有符合条件的数据').waitFor()
  expect(await moved()).toEqual([])
})

const MENUS = '/system/menu'

test('menu entries are made by type, with names in both languages, moved, found and deleted from below', async () => {
  allow(/menu\/delete/)
  const page = await visit(await admin(), MENUS)
  await button(page, '新增').click()
  await drawer(page).getByLabel('菜单名称').fill('外部资料')
  await drawer(page).getByLabel('英文名称').fill('Outside')
  await drawer(page).getByLabel('路由地址').fill('outside')
  await save(page)
  await drawer(page).getByText('顶级路由必须以 / 开头').waitFor()
  await drawer(page).getByLabel('路由地址').fill('/outside')
  expect(await drawer(page).getByLabel('权限标识').count()).toBe(0)
  await save(page)
  await drawer(page).waitFor({ state: 'hidden' })

  await button(row(page, '外部资料'), '新增下级').click()
  await drawer(page).getByText('外链', { exact: true }).click()
  expect(await drawer(page).getByLabel('组件地址').count()).toBe(0)
  await drawer(page).getByLabel('菜单名称').fill('法规')
  await drawer(page).getByLabel('路由地址').fill('law')
  await save(page)
  await drawer(page).getByText('请填写以 http:// 或 https:// 开头的地址').waitFor()
  await drawer(page).getByLabel('路由地址').fill('https://law.example.org')
  await save(page)
  await drawer(page).waitFor({ state: 'hidden' })
  await page.getByRole('menu').getByText('外部资料').waitFor()

  await page.getByRole('textbox', { name: '菜单名称' }).fill('法规')
  await button(page, '搜索').click()
  await row(page, '法规').getByText('外链').waitFor()
  await button(row(page, '法规'), '编辑').click()
  await parent(page, '预警')
  await save(page)
  await page.getByText('修改成功').waitFor()
  const found = () =>
    all()
      .selectFrom('menu')
      .select(['name', 'nameEn', 'type'])
      .where('name', 'in', ['外部资料', '法规'])
      .orderBy('id')
      .execute()
  expect(await found()).toEqual([
    { name: '外部资料', nameEn: 'Outside', type: 'DIR' },
    { name: '法规', nameEn: '法规', type: 'LINK' },
  ])

  await button(page, '重置').click()
  await button(row(page, '预警').first(), '更多').click()
  await page.locator('.ant-dropdown:visible').getByText('删除', { exact: true }).click()
  await yes(page)
  await page.getByText('存在子菜单，无法删除').waitFor()
  await page.getByRole('textbox', { name: '菜单名称' }).fill('法规')
  await button(page, '搜索').click()
  await button(row(page, '法规'), '删除').click()
  await yes(page)
  await page.getByText('没有符合条件的数据').waitFor()
  expect((await found()).map(({ name }) => name)).toEqual(['外部资料'])
})

test('who may only read the administration has no button to change it', async () => {
  const deptId = await deptByCode(site().db, 'OPERATOR')
  const auditor = await makeUser(site().db, { username: 'auditor', nickname: '审计 韩', roles: ['auditor'], deptId })
  const page = await visit({ id: auditor.id, username: 'auditor', nickname: '审计 韩' }, USERS)
  for (const [path, text] of [
    [USERS, 'maintainer'],
    [ROLES, 'station_desk'],
    [DEPTS, '东湖派出所'],
    [MENUS, '接警台'],
  ] as const) {
    await page.goto(path)
    await row(page, text).first().waitFor()
    for (const words of ['新增', '编辑', '删除', '更多', '新增下级']) expect(await button(page, words).count()).toBe(0)
    expect(await page.getByRole('switch').count()).toBe(0)
  }
})

test('anybody sees his account, edits his own data and changes his password by its rules', async () => {
  allow(/update-password/)
  const password = 'Quiet-lantern-58'
  const deptId = await deptByCode(site().db, 'OPERATOR')
  const made = await makeUser(site().db, {
    username: 'profiled',
    nickname: '维护 江',
    roles: ['maintainer'],
    deptId,
    password,
  })
  const page = await visit({ id: made.id, username: 'profiled', nickname: '维护 江' }, '/profile')
  await page.getByText('设备维护员').waitFor()
  await page.getByLabel('手机号码').fill('123')
  await button(page, '保存').click()
  await page.getByText('手机号码格式不正确').waitFor()
  await page.getByLabel('手机号码').fill('13800001111')
  await page.getByLabel('用户昵称').fill('维护 江平')
  await button(page, '保存').click()
  await page.getByText('修改成功').waitFor()
  await page.getByRole('banner').getByText('维护 江平').waitFor()
  expect(await userNamed('profiled')).toMatchObject([{ nickname: '维护 江平', mobile: '13800001111' }])

  await page.getByRole('tab', { name: '修改密码' }).click()
  const fields = page.getByRole('tabpanel', { name: '修改密码' })
  const type = async (old: string, fresh: string, repeated: string) => {
    await fields.getByLabel('原密码').fill(old)
    await fields.getByLabel('新密码', { exact: true }).fill(fresh)
    await fields.getByLabel('确认新密码').fill(repeated)
    await button(fields, '修改密码').click()
  }
  await type(password, 'short', 'other')
  await fields.getByText('新密码不能少于 8 个').waitFor()
  await fields.getByText('两次输入密码不一致').waitFor()
  await fields.getByText('密码强度：过短').waitFor()
  await type(password, 'abcdefgh', 'abcdefgh')
  await fields
    .locator('.ant-form-item-explain-error')
    .getByText(/密码过于简单/)
    .waitFor()
  await type('not-my-password', 'Brook-under-3-stones', 'Brook-under-3-stones')
  await fields.locator('.ant-form-item-explain-error').getByText('原密码不正确').waitFor()
  await type(password, 'Brook-under-3-stones', 'Brook-under-3-stones')
  await page.getByText('密码已修改，其他设备上的登录已退出').waitFor()
  expect(await fields.getByLabel('原密码').inputValue()).toBe('')
})
