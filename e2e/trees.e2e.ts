import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { deptByCode, makeDept, makeUser } from '../apps/server/seed/fixtures.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import {
  button,
  closed,
  drawer,
  isMissing,
  runRowAction,
  row,
  save,
  formErrors,
  confirmDialog,
} from './page-actions.ts'

const { site, world, visit, allow, all } = browserTest({ language: 'zh-cn', theme: 'dark' })

const DEPTS = '/system/dept'
const parent = async (page: Page, words: string) => {
  await drawer(page).getByLabel('上级').click()
  await page.locator('.ant-select-dropdown:visible').getByText(words, { exact: true }).click()
}

test('creates, finds and moves a department, and deletes several together, all or none', async () => {
  allow(/dept\/create/, /dept\/delete/)
  const page = await visit(world().admin, DEPTS)
  await button(row(page, '东湖派出所'), '新增下级').click()
  await save(page)
  await isMissing(drawer(page), '部门名称')
  await drawer(page).getByLabel('部门名称').fill('东湖警务室')
  await save(page)
  await closed(page)
  await row(page, '东湖警务室').getByText('派出所', { exact: true }).waitFor()

  await button(row(page, '东湖派出所'), '新增下级').click()
  await drawer(page).getByLabel('部门名称').fill('东湖警务室')
  await save(page)
  await formErrors(page).getByText('已经存在该名字的部门').waitFor()
  await button(drawer(page), '取消').click()
  await confirmDialog(page)
  await closed(page)

  const typed = page.locator('.ant-modal:visible').getByRole('textbox')
  await runRowAction(page, '东湖派出所', '删除')
  await typed.fill('东湖')
  await confirmDialog(page)
  await page.getByText('输入的数据不合法!').waitFor()
  await typed.fill('东湖派出所')
  await confirmDialog(page)
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
  await eventually(() => moved()).toEqual([{ name: '东湖警务室', parentId: command?.id }])

  await button(row(page, '东湖警务室'), '删除').click()
  await page.keyboard.press('Escape')
  await typed.waitFor({ state: 'hidden' })
  await eventually(async () => (await moved()).length).toBe(1)
  await button(row(page, '东湖警务室'), '删除').click()
  await typed.fill('东湖警务室')
  await page.keyboard.press('Enter')
  await page.getByText('没有符合条件的数据').waitFor()
  await eventually(() => moved()).toEqual([])

  const parentId = await deptByCode(site().db, 'OPERATOR')
  const above = await makeDept(site().db, { name: '外勤一队', parentId })
  await makeDept(site().db, { name: '外勤小组', parentId: above.id })
  await page.getByRole('textbox', { name: '部门名称' }).fill('外勤')
  await button(page, '搜索').click()
  const left = () => all().selectFrom('dept').select('name').where('name', 'like', '外勤%').execute()
  const remove = async (n: number) => {
    await page
      .locator('.list-toolbar')
      .getByRole('button', { name: `(${n})` })
      .click()
    await confirmDialog(page)
  }
  await page.getByRole('checkbox', { name: '选择 外勤一队' }).check()
  await remove(1)
  await page.getByText('存在子部门，无法删除').waitFor()
  await eventually(async () => (await left()).length).toBe(2)
  await page.getByRole('checkbox', { name: '选择 外勤小组' }).check()
  await remove(2)
  await page.getByText('没有符合条件的数据').waitFor()
  await eventually(() => left()).toEqual([])
})

