import { codes } from '@tocsin/contract/codes'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { publishSystemNotice } from '../apps/server/src/areas/notices/system-notice.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'
import {
  button,
  selectOption,
  closed,
  drawer,
  isMissing,
  runRowAction,
  row,
  save,
  SETTLED,
  formErrors,
  confirmDialog,
  openRow,
} from './page-actions.ts'

const { site, world, visit, allow, all } = browserTest({ language: 'zh-cn', theme: 'dark' })

const userNamed = (username: string) => all().selectFrom('users').selectAll().where('username', '=', username).execute()

const USERS = '/system/user'

const makeApplicant = async (username: string, nickname: string) => {
  const { id } = await makeUser(site().db, { username, nickname })
  await all().updateTable('users').set({ pending: true, enabled: false }).where('id', '=', id).execute()
  return id
}

const find = async (page: Page, username: string) => {
  await page.getByRole('textbox', { name: '用户名称' }).fill(username)
  await button(page, '搜索').click()
}

const fillUser = async (page: Page, username: string) => {
  await button(page, '新增').click()
  await drawer(page).getByLabel('用户名称').fill(username)
  await drawer(page).getByLabel('用户昵称').fill('新来的老师')
  await drawer(page).getByLabel('归属部门').click()
  await page.locator('.ant-select-dropdown:visible').getByText(EAST_SCHOOL, { exact: true }).click()
}

test('shows errors at their fields, creates a user with a password shown once, edits, assigns a role and deletes', async () => {
  allow(/user\/create/)
  const page = await visit(world().admin, USERS)
  await button(page, '新增').click()
  await save(page)
  await isMissing(drawer(page), '用户名称')
  await isMissing(drawer(page), '归属部门')
  await button(drawer(page), '取消').click()
  await closed(page)

  await fillUser(page, 'guard.east')
  await drawer(page).getByLabel('手机号码').fill('12')
  await save(page)
  await drawer(page).getByText('手机号码应为 11 位手机号，例如 13800138000').waitFor()
  await drawer(page).getByLabel('手机号码').fill('')
  await save(page)
  await formErrors(page).getByText('用户账号已经存在').waitFor()
  await eventually(() => userNamed('guard.east')).toHaveLength(1)
  await button(drawer(page), '取消').click()
  await confirmDialog(page)
  await closed(page)

  await fillUser(page, 'teacher.new')
  await selectOption(page, drawer(page).getByRole('combobox', { name: '角色' }), '学校安全员')
  await page.keyboard.press('Escape')
  const password = await drawer(page).getByLabel('用户密码').inputValue()
  await save(page)
  const handOver = page.locator('.ant-modal:visible')
  await handOver.getByText(password).waitFor()
  await button(handOver, '已记下').click()
  await handOver.waitFor({ state: 'hidden' })
  await eventually(() => page.getByText(password).count()).toBe(0)

  await page.getByRole('tree').getByText(EAST_SCHOOL, { exact: true }).click()
  await row(page, 'teacher.new').getByText(EAST_SCHOOL).waitFor()
  await row(page, world().station.nickname).waitFor({ state: 'hidden' })
  await page.getByRole('textbox', { name: '用户名称' }).fill('teacher')
  await button(page, '搜索').click()
  await row(page, 'guard.east').waitFor({ state: 'hidden' })

  await runRowAction(page, 'teacher.new', '编辑')
  await drawer(page).getByLabel('手机号码').fill('13912345678')
  await save(page)
  await page.getByText('修改成功').waitFor()
  await row(page, 'teacher.new').getByText('13912345678').waitFor()

  for (const enabled of [false, true]) {
    await runRowAction(page, 'teacher.new', '编辑')
    await drawer(page).getByRole('switch', { name: '状态' }).click()
    await save(page)
    await closed(page)
    await eventually(async () => (await userNamed('teacher.new')).map((item) => item.enabled)).toEqual([enabled])
  }

  await runRowAction(page, 'teacher.new', '分配角色')
  await drawer(page).locator('.ant-drawer-header').getByText('teacher.new', { exact: true }).waitFor()
  await selectOption(page, drawer(page).getByRole('combobox', { name: '角色' }), '学校保安')
  await page.keyboard.press('Escape')
  await save(page)
  await closed(page)
  await openRow(page, 'teacher.new')
  for (const role of ['学校安全员', '学校保安']) await drawer(page).getByText(role).waitFor()
  await page.keyboard.press('Escape')
  await closed(page)

  await runRowAction(page, 'teacher.new', '删除')
  await confirmDialog(page)
  await page.getByText('删除成功').waitFor()
  await page.getByText('没有符合条件的数据').waitFor()
  await eventually(() => userNamed('teacher.new')).toEqual([])
})

