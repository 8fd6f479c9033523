import { afterAll, beforeAll, expect, test } from 'vitest'
import { everything } from '../apps/server/src/db/scope.ts'
import { type Generated, openGenerated } from '../apps/server/test/generated.ts'
import { ADMIN } from './stage/site.ts'
import { stage } from './stage/stage.ts'
import { button, row, SETTLED } from './words.ts'

const { site, visit } = stage()

const all = () => everything(site().db, 'e2e')
const admin = () =>
  all()
    .selectFrom('users')
    .select(['id', 'username', 'nickname'])
    .where('username', '=', ADMIN.username)
    .executeTakeFirstOrThrow()

let generated: Generated
beforeAll(async () => {
  generated = await openGenerated()
})
afterAll(() => generated.close())

test('a table is imported, described, looked at file by file, downloaded and forgotten', async () => {
  const page = await visit(await admin(), '/system/codegen')
  await button(page, '导入').first().click()
  const dialog = page.locator('.ant-modal:visible')
  await dialog.getByRole('checkbox', { name: 'place', exact: true }).check()
  await dialog.getByRole('button', { name: '导入（1）' }).click()
  await page.getByText('已导入 1 张表').waitFor()

  const drawer = page.locator('.ant-drawer-content-wrapper:visible')
  await button(row(page, 'place'), '编辑').click()
  await drawer.getByLabel('中文名称', { exact: true }).first().fill('')
  await button(drawer, '保存').click()
  await drawer.getByText('中文名称不能为空').waitFor()
  await drawer.getByLabel('中文名称', { exact: true }).first().fill('地点')
  await drawer.getByLabel('实体名').fill('whereabouts')
  await drawer.getByRole('tab', { name: '字段信息' }).click()
  await drawer.getByLabel('name: 中文名称').fill('地点名称')
  await button(drawer, '保存').click()
  await page.getByText('修改成功').waitFor()
  await row(page, '地点').waitFor()

  await button(row(page, 'place'), '预览').click()
  await drawer.locator('.cm-line').getByText('npm run openapi').first().waitFor()
  await drawer.getByRole('tree').getByText('whereabouts.ts', { exact: true }).first().click()
  await drawer.locator('.cm-line').getByText("field(z.string(), '地点名称', 'Name')").first().waitFor()
  await drawer.getByRole('tree').getByText('WhereaboutsPage.tsx').click()
  await drawer.locator('.cm-content[aria-label$="WhereaboutsPage.tsx"]').waitFor()
  const download = page.waitForEvent('download')
  await button(drawer, '下载').click()
  expect((await download).suggestedFilename()).toBe('codegen-Whereabouts.zip')
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })

  await button(row(page, 'place'), '更多').click()
  await page.locator('.ant-dropdown:visible').getByText('同步', { exact: true }).click()
  await page.getByText('表结构没有变化，不需要同步').waitFor()
  await button(page.locator('.ant-modal:visible'), '取消').click()
  await button(row(page, 'place'), '更多').click()
  await page.locator('.ant-dropdown:visible').getByText('删除', { exact: true }).click()
  await button(page.locator(SETTLED), '确定').click()
  await page.getByText('删除成功').waitFor()
  expect(await all().selectFrom('codegenTable').select('id').execute()).toEqual([])
})

test('what was generated works in the browser: its own tests pass', { timeout: 400_000 }, async () => {
  const own = ['gate-pass', 'gate-zone', 'gate-order'].map((name) => `e2e/${name}.e2e.ts`)
  expect(await generated.run('vitest', ['run', '--project', 'browser', ...own])).toBe('')
})
