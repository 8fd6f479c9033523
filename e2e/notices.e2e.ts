import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  begin,
  editor,
  MY_NOTICES_PATH,
  NOTICES,
  noticeNamed,
  publish,
  publishToEastSchool,
  toDept,
  tool,
} from './notice.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import type { Person } from './setup/e2e-fixture.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'
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
  openRow,
} from './page-actions.ts'

const { world, visit, allow, all } = browserTest({ language: 'zh-cn', theme: 'dark' })

const bell = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^通知/ })
const counts = (page: Page, n: number) =>
  eventually(() => bell(page).getAttribute('aria-label')).toBe(n === 0 ? '通知' : `通知，${n} 条未读`)

/** Calls the API with the session of this page. */
const asks = (page: Page, path: string) =>
  page.evaluate(async (address) => {
    const headers = { authorization: `Bearer ${localStorage.getItem('ACCESS_TOKEN')}`, 'tenant-id': '1' }
    const answer: { code: number; data: unknown } = await (await fetch(`/admin-api${address}`, { headers })).json()
    return answer
  }, path)

/** Records every frame that the server sends to this page from now on. */
const pushed = (page: Page) => {
  const frames: string[] = []
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => void frames.push(String(payload))))
  return frames
}

test("counts a notice on its users' bells at once, marks it read, removes it when revoked, and opens it on a phone", async () => {
  const { guard } = world().east.staff
  const page = await visit(world().admin, NOTICES)
  const userPage = await visit(guard, '/')
  await counts(userPage, 0)

  await begin(page, '周五演练', '紧急')
  await drawer(page).getByLabel('备注').fill('已与消防队商定')
  await toDept(page, EAST_SCHOOL)
  await editor(page).click()
  await tool(page, '一级标题').click()
  await page.keyboard.type('演练')
  await page.keyboard.press('Enter')
  await page.keyboard.type('请准时')
  await page.keyboard.press('Shift+Home')
  await tool(page, '加粗').click()
  await eventually(() => tool(page, '加粗').getAttribute('aria-pressed')).toBe('true')
  await page.keyboard.press('End')
  await tool(page, '加粗').click()
  await tool(page, '链接').click()
  const dialog = page.locator('.ant-modal:visible')
  await dialog.getByRole('textbox', { name: '链接地址' }).fill('javascript:alert(1)')
  await button(dialog, '保存').click()
  await dialog.getByText('请填写以 http://').waitFor()
  await dialog.getByRole('textbox', { name: '链接地址' }).fill('plan.example.org/a')
  await button(dialog, '保存').click()
  await dialog.waitFor({ state: 'hidden' })
  await save(page)
  await closed(page)
  const rel = 'rel="noopener noreferrer nofollow" target="_blank"'
  const link = `<a href="https://plan.example.org/a" ${rel}>https://plan.example.org/a</a>`
  const { id, content } = await noticeNamed(all(), '周五演练')
  expect(content).toBe(`<h1>演练</h1><p><strong>请准时</strong>${link}</p>`)
  await counts(userPage, 0)

  await publish(page, '周五演练')
  await counts(userPage, 1)
  await userPage.getByText('紧急通知：周五演练').waitFor()
  await runRowAction(page, '周五演练', '推送')
  await confirmDialog(page)
  await page.getByText('推送成功').waitFor()
  await userPage.getByText('未读通知：周五演练').waitFor()
  await userPage.locator('.home-panel').filter({ hasText: '我的通知' }).getByText('周五演练').waitFor()
  await bell(userPage).click()
  await userPage.getByRole('menuitem').filter({ hasText: '周五演练' }).click()
  await drawer(userPage).getByRole('heading', { name: '演练', exact: true }).waitFor()
  await drawer(userPage).getByRole('link').waitFor()
  await counts(userPage, 0)
  await eventually(() => drawer(userPage).getByText('已与消防队商定').count()).toBe(0)
  await eventually(async () => (await asks(userPage, `/system/notice/my-get?id=${id}`)).data).not.toHaveProperty(
    'remark',
  )
  await eventually(async () => (await asks(userPage, '/system/notice/unread-count')).data).toBe(0)

  await openRow(page, '周五演练')
  await drawer(page).getByText('已读 1 / 共 3 人').waitFor()
  await drawer(page).getByText('已与消防队商定').waitFor()
  const wide = async () => (await drawer(page).boundingBox())?.width
  await button(drawer(page), '全屏').click()
  await eventually(wide).toBe(page.viewportSize()?.width)
  await button(drawer(page), '退出全屏').click()
  await eventually(wide).toBe(860)
  await drawer(page).getByRole('table').getByText(world().east.staff.head.nickname).waitFor()
  await eventually(() => drawer(page).getByRole('table').getByText(guard.nickname).count()).toBe(0)
  await page.keyboard.press('Escape')
  await closed(page)

  allow(/my-get/)
  await runRowAction(page, '周五演练', '撤回')
  await confirmDialog(page)
  await page.getByText('撤回成功').waitFor()
  await drawer(userPage).getByText('该通知已被撤回或不存在').waitFor()
  await eventually(() => drawer(userPage).getByRole('heading', { name: '演练', exact: true }).count()).toBe(0)
  await button(drawer(userPage), 'Close').or(drawer(userPage).locator('.ant-drawer-close')).first().click()
  await userPage.getByText('没有收到通知').waitFor()
  await eventually(async () => (await asks(userPage, `/system/notice/my-get?id=${id}`)).code).not.toBe(200)

  await publish(page, '周五演练')
  const popped = userPage.getByRole('alert').filter({ hasText: '紧急通知：周五演练' })
  await button(popped, '查看').press('Enter')
  await drawer(userPage).getByRole('heading', { name: '演练', exact: true }).waitFor()
  await popped.waitFor({ state: 'hidden' })
  await runRowAction(page, '周五演练', '撤回')
  await confirmDialog(page)
  await drawer(userPage).getByText('该通知已被撤回或不存在').waitFor()

  // On a phone the bell leads to the notice as well.
  await userPage.keyboard.press('Escape')
  await closed(userPage)
  await userPage.setViewportSize({ width: 390, height: 844 })
  await publishToEastSchool(page, '停水', '今晚八点起')
  await counts(userPage, 1)
  await bell(userPage).focus()
  await userPage.keyboard.press('Enter')
  const entry = userPage.getByRole('menuitem').filter({ hasText: '停水' })
  await entry.waitFor()
  await eventually(async () => {
    const box = await entry.boundingBox()
    return box && box.x >= 0 && box.x + box.width <= 390
  }).toBe(true)
  await entry.click()
  await drawer(userPage).getByText('今晚八点起').waitFor()
  await counts(userPage, 0)
  await all().deleteFrom('notice').execute()
})