test('saves masked numbers unchanged when the user may not see them', async () => {
  const role = await site()
    .db.insertInto('role')
    .values({ code: 'tree_keeper', name: '部门管理', dataScope: 'ALL' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const menus = await all().selectFrom('menu').select('id').where('permission', 'like', 'system:dept:%').execute()
  await all()
    .insertInto('roleMenu')
    .values(menus.map(({ id }) => ({ roleId: role.id, menuId: id })))
    .execute()
  const deptId = await deptByCode(site().db, 'OPERATOR')
  const contact = { phone: '13812345678', email: 'li.ming@example.com' }
  await makeDept(site().db, { name: '电话科', parentId: deptId, ...contact })
  const keeper = { username: 'tree.keeper', nickname: '园丁' }
  const { id } = await makeUser(site().db, { ...keeper, roles: ['tree_keeper'], deptId })
  const page = await visit({ id, ...keeper }, `${DEPTS}?name=电话`)
  await button(row(page, '电话科'), '编辑').click()
  await eventually(() => drawer(page).getByLabel('联系电话').inputValue()).toBe('138****5678')
  await eventually(() => drawer(page).getByLabel('邮箱').inputValue()).toBe('l***@example.com')
  await drawer(page).getByLabel('部门名称').fill('电话处')
  await save(page)
  await closed(page)
  const stored = () => all().selectFrom('dept').select(['phone', 'email']).where('name', '=', '电话处').execute()
  await eventually(stored).toEqual([contact])
})

const MENUS = '/system/menu'

test('creates, moves, finds and deletes menu entries, opens a screen with parameters, and refreshes the menu', async () => {
  allow(/menu\/delete/)
  const page = await visit(world().admin, MENUS)
  await button(page, '新增').click()
  await drawer(page).getByLabel('菜单名称').fill('外部资料')
  await drawer(page).getByLabel('英文名称').fill('Outside')
  await drawer(page).getByLabel('路由地址').fill('outside')
  await save(page)
  await drawer(page).getByText('顶级路由必须以 / 开头').waitFor()
  await drawer(page).getByLabel('路由地址').fill('/outside')
  await eventually(() => drawer(page).getByLabel('权限标识').count()).toBe(0)
  await save(page)
  await closed(page)

  await button(row(page, '外部资料'), '新增下级').click()
  await drawer(page).getByText('外链', { exact: true }).click()
  await eventually(() => drawer(page).getByLabel('组件地址').count()).toBe(0)
  await drawer(page).getByLabel('菜单名称').fill('法规')
  await drawer(page).getByLabel('路由地址').fill('law')
  await save(page)
  await drawer(page).getByText('请填写以 http:// 或 https:// 开头的地址').waitFor()
  await drawer(page).getByLabel('路由地址').fill('https://law.example.org')
  await save(page)
  await closed(page)
  await page.getByRole('menu').getByText('外部资料').waitFor()

  await page.getByRole('textbox', { name: '菜单名称' }).fill('法规')
  await button(page, '搜索').click()
  await row(page, '法规').getByText('外链').waitFor()
  await button(row(page, '法规'), '编辑').click()
  await parent(page, '接警')
  await save(page)
  await page.getByText('修改成功').waitFor()
  const found = () =>
    all()
      .selectFrom('menu')
      .select(['name', 'nameEn', 'type'])
      .where('name', 'in', ['外部资料', '法规'])
      .orderBy('id')
      .execute()
  await eventually(() => found()).toEqual([
    { name: '外部资料', nameEn: 'Outside', type: 'DIR' },
    { name: '法规', nameEn: '法规', type: 'LINK' },
  ])

  await button(page, '重置').click()
  await button(row(page, '/warn').filter({ hasText: '目录' }), '更多').click()
  await page.locator('.ant-dropdown:visible').getByText('删除', { exact: true }).click()
  await confirmDialog(page)
  await page.getByText('存在子菜单，无法删除').waitFor()
  await page.getByRole('textbox', { name: '菜单名称' }).fill('法规')
  await button(page, '搜索').click()
  await button(row(page, '法规'), '删除').click()
  await confirmDialog(page)
  await page.getByText('没有符合条件的数据').waitFor()
  await eventually(async () => (await found()).map(({ name }) => name)).toEqual(['外部资料'])

  await page.getByRole('textbox', { name: '菜单名称' }).fill('接警')
  await button(page, '搜索').click()
  await button(row(page, 'warn:record:claim'), '删除').click()
  await confirmDialog(page)
  await page.getByText('系统内置角色使用该菜单，只能停用').waitFor()
  await page.locator('.ant-modal:visible').waitFor({ state: 'hidden' })
  await button(page, '重置').click()

  const pageForm = drawer(page)
  await button(row(page, '系统管理').first(), '新增下级').click()
  await pageForm.getByLabel('菜单名称').fill('示范校')
  await pageForm.getByLabel('路由地址').fill('model')
  await pageForm.getByLabel('组件地址').fill('school/index?kind=model')
  await eventually(() => pageForm.getByLabel('组件地址').inputValue()).toBe('school/index')
  await eventually(() => pageForm.getByLabel('参数 1 的名称').inputValue()).toBe('kind')
  await button(pageForm, '添加参数').click()
  await pageForm.getByLabel('参数 2 的名称').fill('q')
  await pageForm.getByLabel('参数 2 的值').fill('a b&c')
  await save(page)
  await closed(page)
  const stored = async () => {
    const found = all().selectFrom('menu').select(['component', 'enabled']).where('name', '=', '示范校')
    return found.executeTakeFirst()
  }
  await eventually(() => stored()).toEqual({ component: 'school/index?kind=model&q=a+b%26c', enabled: true })
  await button(row(page, '示范校'), '编辑').click()
  await eventually(() => pageForm.getByLabel('参数 2 的值').inputValue()).toBe('a b&c')
  await button(pageForm, '删除参数 1').click()
  await save(page)
  await closed(page)
  await eventually(() => stored()).toEqual({ component: 'school/index?q=a+b%26c', enabled: true })

  const status = row(page, '示范校').getByRole('switch')
  await status.click()
  await confirmDialog(page, '取消')
  await eventually(() => status.isChecked()).toBe(true)
  await status.click()
  await confirmDialog(page)
  await eventually(() => status.isChecked()).toBe(false)
  await eventually(async () => (await stored())?.enabled).toBe(false)

  const other = await page.context().newPage()
  await other.goto('/dashboard')
  await other.getByRole('heading', { level: 1 }).first().waitFor()
  let [loads, others] = [0, 0]
  page.on('load', () => (loads += 1))
  other.on('load', () => (others += 1))
  await page.evaluate(() => localStorage.setItem('ROLES', '["nobody"]'))
  await button(page, '刷新菜单缓存').click()
  await confirmDialog(page)
  await eventually(() => loads).toBe(1)
  await row(page, '系统管理').first().waitFor()
  await eventually(() => page.evaluate(() => localStorage.getItem('ROLES'))).not.toMatch(/nobody|^\[\]$/)
  await eventually(() => others).toBe(0)
})

test('loads a tree of many departments completely, and expands and collapses it', async () => {
  const parentId = await deptByCode(site().db, 'OPERATOR')
  for (let n = 1; n <= 90; n += 1) await makeDept(site().db, { name: `分队 ${n} 号`, parentId })
  const page = await visit(world().admin, DEPTS)
  await eventually(() => row(page, '分队').count()).toBe(90)
  // A large tree is collapsed below its top.
  await button(page, '展开全部').click()
  await button(page, '收起全部').click()
  await row(page, '分队').first().waitFor({ state: 'hidden' })
  await button(page, '展开全部').click()
  await eventually(() => row(page, '分队').count()).toBe(90)
  await row(page, '分队 90 号').waitFor()
  await button(page, '收起全部').click()
  await row(page, '分队').first().waitFor({ state: 'hidden' })
  await button(row(page, '运营中心'), '新增下级').click()
  await drawer(page).getByLabel('部门名称').fill('分队 91 号')
  await save(page)
  await closed(page)
  await row(page, '分队 91 号').waitFor()
})
