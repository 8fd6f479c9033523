import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button, row, SETTLED } from './page-actions.ts'

// Bulk actions on rows of the administration, and the order of rows.

const { site, world, visit, allow, all } = browserTest({ language: 'zh-cn', theme: 'light' })

const modal = (page: Page) => page.locator(SETTLED)
const yes = (page: Page) => button(modal(page), '确定').click()
const pick = (page: Page, name: string) => page.getByRole('checkbox', { name: `选择 ${name}` })
const deletion = (page: Page) => page.locator('.list-toolbar').getByRole('button', { name: /^delete 删\s?除/ })

test('deletes several selected users together but never the own account, and covers sticky cells by the header', async () => {
  allow(/WebSocket|ERR_|infra\/ws/)
  for (const username of ['leaver.one', 'leaver.two', 'stayer'])
    await makeUser(site().db, { username, nickname: username })
  const page = await visit(world().admin, '/system/user')
  await deletion(page).click()
  await page.getByText('请选择需要删除的数据').waitFor()
  for (const name of ['leaver.one', 'leaver.two']) await pick(page, `${name} (${name})`).check()
  await deletion(page).click()
  await modal(page).locator('.ant-modal-confirm-title').getByText('是否删除所选中数据？').waitFor()
  await modal(page).getByText('已选 2 项: leaver.two (leaver.two), leaver.one (leaver.one)').waitFor()
  await yes(page)
  await page.getByText('删除成功').waitFor()
  await row(page, 'leaver.one').waitFor({ state: 'hidden' })
  const left = await all().selectFrom('users').select('username').where('username', 'like', '%er%').execute()
  expect(left.map(({ username }) => username)).not.toContain('leaver.two')
  expect(left.map(({ username }) => username)).toContain('stayer')
  await page.getByRole('textbox', { name: '用户名称' }).fill('admin')
  await button(page, '搜索').click()
  await row(page, 'stayer').waitFor({ state: 'hidden' })
  await eventually(() => pick(page, '系统管理员 (admin)').isDisabled()).toBe(true)

  await button(page, '重置').click()
  await row(page, 'stayer').waitFor()
  await page.setViewportSize({ width: 1440, height: 340 })
  await page.routeWebSocket('**/infra/ws', (socket) => socket.close())
  await page.reload()
  await page.locator('.not-live').waitFor()
  const stickyCell = page.locator('thead .ant-table-selection-column')
  /** Scrolls until the sticky cell is at this part of the frame. @returns whether the part covers it */
  const covers = (part: string) =>
    stickyCell.evaluate((cell, selector) => {
      const frame = document.querySelector(selector)?.getBoundingClientRect()
      if (!frame) return false
      scrollBy(0, cell.getBoundingClientRect().top - frame.top)
      const { left, top, width } = cell.getBoundingClientRect()
      return document.elementFromPoint(left + width / 2, top + 10)?.closest(selector) !== null
    }, part)
  await eventually(() => covers('.layout-header')).toBe(true)
  await page.setViewportSize({ width: 1440, height: 220 })
  await eventually(() => covers('.warnings')).toBe(true)
})

test('exports roles, and selects several on a phone except built-in ones', async () => {
  const roles = ['temp_a', 'temp_b'].map((code) => ({ code, name: code }))
  await all().insertInto('role').values(roles).execute()
  const page = await visit(world().admin, '/system/role')
  await row(page, 'temp_a').waitFor()
  await button(page, '导出').click()
  await page.getByRole('menuitem', { name: 'csv' }).click()
  const [file] = await Promise.all([page.waitForEvent('download'), yes(page)])
  expect(file.suggestedFilename()).toBe('角色数据.csv')
  await page.setViewportSize({ width: 390, height: 844 })
  await eventually(() => pick(page, '系统管理员').isDisabled()).toBe(true)
  for (const { name } of roles) await pick(page, name).check()
  await deletion(page).click()
  await yes(page)
  await page.getByText('删除成功').waitFor()
  await eventually(() => all().selectFrom('role').select('id').where('code', 'like', 'temp%').execute()).toEqual([])
})

test('jumps to a typed page number, and offers all page sizes', async () => {
  const tried = { type: 'LOGIN', result: 'BAD_PASSWORD', ip: '10.1.2.3', userAgent: 'x', traceId: 't' } as const
  const usernames = Array.from({ length: 71 }, (_, at) => `paged.${String(at).padStart(2, '0')}`)
  await all()
    .insertInto('loginLog')
    .values(usernames.map((username) => ({ ...tried, username })))
    .execute()
  const page = await visit(world().admin, '/system/login-log?username=paged&pageSize=10')
  const to = page.locator('.ant-pagination-options-quick-jumper').getByRole('textbox')
  await to.fill('8')
  await to.press('Enter')
  await page.waitForURL(/pageNo=8/)
  await eventually(() => row(page, 'paged.').count()).toBe(1)
  await page.locator('.ant-pagination-options-size-changer').click()
  for (const size of [10, 20, 30, 50, 100, 200])
    await page.locator('.ant-select-dropdown:visible').getByTitle(`${size} 条/页`).waitFor()
  await page.locator('.ant-select-dropdown:visible').getByTitle('30 条/页').click()
  await eventually(() => row(page, 'paged.').count()).toBe(30)
  // All three pages have their own button.
  await eventually(() => to.count()).toBe(0)
})

/** Drags a row by its handle onto another: near its top to insert before it, in its middle to insert below it. */
const drag = async (page: Page, from: Locator, { to, part }: { to: Locator; part: number }) => {
  await from.locator('.drag-handle').hover()
  await page.mouse.down()
  const box = await to.boundingBox()
  if (!box) throw new Error('nowhere to drop')
  await page.mouse.move(box.x + 200, box.y + box.height * part, { steps: 5 })
  await page.mouse.up()
}

test('reorders menus and departments by dragging and by single steps', async () => {
  const page = await visit(world().admin, '/system/menu')
  const orderOf = async () => {
    const parent = all().selectFrom('menu').select('id').where('path', '=', '/warn')
    const rows = await all().selectFrom('menu').select('name').where('parentId', '=', parent).orderBy('sort').execute()
    return rows.map(({ name }) => name)
  }
  const before = await orderOf()
  await drag(page, row(page, '警情日志'), { to: row(page, '接警台'), part: 0.1 })
  await eventually(orderOf).toEqual(['警情日志', ...before.filter((name) => name !== '警情日志')])
  await page.goto('/system/dept')
  await button(row(page, '西山区教育局'), '更多').click()
  await page.locator('.ant-dropdown:visible').getByText('上移', { exact: true }).click()
  const names = () => page.locator('tbody tr.ant-table-row').allInnerTexts()
  await eventually(async () => (await names()).findIndex((text) => text.includes('西山区教育局'))).toBe(1)
  await drag(page, row(page, '指挥中心'), { to: row(page, '东湖派出所'), part: 0.5 })
  const moved = () =>
    all()
      .selectFrom('dept as d')
      .innerJoin('dept as above', 'above.id', 'd.parentId')
      .select('above.name')
      .where('d.name', '=', '指挥中心')
      .execute()
  await eventually(moved).toEqual([{ name: '东湖派出所' }])
})