test('never shows a notice to users of other departments: not by page, by id or by push', async () => {
  const page = await visit(world().admin, NOTICES)
  const outsiders: { person: Person; page: Page; frames: string[] }[] = []
  for (const person of [world().west.staff.guard, world().station]) {
    const otherPage = await visit(person, 'about:blank')
    const frames = pushed(otherPage)
    await otherPage.goto(MY_NOTICES_PATH)
    await otherPage.getByText('没有收到通知').waitFor()
    await eventually(() => frames.some((frame) => frame.includes('"ready"'))).toBe(true)
    outsiders.push({ person, page: otherPage, frames })
  }
  const userPage = await visit(world().east.staff.safety, '/')
  await counts(userPage, 0)
  await publishToEastSchool(page, '仅限东湖', '内部')
  await counts(userPage, 1)
  const { id } = await noticeNamed(all(), '仅限东湖')
  for (const outsider of outsiders) {
    await eventually(async () => (await asks(outsider.page, `/system/notice/my-get?id=${id}`)).code).toBe(1_002_008_001)
    await eventually(async () => (await asks(outsider.page, `/system/notice/get?id=${id}`)).code).not.toBe(200)
    await eventually(async () => (await asks(outsider.page, `/system/notice/readers?id=${id}`)).code).not.toBe(200)
    await eventually(async () => (await asks(outsider.page, '/system/notice/my-page')).data).toEqual({
      list: [],
      total: 0,
    })
    expect(outsider.frames.filter((frame) => frame.includes('notice.'))).toEqual([])
    await counts(outsider.page, 0)
    await outsider.page.getByText('没有收到通知').waitFor()
  }
})