test('shows both values when two users edit one account, and current data in the detail', async () => {
  allow(/user\/update/, /assign-user-role/)
  const { username, id } = world().west.staff.head
  const pages = [
    await visit(world().admin, `${USERS}?username=${username}`),
    await visit(world().admin, USERS),
  ] as const
  const type = async (page: Page, nickname: string) => {
    await runRowAction(page, username, '编辑')
    await drawer(page).getByLabel('用户昵称').fill(nickname)
  }
  await type(pages[0], '先改的人')
  await drawer(pages[0]).getByLabel('备注').fill('前者所写')
  await type(pages[1], '后改的人')
  await save(pages[0])
  await closed(pages[0])
  await save(pages[1])
  const second = drawer(pages[1])
  await second.getByText('您没有改动的内容已换成最新的：备注。').waitFor()
  await second.getByText('您与对方都改动了：用户昵称。').waitFor()
  const ownField = second.getByLabel('用户昵称', { exact: true })
  const remoteField = second.getByRole('textbox', { name: '对方的用户昵称' })
  await eventually(async () => [await ownField.inputValue(), await remoteField.inputValue()]).toEqual([
    '后改的人',
    '先改的人',
  ])
  await eventually(() => remoteField.isEditable()).toBe(false)
  await eventually(() => second.getByLabel('备注').inputValue()).toBe('前者所写')
  await eventually(() => userNamed(username)).toMatchObject([{ nickname: '先改的人' }])

  await button(second, '采用').click()
  await remoteField.waitFor({ state: 'hidden' })
  await eventually(() => ownField.inputValue()).toBe('先改的人')
  const focused = (locator: Locator) => eventually(() => locator.evaluate((value) => value === document.activeElement))
  await focused(ownField).toBe(true)
  await ownField.fill('仍要后改')
  await button(second, '全部采用对方的').click()
  await focused(second.locator('.meanwhile')).toBe(true)
  await eventually(() => ownField.inputValue()).toBe('先改的人')
  await ownField.fill('仍要后改')
  await save(pages[1], '以我的为准保存')
  await closed(pages[1])
  await eventually(() => userNamed(username)).toMatchObject([{ nickname: '仍要后改', remark: '前者所写' }])

  // The other list still shows the earlier name, and its detail the current one.
  await row(pages[0], username).getByText('先改的人').waitFor()
  await openRow(pages[0], username)
  await drawer(pages[0]).getByRole('cell', { name: '仍要后改' }).waitFor()
  await pages[0].keyboard.press('Escape')
  await closed(pages[0])

  // A conflict whose other side cannot be read is read on the next save.
  const [page] = pages
  const roles = all().selectFrom('role').select('id').where('code', '=', 'guard')
  const assigned = all().selectFrom('userRole').select('roleId').where('userId', '=', id).orderBy('roleId')
  await runRowAction(page, username, '分配角色')
  await selectOption(page, drawer(page).getByRole('combobox', { name: '角色' }), '学校安全员')
  await page.keyboard.press('Escape')
  const { id: roleId } = await roles.executeTakeFirstOrThrow()
  await all().insertInto('userRole').values({ userId: id, roleId }).execute()
  await all().updateTable('users').set({ version: 99 }).where('id', '=', id).execute()
  const both = await assigned.execute()
  await page.route('**/list-user-roles**', (route) => route.fulfill({ json: { code: 500, msg: '', data: null } }))
  await save(page)
  await page.getByText(codes.stale.zh).waitFor()
  await eventually(() => assigned.execute()).toEqual(both)
  await page.unroute('**/list-user-roles**')
  await save(page)
  await drawer(page).getByText('您与对方都改动了：角色。').waitFor()
})

