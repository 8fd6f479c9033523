import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { deptByCode, makeUser } from '../apps/server/seed/fixtures.ts'
import { REGION } from './setup/e2e-server.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import {
  button,
  selectOption,
  closed,
  drawer,
  isMissing,
  row,
  save,
  formErrors,
  confirmDialog,
  runRowAction,
  rejectsRowAction,
  openRow,
} from './page-actions.ts'

const { site, world, visit, allow, all } = browserTest({ language: 'zh-cn', theme: 'dark' })

/** A user of the operator; the language is stored on the server, so no other test may use this account. */
const colleague = async (username: string, role: string) => {
  const deptId = await deptByCode(site().db, 'OPERATOR')
  const { id } = await makeUser(site().db, { username, nickname: username, roles: [role], deptId })
  return { id, username, nickname: username }
}

const speakEnglish = async (page: Page) => {
  await page.getByRole('button', { name: '语言' }).click()
  await page.locator('.ant-dropdown:visible').getByText('English').click()
}

const inEnglish = { words: 'Export', agree: 'OK' }

/** Returns the lines of the exported file. */
const exported = async (page: Page, { words, agree } = { words: '导出', agree: '确定' }) => {
  const coming = page.waitForEvent('download')
  await button(page, words).click()
  await page.getByRole('menuitem', { name: 'csv' }).click()
  await confirmDialog(page, agree)
  const file = await coming
  const text = await readFile(await file.path(), 'utf8')
  return { name: file.suggestedFilename(), lines: text.trim().split('\r\n') }
}

const DICT = '/system/dict'
const inUse = (page: Page) => page.getByRole('region', { name: '各页面当前显示' })

