import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { deptByCode, makeUser } from '../apps/server/seed/fixtures.ts'
import { changePreferences, openInside } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import {
  button,
  selectOption,
  closed,
  drawer,
  isMissing,
  runRowAction,
  row,
  save,
  formErrors,
  confirmDialog,
  rejectsRowAction,
} from './page-actions.ts'

const { site, world, visit, allow, all } = browserTest({ language: 'zh-cn', theme: 'light' })

const userNamed = (username: string) => all().selectFrom('users').selectAll().where('username', '=', username).execute()

const USERS = '/system/user'

const ROLES = '/system/role'
const box = (page: Page, title: string) =>
  drawer(page).getByRole('treeitem').filter({ hasText: title }).locator('.ant-tree-checkbox').first()

/** The permissions and users of a built-in role are shown, but cannot be changed. */
const showBuiltInRole = async (page: Page) => {
  await openInside(page, `${ROLES}?code=station_desk`)
  await rejectsRowAction(page, 'station_desk', '编辑')
  await runRowAction(page, 'station_desk', '菜单权限')
  await drawer(page).getByText('内置角色只能查看，不能修改').waitFor()
  await eventually(() => button(drawer(page), '保存').count()).toBe(0)
  await page.keyboard.press('Escape')
  await closed(page)
  await runRowAction(page, 'station_desk', '成员')
  await drawer(page).getByText(world().station.nickname).waitFor()
  await page.keyboard.press('Escape')
  await closed(page)
}

/** Another user removed a department before departments are chosen again: it stays removed. */
const mergeRemovedDept = async (page: Page) => {
  allow(/assign-role-data-scope/)
  const names = ['东湖区教育局', '东湖派出所']
  const depts = await all().selectFrom('dept').select('id').where('name', 'in', names).execute()
  const inserted = all().insertInto('role').values({ code: 'patrol', name: '片区巡查', dataScope: 'CUSTOM' })
  const { id: roleId } = await inserted.returning('id').executeTakeFirstOrThrow()
  const values = depts.map(({ id }) => ({ roleId, deptId: id }))
  await all().insertInto('roleDept').values(values).execute()
  await openInside(page, `${ROLES}?code=patrol`)
  await runRowAction(page, 'patrol', '数据权限')
  await expect.poll(() => drawer(page).locator('.ant-tree-checkbox-checked').count()).toBe(2)
  await selectOption(page, drawer(page).getByLabel('权限范围'), '仅本人数据权限')

  const [removed, stored] = depts.map(({ id }) => id)
  await all().deleteFrom('roleDept').where('roleId', '=', roleId).where('deptId', '=', Number(removed)).execute()
  await all().updateTable('role').set({ version: 99 }).where('id', '=', roleId).execute()
  await save(page)
  await drawer(page).getByText('他人修改了这条数据').waitFor()
  await selectOption(page, drawer(page).getByLabel('权限范围'), '指定部门数据权限')
  await drawer(page).getByText('您没有改动的内容已换成最新的：指定部门。').waitFor()
  await save(page)
  await closed(page)
  const left = all().selectFrom('roleDept').select('deptId').where('roleId', '=', roleId)
  await eventually(() => left.execute()).toEqual([{ deptId: stored }])
}