test('disables a user, shows a reset password once, protects the own account, and finds by one keyword', async () => {
  const { admin } = world()
  const page = await visit(admin, `${USERS}?username=safety.east`)
  await row(page, 'safety.east').getByRole('switch').click()
  await page.getByText('该用户将立即从所有设备退出登录。').waitFor()
  await confirmDialog(page)
  await page.getByText('修改成功').waitFor()
  await eventually(() => userNamed('safety.east')).toMatchObject([{ enabled: false }])

  await runRowAction(page, 'safety.east', '重置密码')
  const password = await drawer(page).getByLabel('用户密码').inputValue()
  await save(page)
  await page.locator('.ant-modal:visible').getByText(password).waitFor()
  await eventually(() => userNamed('safety.east')).toMatchObject([{ mustChangePassword: true }])
  await button(page.locator(SETTLED), '已记下').click()
  await page.locator('.ant-modal:visible').waitFor({ state: 'hidden' })

  await find(page, admin.username)
  await row(page, admin.username).waitFor()
  await eventually(() => row(page, admin.username).getByRole('switch').isDisabled()).toBe(true)

  await makeUser(site().db, { username: 'keyword.one', nickname: '罗三丰', mobile: '13700000031' })
  await makeUser(site().db, { username: 'keyword.two', nickname: '罗四海' })
  await find(page, 'keyword')
  await row(page, 'keyword.two').waitFor()
  for (const keyword of ['三丰', 'WORD.O', '0000031']) {
    await page.getByRole('textbox', { name: '关键字' }).fill(keyword)
    await button(page, '搜索').click()
    await row(page, 'keyword.two').waitFor({ state: 'hidden' })
    await row(page, 'keyword.one').waitFor()
    await page.getByRole('textbox', { name: '关键字' }).fill('')
    await button(page, '搜索').click()
    await row(page, 'keyword.two').waitFor()
  }

  const { username } = world().west.staff.safety
  await find(page, username)
  const { promise: listed, resolve: list } = Promise.withResolvers<void>()
  await row(page, username).getByRole('switch').waitFor()
  await page.route('**/system/user/page?*', (route) => listed.then(() => route.continue()))
  await row(page, username).getByRole('switch').click()
  await confirmDialog(page)
  await eventually(() => userNamed(username)).toMatchObject([{ enabled: false }])
  await runRowAction(page, username, '编辑')
  await row(page, username).locator('[aria-busy=true]').waitFor()
  list()
  await drawer(page).getByLabel('用户昵称').fill('停用后改名')
  await eventually(() => drawer(page).getByRole('switch').isChecked()).toBe(false)
  await save(page)
  await closed(page)
  await eventually(() => userNamed(username)).toMatchObject([{ nickname: '停用后改名', enabled: false }])
})

test('leads to the roles of approved applicants, also of two in a row', async () => {
  const id = await makeApplicant('hopeful', '新同事')
  const page = await visit(world().admin, `${USERS}?pending=true`)
  await runRowAction(page, 'hopeful', '通过')
  await page.locator(SETTLED).getByText('下一步为其分配角色').waitFor()
  await confirmDialog(page)
  await drawer(page).getByText('分配角色：新同事').waitFor()
  await row(page, 'hopeful').waitFor({ state: 'hidden' })
  await selectOption(page, drawer(page).getByRole('combobox', { name: '角色' }), '学校安全员')
  await page.keyboard.press('Escape')
  await save(page)
  await closed(page)
  await eventually(() => userNamed('hopeful')).toMatchObject([{ pending: false, enabled: true }])
  const assigned = all().selectFrom('userRole').select('roleId').where('userId', '=', id)
  await eventually(() => assigned.execute()).toHaveLength(1)

  for (const [username, nickname] of [
    ['eager.one', '先到'],
    ['eager.two', '后到'],
  ] as const) {
    await makeApplicant(username, nickname)
  }
  await button(page, '搜索').click()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/system/user/get?*', (route) => answered.then(() => route.continue()))
  for (const username of ['eager.one', 'eager.two']) {
    await runRowAction(page, username, '通过')
    await confirmDialog(page)
    await row(page, username).waitFor({ state: 'hidden' })
  }
  answer()
  const [first, second] = ['先到', '后到'].map((name) => drawer(page).getByText(`分配角色：${name}`))
  await first?.or(second ?? first).waitFor()
  const begun = (await first?.isVisible()) ? [first, second] : [second, first]
  await begun[0]?.waitFor()
  await button(drawer(page), '取消').click()
  await begun[1]?.waitFor()
  await button(drawer(page), '取消').click()
  await closed(page)
})