test('shows errors of a notice at its fields, and merges what another user changed during the edit', async () => {
  allow(/notice\/(create|update)/)
  const head = await visit(world().east.staff.head, NOTICES)
  await button(head, '新增').first().click()
  await save(head)
  await isMissing(drawer(head), '通知标题')
  await isMissing(drawer(head), '通知内容')
  await drawer(head).getByLabel('通知标题').fill('家长会')
  await selectOption(head, drawer(head).getByRole('combobox', { name: '通知类型' }), '其他')
  await editor(head).fill('周三')
  await save(head)
  await isMissing(drawer(head), '指定部门')
  await drawer(head).getByText('全体', { exact: true }).click()
  await save(head)
  await formErrors(head).filter({ hasText: '全体' }).waitFor()
  await drawer(head).getByText('指定用户', { exact: true }).click()
  await drawer(head).getByRole('combobox', { name: '指定用户' }).fill('安全主任')
  await head
    .locator('.ant-select-dropdown:visible')
    .getByTitle(/安全主任 east/)
    .click()
  await head.keyboard.press('Escape')
  await save(head)
  await closed(head)

  await button(row(head, '家长会'), '更多').click()
  await head.locator('.ant-dropdown:visible').getByText('编辑', { exact: true }).click()
  await editor(head).fill('改到周四')
  await all().updateTable('notice').set({ version: 9, title: '家长会改期' }).where('title', '=', '家长会').execute()
  await save(head)
  await drawer(head).getByText('已换成最新的：通知标题。').waitFor()
  await editor(head).getByText('改到周四').waitFor()
  await eventually(() => noticeNamed(all(), '家长会改期')).toMatchObject({ content: '<p>周三</p>', version: 9 })
  await drawer(head).getByRole('switch', { name: '是否发布' }).click()
  await save(head)
  await closed(head)
  await eventually(() => noticeNamed(all(), '家长会改期')).toMatchObject({
    content: '<p>改到周四</p>',
    state: 'PUBLISHED',
  })
})

/** Creates unpublished notices to all users. */
const draft = (...titles: string[]) => {
  const { deptId } = world().east
  const rows = titles.map((title) => ({ title, content: '<p>正文</p>', type: '5', target: 'ALL' as const, deptId }))
  return all().insertInto('notice').values(rows).execute()
}

test('finds drafts, deletes them one by one and together, and marks own notices read, selected or all', async () => {
  await draft('停水通知', '停电通知', '停课通知', '开课通知')
  const page = await visit(world().admin, NOTICES)
  await publish(page, '开课通知')
  await page.getByRole('textbox', { name: '通知标题' }).fill('课')
  await button(page, '搜索').click()
  await row(page, '停水通知').waitFor({ state: 'hidden' })
  await eventually(() => page.getByRole('checkbox', { name: '选择 开课通知' }).isDisabled()).toBe(true)
  await button(row(page, '停课通知'), '更多').click()
  await page.locator('.ant-dropdown:visible').getByText('删除', { exact: true }).click()
  await confirmDialog(page)
  await page.getByText('删除成功').waitFor()
  await row(page, '停课通知').waitFor({ state: 'hidden' })
  await row(page, '开课通知').waitFor()

  await page.getByRole('textbox', { name: '通知标题' }).fill('停')
  await button(page, '搜索').click()
  for (const title of ['停水通知', '停电通知']) await page.getByRole('checkbox', { name: `选择 ${title}` }).check()
  await page
    .locator('.list-toolbar')
    .getByRole('button', { name: /^delete 删\s?除/ })
    .click()
  await confirmDialog(page)
  await page.getByText('没有符合条件的数据').waitFor()
  const left = await all().selectFrom('notice').select('title').where('title', 'like', '%通知').execute()
  expect(left).toEqual([{ title: '开课通知' }])

  const { safety } = world().east.staff
  const titles = ['甲事', '乙事', '丙事']
  await draft(...titles)
  await button(page, '重置').click()
  for (const title of titles) {
    await publish(page, title)
    await page.getByText('发布成功').waitFor({ state: 'hidden' })
  }
  const ownPage = await visit(safety, MY_NOTICES_PATH)
  await page.close()
  const unread = async () => Number((await asks(ownPage, '/system/notice/unread-count')).data)
  await eventually(() => ownPage.getByRole('columnheader').allInnerTexts()).toContain('通知编号')
  await ownPage.getByRole('textbox', { name: '通知标题' }).fill('甲事')
  await button(ownPage, '搜索').click()
  await row(ownPage, '乙事').waitFor({ state: 'hidden' })
  const before = await unread()
  await ownPage.getByRole('checkbox', { name: '选择 甲事' }).check()
  await button(ownPage, '标记已读').click()
  await row(ownPage, '甲事').getByText('已读', { exact: true }).waitFor()
  await all()
    .updateTable('notice')
    .set({ publishedAt: new Date('2026-01-05T04:00:00Z') })
    .where('title', '=', '甲事')
    .execute()
  await ownPage.goto(`${MY_NOTICES_PATH}?from=2026-01-05&to=2026-01-06`)
  await row(ownPage, '甲事').waitFor()
  await eventually(() => row(ownPage, '乙事').count()).toBe(0)
  await eventually(unread).toBe(before - 1)
  await counts(ownPage, before - 1)
  await button(ownPage, '全部已读').click()
  await ownPage.getByText('已全部标记为已读').waitFor()
  await eventually(unread).toBe(0)
  await counts(ownPage, 0)
})
