import type { Download, Page } from 'playwright-core'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { unscoped } from '../apps/server/src/db/scope.ts'
import { linesOf, workbook } from '../apps/server/test/job-fixture.ts'
import { openInside } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'
import { button, drawer, row, confirmDialog } from './page-actions.ts'

const { site, visit, openSignedOut, world, all, allow } = browserTest({ language: 'zh-cn', theme: 'light' })

const named = (username: string) =>
  all().selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst()

const USERS = '/system/user'
const bytesOf = async (download: Download) => new Uint8Array(readFileSync(await download.path()))

const downloaded = async (page: Page, click: () => Promise<void>): Promise<{ name: string; lines: string[][] }> => {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  return { name: download.suggestedFilename(), lines: await linesOf(await bytesOf(download)) }
}

const bell = (page: Page) =>
  page
    .getByRole('banner')
    .getByRole('button', { name: /^通知，\d+ 条未读$/ })
    .click()

const choose = async (page: Page, rows: (string | number | null)[][], heads?: string[]) => {
  const buffer = await workbook(rows, heads)
  await drawer(page).locator('input[type=file]').setInputFiles({ name: '名单.xlsx', mimeType: '', buffer })
}

test('imports people from a spreadsheet: template, corrected lines, activation codes', async () => {
  const page = await visit(world().admin, USERS)
  await button(page, '导入').click()
  const template = await downloaded(page, () => button(drawer(page), '下载模板').click())
  expect(template.name).toBe('用户导入模板.xlsx')
  const [heads = [], sample = []] = template.lines

  const { id: dept } = await all()
    .selectFrom('dept')
    .select('id')
    .where('name', '=', EAST_SCHOOL)
    .executeTakeFirstOrThrow()
  await choose(page, [
    ['sheet.one', '甲', dept, 'one@example.com', '13800000021', '女', '开启', 'guard', null],
    ['sheet two', '乙', null, null, null, null, null, null, null],
    ['sheet.three', '丙', null, 'three', null, null, null, null, null],
  ])
  await drawer(page).getByText('新增 1').waitFor()
  await drawer(page).getByText('错误 2').waitFor()
  await row(drawer(page), 'sheet two')
    .getByText('登录名称应为 2 至 30 个字母、数字、.、- 或 _，例如 zhang.san')
    .waitFor()
  await eventually(() => row(drawer(page), 'sheet.one').count()).toBe(0)
  await drawer(page).getByText('仅看错误行').click()
  await row(drawer(page), 'sheet.one').waitFor()

  const bad = await downloaded(page, () => button(drawer(page), '下载错误行').click())
  expect(bad.lines.map((line) => [line[0], line.at(-1)])).toEqual([
    [heads[0], '错误原因'],
    ['sheet two', '登录名称应为 2 至 30 个字母、数字、.、- 或 _，例如 zhang.san'],
    ['sheet.three', '用户邮箱应为邮箱地址，例如 zhang@example.com'],
  ])
  await button(drawer(page), '只导入正确的 1 行').click()
  await confirmDialog(page)
  await drawer(page).getByText('新增 1 条，更新 0 条，失败 2 行。').waitFor()
  await eventually(() => named('sheet.one')).toMatchObject({ passwordHash: null, deptId: dept, mobile: '13800000021' })

  await button(drawer(page), '重新选择文件').click()
  await choose(
    page,
    [
      ['sheet.two', ...(bad.lines[1] ?? []).slice(1)],
      ['sheet.three', '丙', ...Array<null>(8).fill(null)],
    ],
    bad.lines[0],
  )
  await button(drawer(page), '全部导入（2 行）').click()
  await confirmDialog(page)
  await drawer(page).getByText('新增 2 条，更新 0 条，失败 0 行。').waitFor()
  const result = await downloaded(page, () => button(drawer(page), '下载导入结果').click())
  expect(result.lines.slice(1).map((line) => [line[0], line[1]?.length, line[2]])).toEqual([
    ['已新增', 16, 'sheet.two'],
    ['已新增', 16, 'sheet.three'],
  ])
  await button(drawer(page), '完成').click()
  await row(page, 'sheet.three').waitFor()
  expect(sample[0]).toBe('zhang.san')

  // The notice of each finished import links to its activation codes.
  await bell(page)
  const ended = page.getByRole('menuitem', { name: /任务已完成：名单.xlsx/ })
  // The newest notice is first, once both have arrived.
  await ended.nth(1).waitFor()
  await ended.first().click()
  await drawer(page).getByText('后台任务“名单.xlsx”已完成：新增 2 行，更新 0 行，未导入 0 行。').waitFor()
  const secondDownload = await downloaded(page, () => button(drawer(page), '下载 导入用户 · 名单.xlsx').click())
  expect(secondDownload).toEqual({ name: '导入结果.xlsx', lines: result.lines })

  // An imported user signs in for the first time by the activation code.
  const [, code = ''] = result.lines[1] ?? []
  const newcomer = await openSignedOut()
  await newcomer.goto('/activate')
  await newcomer.getByLabel('用户名').fill('sheet.two')
  await newcomer.getByLabel('激活码').fill(code)
  for (const label of ['新密码', '确认新密码'])
    await newcomer.getByLabel(label, { exact: true }).fill('amber-falcon-17-mill')
  await newcomer.getByRole('button', { name: '激活', exact: true }).click()
  await newcomer.getByRole('button', { name: /乙/ }).waitFor()
  await eventually(() => named('sheet.two')).not.toMatchObject({ passwordHash: null })
})