test('creates, renames, fills, live-updates, exports and deletes a dictionary', async () => {
  allow(/dict-type\/(create|delete)/, /dict-data\/create/)
  const page = await visit(world().admin, DICT)
  await button(page, '新增').click()
  await save(page)
  await isMissing(drawer(page), '字典名称')
  await drawer(page).getByLabel('字典名称').fill('门的颜色')
  await drawer(page).getByRole('textbox', { name: '字典类型' }).fill('common_status')
  await save(page)
  await formErrors(page).getByText('已经存在该类型的字典类型').waitFor()
  await drawer(page).getByRole('textbox', { name: '字典类型' }).fill('door_color')
  await save(page)
  await closed(page)

  await page.getByRole('textbox', { name: '字典类型' }).fill('door')
  await button(page, '搜索').click()
  await row(page, 'common_status').waitFor({ state: 'hidden' })
  await runRowAction(page, 'door_color', '编辑')
  await eventually(() => drawer(page).getByRole('textbox', { name: '字典类型' }).isDisabled()).toBe(true)
  await drawer(page).getByLabel('字典名称').fill('大门颜色')
  await drawer(page).getByLabel('英文名称').fill('Gate colours')
  await save(page)
  await closed(page)
  await row(page, 'door_color').getByText('Gate colours').waitFor()
  const types = await exported(page)
  expect(types.name).toBe('字典类型.csv')
  expect(types.lines.slice(1).map((line) => line.split(',').slice(1, 3).join())).toEqual(['"大门颜色","door_color"'])
  await openRow(page, 'door_color')
  await eventually(() => page.title()).toBe('大门颜色 - 校警联')
  await page.getByText('该字典还没有数据').waitFor()
  await button(page, '新增').first().click()
  await drawer(page).getByLabel('数据标签').fill('红门')
  await drawer(page).getByLabel('数据键值').fill('RED')
  await drawer(page).getByLabel('CSS Class').fill('#d4380d')
  await expect
    .poll(() =>
      drawer(page)
        .getByText('红门', { exact: true })
        .evaluate((tag) => getComputedStyle(tag).backgroundColor),
    )
    .toBe('rgb(212, 56, 13)')
  await save(page)
  await closed(page)
  await row(page, 'RED').waitFor()

  const other = await visit(world().admin, `/system/dict-data/door_color`)
  await inUse(other).getByText('红门').first().waitFor()
  await eventually(() => inUse(other).getByText('绿门').count()).toBe(0)
  await button(page, '新增').click()
  await drawer(page).getByLabel('数据标签').fill('绿门')
  await drawer(page).getByLabel('数据键值').fill('RED')
  await save(page)
  await formErrors(page).getByText('已经存在该值的字典数据').waitFor()
  await drawer(page).getByLabel('数据键值').fill('GREEN')
  await save(page)
  await closed(page)
  // The live connection updates the other page without a reload.
  await inUse(other).getByText('绿门').waitFor()
  const stored = () => other.evaluate(() => sessionStorage.getItem('dictCache') ?? '')
  await eventually(stored).toContain('绿门')
  await button(other, '系统管理员').click()
  await other.getByText('退出登录').click()
  await confirmDialog(other)
  await other.waitForURL('**/login*')
  await eventually(() => stored()).toBe('')

  await page.getByRole('textbox', { name: '数据键值' }).fill('gree')
  await button(page, '搜索').click()
  await row(page, 'RED').waitFor({ state: 'hidden' })
  await button(page, '重置').click()
  await row(page, 'RED').waitFor()
  await runRowAction(page, 'GREEN', '编辑')
  await drawer(page).getByLabel('数据标签').fill('深绿门')
  await save(page)
  await row(page, 'GREEN').getByText('深绿门').waitFor()
  const { name, lines } = await exported(page)
  expect(name).toBe('字典数据.csv')
  expect(lines.slice(1).map((line) => line.split(',').slice(1, 4).join())).toEqual([
    '"door_color","红门","RED"',
    '"door_color","深绿门","GREEN"',
  ])

  await button(page, '全部字典').click()
  await runRowAction(page, 'door_color', '删除')
  await confirmDialog(page)
  await page.getByText('无法删除，该字典类型还有字典数据').waitFor()
  await openRow(page, 'door_color')
  for (const value of ['RED', 'GREEN']) {
    await runRowAction(page, value, '删除')
    await confirmDialog(page)
    await row(page, value).waitFor({ state: 'hidden' })
  }
  await page.getByText('删除成功').waitFor()
  await button(page, '全部字典').click()
  await runRowAction(page, 'door_color', '删除')
  await confirmDialog(page)
  await row(page, 'door_color').waitFor({ state: 'hidden' })
  await eventually(() => all().selectFrom('dictType').select('id').where('type', '=', 'door_color').execute()).toEqual(
    [],
  )
})

test('edits typed, limited and built-in settings, in English and dark', async () => {
  allow(/config\/(create|update)/)
  const page = await visit(await colleague('keeper', 'super_admin'), '/system/config', { colorScheme: 'dark' })
  await speakEnglish(page)
  await row(page, 'log.login-days').getByText('Days that sign-ins are kept').waitFor()
  await rejectsRowAction(page, 'log.login-days', 'Delete')
  await runRowAction(page, 'log.login-days', 'Edit')
  await drawer(page).getByText('A whole number between 180 and 36500').waitFor()
  await eventually(() => drawer(page).getByLabel('Key').isDisabled()).toBe(true)
  await drawer(page).getByLabel('Value', { exact: true }).fill('90')
  await save(page, 'Save')
  await formErrors(page).waitFor()
  await drawer(page).getByLabel('Value', { exact: true }).fill('365')
  await save(page, 'Save')
  await closed(page)
  await row(page, 'log.login-days').getByText('365').waitFor()

  await button(page, 'New').click()
  await drawer(page).getByLabel('Category').fill('test')
  await drawer(page).getByLabel('Name').fill('Quiet hours')
  await drawer(page).getByLabel('Key').fill('test.quiet')
  await drawer(page).getByText('JSON', { exact: true }).click()
  await drawer(page).getByLabel('Value', { exact: true }).fill('{"from": 22')
  await save(page, 'Save')
  await formErrors(page).waitFor()
  // Longer than most values; the field formats it on blur.
  const long = { from: 22, note: 'n'.repeat(1500) }
  await drawer(page).getByLabel('Value', { exact: true }).fill(JSON.stringify(long))
  await save(page, 'Save')
  await closed(page)
  await page.getByRole('textbox', { name: 'Category' }).fill('test')
  await button(page, 'Search').click()
  await row(page, 'site.demo').waitFor({ state: 'hidden' })
  const stored = all().selectFrom('config').select('value').where('key', '=', 'test.quiet')
  await eventually(async () => JSON.parse((await stored.executeTakeFirst())?.value ?? '')).toEqual(long)
  await row(page, 'test.quiet').getByText('"from": 22').waitFor()
  await button(page, 'Reload cache').click()
  await page.getByText('All nodes read their settings again').waitFor()
  expect((await exported(page, inEnglish)).lines).toHaveLength(2)
  await runRowAction(page, 'test.quiet', 'Delete')
  await confirmDialog(page, 'OK')
  await page.getByText('Nothing matches the filter').waitFor()
})