test('creates, grants and deletes a role, only shows a built-in one, and keeps a department removed meanwhile', async () => {
  const page = await visit(world().admin, ROLES)
  await button(page, '新增').click()
  await save(page)
  await isMissing(drawer(page), '角色名称')
  await drawer(page).getByLabel('角色名称').fill('夜班巡查')
  await drawer(page).getByLabel('角色标识').fill('guard')
  allow(/role\/create/)
  await save(page)
  await formErrors(page).getByText('角色标识已经存在').waitFor()
  await drawer(page).getByLabel('角色标识').fill('night_watch')
  await save(page)
  await closed(page)

  await page.getByRole('textbox', { name: '角色名称' }).fill('夜班')
  await button(page, '搜索').click()
  await row(page, '学校保安').waitFor({ state: 'hidden' })
  await runRowAction(page, '夜班巡查', '编辑')
  await drawer(page).getByLabel('备注').fill('只在夜里')
  await save(page)
  await closed(page)
  await row(page, '夜班巡查').getByText('只在夜里').waitFor()
  await runRowAction(page, '夜班巡查', '菜单权限')
  await button(drawer(page), '展开全部').click()
  await box(page, '转交').click()
  await save(page)
  await closed(page)
  const assigned = () =>
    all()
      .selectFrom('roleMenu')
      .innerJoin('menu', 'menu.id', 'roleMenu.menuId')
      .innerJoin('role', 'role.id', 'roleMenu.roleId')
      .select('menu.name')
      .where('role.code', '=', 'night_watch')
      .orderBy('menu.id')
      .execute()
  const ticked = [{ name: '接警' }, { name: '警情记录' }, { name: '转交' }]
  await eventually(() => assigned()).toEqual(ticked)

  await runRowAction(page, '夜班巡查', '菜单权限')
  await button(drawer(page), '展开全部').click()
  await drawer(page).locator('.ant-tree-checkbox-checked').first().waitFor()
  await eventually(() => drawer(page).locator('.ant-tree-checkbox-checked').count()).toBe(1)
  await eventually(() => drawer(page).locator('.ant-tree-checkbox-indeterminate').count()).toBe(2)
  const together = drawer(page).getByRole('switch', { name: '父子联动' })
  const checked = drawer(page).locator('.ant-tree-checkbox-checked')
  await together.click()
  await expect.poll(() => checked.count()).toBe(3)
  await button(drawer(page), '父子联动说明').hover()
  await page.getByText('逐项勾选').waitFor()
  await box(page, '系统管理').click()
  await expect.poll(() => checked.count()).toBe(4)
  await box(page, '系统管理').click()
  await expect.poll(() => checked.count()).toBe(3)
  await together.click()
  await save(page)
  await closed(page)
  await eventually(() => assigned()).toEqual(ticked)

  await runRowAction(page, '夜班巡查', '菜单权限')
  await button(drawer(page), '展开全部').click()
  await box(page, '转交').click()
  const alarmLog = all().selectFrom('menu').select('id').where('permission', '=', 'warn:log:query')
  const nightWatch = all().selectFrom('role').select('id').where('code', '=', 'night_watch')
  const [given, role] = [await alarmLog.executeTakeFirstOrThrow(), await nightWatch.executeTakeFirstOrThrow()]
  await all().insertInto('roleMenu').values({ roleId: role.id, menuId: given.id }).execute()
  await all().updateTable('role').set({ version: 99 }).where('id', '=', role.id).execute()
  allow(/assign-role-menu/)
  await page.route('**/list-role-menus**', (route) => route.fulfill({ json: { code: 500, msg: '', data: null } }))
  await save(page)
  await page.getByText('服务器错误,请联系管理员!').waitFor()
  await page.unroute('**/list-role-menus**')
  const { promise: locked, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/assign-role-menu', (route) => locked.then(() => route.continue()))
  await drawer(page)
    .locator('.ant-drawer-body')
    .evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await save(page)
  await drawer(page).locator('[inert] .ant-tree').waitFor()
  answer()
  const message = drawer(page).getByText('对方勾选了')
  await message.waitFor()
  // The row may be outside of the visible part of the tree.
  await eventually(async () => (await message.boundingBox())?.y).toBeGreaterThan(0)
  await drawer(page).locator('[inert]').waitFor({ state: 'detached' })
  await save(page)
  await closed(page)
  await eventually(async () => (await assigned()).map(({ name }) => name)).not.toContain('转交')
  const isHeld = all().selectFrom('roleMenu').select('menuId').where('roleId', '=', role.id)
  await eventually(() => isHeld.execute()).toContainEqual({ menuId: given.id })

  await runRowAction(page, '夜班巡查', '数据权限')
  await drawer(page).locator('.ant-drawer-header').getByText('night_watch', { exact: true }).waitFor()
  await selectOption(page, drawer(page).getByLabel('权限范围'), '指定部门数据权限')
  await save(page)
  await drawer(page).getByText('请至少选择一个部门').waitFor()
  await button(drawer(page), '收起全部').click()
  await box(page, '东湖区教育局').waitFor({ state: 'hidden' })
  await button(drawer(page), '展开全部').click()
  const boxes = () => drawer(page).locator('.ant-tree-checkbox-checked').count()
  await button(drawer(page), '全选').click()
  await eventually(() => drawer(page).locator('.ant-tree-checkbox:not(.ant-tree-checkbox-checked)').count()).toBe(0)
  await button(drawer(page), '全不选').click()
  await eventually(() => boxes()).toBe(0)
  // Ticks the department with everything below it, until cascading is switched off.
  await box(page, '东湖区教育局').click()
  await eventually(() => boxes()).toBeGreaterThan(1)
  await box(page, '东湖区教育局').click()
  await drawer(page).getByRole('switch', { name: '父子联动' }).click()
  await box(page, '东湖区教育局').click()
  await eventually(() => boxes()).toBe(1)
  await save(page)
  await closed(page)
  await row(page, '夜班巡查').getByText('指定部门数据权限').waitFor()

  await runRowAction(page, '夜班巡查', '成员')
  await drawer(page).getByText('没有可见的成员').waitFor()
  await page.keyboard.press('Escape')
  await closed(page)
  await runRowAction(page, '夜班巡查', '删除')
  await confirmDialog(page)
  await page.getByText('删除成功').waitFor()
  await eventually(() => assigned()).toEqual([])

  await showBuiltInRole(page)
  await mergeRemovedDept(page)
})

test('shows no edit buttons when the user may only read the administration', async () => {
  const deptId = await deptByCode(site().db, 'OPERATOR')
  const auditor = await makeUser(site().db, { username: 'auditor', nickname: '审计 韩', roles: ['auditor'], deptId })
  const page = await visit({ id: auditor.id, username: 'auditor', nickname: '审计 韩' }, USERS)
  await row(page, 'maintainer').first().waitFor()
  for (const [path, text] of [
    [USERS, 'maintainer'],
    [ROLES, 'station_desk'],
    ['/system/dept', '东湖派出所'],
    ['/system/menu', '我的任务'],
  ] as const) {
    await openInside(page, path)
    await row(page, text).first().waitFor()
    for (const words of ['新增', '编辑', '删除', '更多', '新增下级'])
      await eventually(() => button(page, words).count()).toBe(0)
    await eventually(() => page.getByRole('switch').count()).toBe(0)
    // A column without values is not displayed.
    const last = page.locator('tbody tr.ant-table-row').first().locator('td').last()
    await eventually(() => last.innerText()).not.toBe('')
  }
})

test('shows a user the own account, saves the own data, and enforces the password rules', async () => {
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
  await page.getByText('手机号码应为 11 位手机号，例如 13800138000').waitFor()
  await page.getByLabel('手机号码').fill('13800001111')
  await page.getByText('姓名由管理员修改').waitFor()
  await button(page, '保存').click()
  await page.getByText('修改成功').waitFor()
  await eventually(() => userNamed('profiled')).toMatchObject([{ nickname: '维护 江', mobile: '13800001111' }])

  await page.getByRole('tab', { name: '修改密码' }).click()
  const fields = page.getByRole('tabpanel', { name: '修改密码' })
  const type = async (old: string, fresh: string, repeated: string) => {
    await fields.getByLabel('原密码').fill(old)
    await fields.getByLabel('新密码', { exact: true }).fill(fresh)
    await fields.getByLabel('确认新密码').fill(repeated)
    await button(fields, '修改密码').click()
  }
  await type(password, 'short', 'other')
  await fields.getByText('新密码不能少于 8 个字符').waitFor()
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
  await eventually(() => fields.getByLabel('原密码').inputValue()).toBe('')
})

test('removes a permission from open screens without a reload when an administrator takes it from a role', async () => {
  const { deptId } = world().east
  const given = all().insertInto('role').values({ code: 'registry', name: '登记员', dataScope: 'DEPT' }).returning('id')
  const { id: roleId } = await given.executeTakeFirstOrThrow()
  const menus = all().selectFrom('menu').select('id')
  const wanted = ['system:dict:query', 'system:dict:create', 'system:dept:query']
  const assigned = await menus.where('permission', 'in', wanted).execute()
  await all()
    .insertInto('roleMenu')
    .values(assigned.map(({ id }) => ({ roleId, menuId: id })))
    .execute()
  const user = await makeUser(site().db, { username: 'registry', nickname: '登记 方', deptId })
  await all().insertInto('userRole').values({ userId: user.id, roleId }).execute()
  const userPage = await visit(user, '/system/dict')
  await changePreferences(userPage, { layout: 'left' })
  await button(userPage, '新增').waitFor()
  await userPage.getByRole('menuitem', { name: '部门管理' }).waitFor()
  await userPage.evaluate(() => Object.assign(window, { before: true }))

  const page = await visit(world().admin, `${ROLES}?code=registry`)
  await runRowAction(page, 'registry', '菜单权限')
  await button(drawer(page), '展开全部').click()
  await drawer(page).locator('.ant-tree-checkbox-checked').first().waitFor()
  const ticked = (words: string) =>
    drawer(page).getByRole('treeitem').filter({ hasText: words }).locator('.ant-tree-checkbox-checked')
  // The departments are the first of the user's screens.
  await ticked('查询').first().click()
  await ticked('新增').click()
  await save(page)
  await closed(page)
  await userPage.getByRole('menuitem', { name: '部门管理' }).waitFor({ state: 'hidden' })
  await button(userPage, '新增').waitFor({ state: 'hidden' })
  await userPage.getByRole('menuitem', { name: '字典管理' }).waitFor()
  expect(await userPage.evaluate(() => 'before' in window)).toBe(true)
})