test('continues an import behind a closed window, reopens it, writes all lines or none, and imports the rest', async () => {
  const page = await visit(world().admin, USERS)
  await button(page, '导入').click()
  await choose(page, [['behind.one', '甲']])
  await drawer(page).getByText('新增 1').waitFor()
  await page.locator('.ant-drawer-close:visible').click()
  await drawer(page).waitFor({ state: 'hidden' })
  await page.reload()
  allow(/ERR_FAILED/)
  await page.route('**/job/get?**', (route) => route.abort())
  await button(page, '导入').click()
  await drawer(page).getByText('网络异常').waitFor()
  await page.unroute('**/job/get?**')
  await drawer(page).getByText('新增 1').waitFor()
  await drawer(page).getByText('网络异常').waitFor({ state: 'hidden' })

  await openInside(page, '/system/role')
  await page.getByRole('button', { name: /^任务/ }).click()
  await drawer(page).getByRole('link', { name: '查看校验结果并确认' }).click()
  await drawer(page).getByText('新增 1').waitFor()
  await button(drawer(page), '取消导入').click()
  await confirmDialog(page)
  await drawer(page).getByText('导入已取消').waitFor()
  await button(drawer(page), '完成').click()
  await drawer(page).waitFor({ state: 'hidden' })
  await eventually(() => new URL(page.url()).search).toBe('')
  await eventually(() => named('behind.one')).toBeUndefined()

  await openInside(page, USERS)
  await button(page, '导入').click()
  await choose(page, [
    ['either.one', '甲'],
    ['either.two', '乙'],
  ])
  await row(drawer(page), 'either.two').waitFor()
  const { id: deptId } = await all()
    .selectFrom('dept')
    .select('id')
    .where('name', '=', EAST_SCHOOL)
    .executeTakeFirstOrThrow()
  await all().insertInto('users').values({ username: 'Either.Two', nickname: '先到', deptId }).execute()
  await button(drawer(page), '全部导入（2 行）').click()
  await confirmDialog(page)
  await drawer(page).getByText('写入时有行不能导入，没有写入任何数据。').waitFor()
  await row(drawer(page), 'either.two').getByText('用户账号已经存在').waitFor()
  await eventually(() => named('either.one')).toBeUndefined()
  await drawer(page).getByText('仅看错误行').click()
  await row(drawer(page), 'either.one').waitFor()
  await button(drawer(page), '只导入正确的 1 行').click()
  await confirmDialog(page)
  await drawer(page).getByText('新增 1 条，更新 0 条，失败 1 行。').waitFor()
  await eventually(() => named('either.one')).toBeDefined()
  await button(drawer(page), '完成').click()
  await drawer(page).waitFor({ state: 'hidden' })
})

test('shows the progress of a running import after leaving and coming back', async () => {
  const page = await visit(world().admin, USERS)
  await button(page, '导入').click()
  // One line more than a batch; another transaction locks the name of the last line for a while.
  const lines = Array.from({ length: 1001 }, (_, at) => [`far.${at}`, '甲'])
  await choose(page, lines)
  const all = drawer(page).getByRole('button', { name: /全部导入/ })
  await all.waitFor()
  const { id: deptId } = await site()
    .db.selectFrom('dept')
    .select('id')
    .where('name', '=', EAST_SCHOOL)
    .executeTakeFirstOrThrow()
  const holding = await site().db.startTransaction().execute()
  const existing = { username: 'far.1000', nickname: '占', deptId }
  await unscoped(holding, 'a test writes a user').insertInto('users').values(existing).execute()
  await all.click()
  await confirmDialog(page)
  const far = drawer(page).getByText(/正在导入，1,?000 \/ 1,?001 行/)
  const bar = drawer(page).getByRole('progressbar')
  await far.waitFor()
  await eventually(() => bar.getAttribute('aria-valuenow')).toBe('99')
  await page.locator('.ant-drawer-close:visible').click()
  await drawer(page).waitFor({ state: 'hidden' })
  await openInside(page, '/system/role')
  await button(page, '导入').waitFor({ state: 'detached' })
  await openInside(page, USERS)
  await button(page, '导入').click()
  await far.waitFor()
  await holding.rollback().execute()
  await drawer(page)
    .getByText(/新增 1,?001 条，更新 0 条，失败 0 行。/)
    .waitFor()
})