test('shows sealed changes and reads of personal data in the operation log', async () => {
  const { guard } = world().east.staff
  const page = await visit(world().admin, `/system/user?username=${guard.username}`)
  await runRowAction(page, guard.username, '编辑')
  await drawer(page).getByLabel('手机号码').fill('13912345678')
  await save(page)
  await page.getByText('修改成功').waitFor()

  await page.goto('/system/log')
  await page.getByText('显示最近 7 天').waitFor()
  await page.getByRole('textbox', { name: '关键字' }).fill('user:upd')
  await selectOption(page, page.getByRole('combobox', { name: '操作模块' }), '用户管理')
  await selectOption(page, page.getByRole('combobox', { name: '操作名' }), '修改')
  await button(page, '搜索').click()
  // Before the response arrives the table has other rows about this user.
  const edited = row(page, `用户 #${guard.id}`).filter({ hasText: '修改' })
  await edited.first().locator('.row-name').click()
  const changes = drawer(page).getByRole('region', { name: '修改内容' })
  await changes.getByRole('row').filter({ hasText: '手机号码' }).getByText('13912345678').waitFor()
  await changes.getByText('个字段没有变化').waitFor()
  await eventually(() => changes.getByText('用户名称').count()).toBe(0)
  await drawer(page)
    .getByText(/等待封存|已封存/)
    .waitFor()
  await page.keyboard.press('Escape')
  await closed(page)

  await button(page, '更多筛选').click()
  const address = page.getByRole('textbox', { name: '操作 IP' })
  await address.fill('203.0.113')
  await button(page, '搜索').click()
  await page.getByText('没有符合条件的数据').waitFor()
  await address.fill('127.0')
  await page.getByRole('textbox', { name: '关键字' }).fill('')
  await selectOption(page, page.getByRole('combobox', { name: '操作名' }), '查看完整联系方式')
  await button(page, '搜索').click()
  // Revealing the number in the log above was such a read as well.
  await row(page, '操作日志 #').getByText('查看完整联系方式').waitFor()
  await eventually(() => page.getByRole('columnheader').allInnerTexts()).toContain('操作内容')
  await row(page, '操作日志 #').getByText('system:user:reveal', { exact: true }).waitFor()
  await row(page, `用户 #${guard.id}`).last().locator('.row-name').click()
  await drawer(page).getByRole('cell', { name: '/system/user/page', exact: true }).waitFor()
  await drawer(page).getByText('/admin-api/system/user/page', { exact: true }).waitFor()
  await drawer(page).getByText('执行时间（毫秒）').waitFor()
  await page.keyboard.press('Escape')
  await closed(page)
  const [heading] = (await exported(page)).lines
  for (const words of ['操作模块', '执行时间（毫秒）']) expect(heading).toContain(words)
  await eventually(() => button(page, '编辑').count()).toBe(0)
})