test('rejects an applicant after a question, and deletes the account', async () => {
  await makeApplicant('applicant', '申请人')
  await makeUser(site().db, { username: 'stayer', nickname: '在职者' })
  const page = await visit(world().admin, USERS)
  await row(page, 'stayer').waitFor()
  await button(page, '更多筛选').click()
  await selectOption(page, page.getByRole('combobox', { name: '待审核' }), '是')
  await button(page, '搜索').click()
  await row(page, 'stayer').waitFor({ state: 'hidden' })
  await eventually(() => row(page, 'applicant').getByRole('switch').count()).toBe(0)
  await openRow(page, 'applicant')
  await drawer(page).getByText('待审核').waitFor()
  await page.keyboard.press('Escape')
  await closed(page)
  await runRowAction(page, 'applicant', '拒绝')
  await page.locator(SETTLED).getByText('申请人 (applicant)').waitFor()
  await button(page.locator(SETTLED), '取消').click()
  await page.locator('.ant-modal:visible').waitFor({ state: 'hidden' })
  await eventually(() => userNamed('applicant')).toHaveLength(1)
  await runRowAction(page, 'applicant', '拒绝')
  await confirmDialog(page)
  await page.getByText('已拒绝').waitFor()
  await row(page, 'applicant').waitFor({ state: 'hidden' })
  await eventually(() => userNamed('applicant')).toEqual([])
})

test('does not block a row while another request is pending', async () => {
  const { admin, east } = world()
  const news = { title: '停水通知', content: '<p>正文</p>', publisherName: null, userIds: [admin.id] }
  await publishSystemNotice(site().db, { deptId: east.deptId }, news)
  const page = await visit(admin, `${USERS}?username=guard.east`)
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/notice/read-all', (route) => answered.then(() => route.continue()))
  await page.getByRole('button', { name: '通知，1 条未读' }).click()
  await page.getByRole('menuitem', { name: '全部已读' }).click()
  await runRowAction(page, 'guard.east', '编辑')
  await drawer(page).getByLabel('用户昵称').waitFor()
  await button(drawer(page), '取消').click()
  await closed(page)
  answer()
  await page.getByRole('button', { name: '通知', exact: true }).waitFor()
})

test("removes another user's second factor and signs the user out, but not the own one here", async () => {
  allow(/A0230|401/, /get-permission-info/)
  const { operator, admin } = world()
  const factor = { userId: operator.id, secret: Buffer.from('sealed'), confirmedAt: new Date() }
  await all().insertInto('secondFactor').values(factor).execute()
  const otherPage = await visit(operator, '/profile')
  await otherPage.getByText(operator.username, { exact: true }).first().waitFor()
  const page = await visit(admin, `${USERS}?keywords=${operator.username}`)
  await runRowAction(page, operator.username, '移除二次验证')
  await page.locator(SETTLED).getByText('请先核实本人身份').waitFor()
  await confirmDialog(page)
  await page.getByText('修改成功').waitFor()
  await eventually(() => new URL(otherPage.url()).pathname).toBe('/login')
  await eventually(() => all().selectFrom('secondFactor').select('userId').execute()).toEqual([])

  await page.getByRole('textbox', { name: '关键字' }).fill('')
  await find(page, admin.username)
  await button(row(page, admin.username), '更多').click()
  const own = page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: /^移除二次验证/ })
  await eventually(() => own.getAttribute('aria-disabled')).toBe('true')
})