test('shows the login log to an auditor on a phone', async () => {
  const auditor = await colleague('audit.log', 'auditor')
  await all()
    .insertInto('loginLog')
    .values({
      type: 'LOGIN',
      username: 'somebody',
      result: 'BAD_PASSWORD',
      ip: REGION.address,
      userAgent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36',
      traceId: 'trace-of-somebody',
    })
    .execute()
  const page = await visit(auditor, '/system/login-log', { viewport: { width: 390, height: 844 } })
  await speakEnglish(page)
  const card = page.locator('.row-card').filter({ hasText: 'somebody' })
  await card.getByText('Wrong password').waitFor()
  await card.getByRole('button', { name: 'somebody' }).click()
  // The region of the file that the server was started with.
  for (const words of ['trace-of-somebody', REGION.name]) await drawer(page).getByText(words).waitFor()
  await page.keyboard.press('Escape')
  await closed(page)
  // On a phone the filters are collapsed.
  await button(page, 'Filter').click()
  await selectOption(page, page.getByRole('combobox', { name: 'Succeeded' }), 'Yes')
  await button(page, 'Search').click()
  await card.waitFor({ state: 'hidden' })
  await page.goto(`/system/login-log?username=somebody`)
  await card.waitFor()
  const { name, lines } = await exported(page, inEnglish)
  expect(name).toBe('Sign-ins.csv')
  expect(lines).toHaveLength(2)
  for (const words of [REGION.address, REGION.name, 'Wrong password']) expect(lines[1]).toContain(words)
})

test('ends a session from the list, leads its user to sign-in, and refetches sessions only while visible', async () => {
  allow(/A0230|401/, /get-permission-info/)
  const { operator, lead } = world()
  const otherPage = await visit(operator, '/profile')
  await otherPage.getByText('指挥中心接警员').waitFor()
  const page = await visit(world().admin, '/system/online')
  await rejectsRowAction(page, '当前会话', '强制下线')
  await page.getByRole('textbox', { name: '用户名称' }).fill(operator.username)
  await button(page, '搜索').click()
  await row(page, '当前会话').waitFor({ state: 'hidden' })
  await runRowAction(page, operator.username, '强制下线')
  await page.getByText('未保存的内容会丢失').waitFor()
  await confirmDialog(page)
  await page.getByText('已强制下线').waitFor()
  await page.getByText('没有符合条件的数据').waitFor()
  await otherPage.waitForURL('**/login*')
  await otherPage.getByText(/您的会话已过期，请重新登录.*管理员已让您下线/s).waitFor()

  const warden = await site()
    .db.insertInto('role')
    .values({ code: 'warden', name: '会话管理', dataScope: 'ALL' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const buttons = await all()
    .selectFrom('menu')
    .select('id')
    .where('permission', 'like', 'system:online-session:%')
    .execute()
  await all()
    .insertInto('roleMenu')
    .values(buttons.map((item) => ({ roleId: warden.id, menuId: item.id })))
    .execute()
  allow(/online-session\/delete/)
  await visit(lead, 'about:blank')
  const userPage = await visit(await colleague('keyholder', 'warden'), `/system/online?username=${lead.username}`)
  await runRowAction(userPage, lead.username, '强制下线')
  await confirmDialog(userPage)
  await userPage.getByText('该用户的权限超出本人').waitFor()

  await button(page, '重置').click()
  await page.clock.install()
  await page.reload()
  await page.getByText('实时', { exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  let requestCount = 0
  await page.route('**/online-session/page*', (route) => {
    requestCount += 1
    return route.continue()
  })
  const look = (state: 'visible' | 'hidden') =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, state)
  const pass = () => page.clock.fastForward(61_000)
  // A hidden page refetches once when it becomes visible, and continues from there.
  await look('hidden')
  for (let minute = 1; minute <= 3; minute += 1) {
    await pass()
    // A refetch would be sent before this request.
    await page.evaluate(() => fetch('/favicon.svg').then(({ status }) => status))
  }
  await look('visible')
  await eventually(() => requestCount).toBe(1)
  // A minute that passes before the response arrives does not count.
  const hasRefetched = async () => {
    await pass()
    return requestCount > 1
  }
  await eventually(hasRefetched).toBe(true)
})
