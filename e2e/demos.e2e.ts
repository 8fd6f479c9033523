import { writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everything } from '../apps/server/src/db/scope.ts'
import { testPrefix } from '../apps/server/test/sweep.ts'
import { setSettings } from './settings.ts'
import { ADMIN } from './stage/site.ts'
import { soon, stage } from './stage/stage.ts'
import type { Person } from './stage/world.ts'
import { button, choose, row } from './words.ts'

const { site, world, visit, allow } = stage()

let folder: string
const at = (name: string) => join(folder, name)
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), `${testPrefix}e2e-demos-`))
  const plain = { create: { width: 320, height: 200, channels: 3 as const, background: 'teal' } }
  await sharp(plain).png().toFile(at('现场.png'))
  writeFileSync(at('说明.txt'), '一\n')
  const heads = '名称,类别,标签,链接,价格,进度,排序,状态,备注'
  writeFileSync(at('坏.csv'), `${heads}\n,商品,,,,,,,\n`)
  const lines = Array.from({ length: 7 }, (_, n) => `导入${n + 1},服务,批量,,9.90,${n * 10},${n + 10},启用,`)
  writeFileSync(at('好.csv'), `${heads}\n${lines.join('\n')}\n`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const all = () => everything(site().db, 'e2e')
const admin = () =>
  all()
    .selectFrom('users')
    .select(['id', 'username', 'nickname'])
    .where('username', '=', ADMIN.username)
    .executeTakeFirstOrThrow()

type Look = { lang?: 'zh-cn' | 'en'; dark?: boolean; tags?: boolean } & BrowserContextOptions

/** The page as this person prefers to see it. */
const open = async (person: Person, path: string, { lang = 'zh-cn', dark = false, tags = false, ...more }: Look) => {
  const kept = { language: lang, theme: dark ? 'dark' : 'light', tagsView: tags, layout: 'left' }
  await all()
    .insertInto('userPreference')
    .values({ userId: person.id, kept })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ kept }))
    .execute()
  const page = await visit(person, path, more)
  await soon(() => page.evaluate(() => document.documentElement.className.includes('dark'))).toBe(dark)
  return page
}
const fits = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
const dialog = (page: Page) => page.locator('.ant-modal:visible')
const drawer = (page: Page) => page.locator('.ant-drawer-content-wrapper:visible')
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }

test('the demos are off until somebody switches them on, and menus follow at once', async () => {
  const page = await open(await admin(), '/demo/curd', {})
  await page.getByText('抱歉，您访问的页面不存在。').waitFor()
  const entry = page.getByRole('menuitem', { name: '演示' })
  expect(await entry.count()).toBe(0)
  await setSettings(site(), { 'site.demo': 'true' })
  await entry.waitFor()
  await entry.click()
  await page.getByRole('menuitem', { name: '增删改查' }).click()
  await page.getByText('还没有示例，请新增或导入').waitFor()
})

test('rows by a configuration: added in a dialog, changed inline and in a drawer, found, and deleted', async () => {
  const page = await open(world().lead, '/demo/curd', {})
  await button(page, '新增').first().click()
  await dialog(page).getByLabel('名称').fill('灭火器')
  await choose(page, dialog(page).getByLabel('类别'), '商品')
  await dialog(page).getByLabel('价格').fill('88.5')
  await dialog(page).locator('input[type=file]').setInputFiles(at('现场.png'))
  await dialog(page).locator('.image-card[data-state=done]').waitFor()
  await button(dialog(page), '保存').click()
  const line = row(page, '灭火器')
  await line.getByText('¥88.50').waitFor()
  await line.getByText('商品').waitFor()
  await button(line, '预览 灭火器').click()
  await dialog(page).getByRole('img', { name: '灭火器' }).waitFor()
  await page.keyboard.press('Escape')

  await line.getByRole('switch').click()
  await page.getByText('修改成功').first().waitFor()
  await line.getByRole('spinbutton').fill('3')
  await line.getByRole('spinbutton').press('Enter')
  const kept = () => all().selectFrom('demoItem').select(['enabled', 'sort', 'icon', 'version']).executeTakeFirst()
  await soon(kept).toMatchObject({ enabled: false, sort: 3, version: 3 })

  await button(line, '编辑').click()
  await drawer(page).getByLabel('图标').click()
  await page.locator('.icon-popover:visible').getByLabel('搜索图标').fill('bell filled')
  await page.locator('.icon-popover:visible').getByRole('button', { name: 'ep:bell-filled' }).click()
  await button(drawer(page), '保存').click()
  await soon(kept).toMatchObject({ icon: 'ep:bell-filled', version: 4 })

  await page.locator('#filter_name').fill('没有')
  await button(page, '搜索').click()
  await page.getByText('没有符合').waitFor()
  await button(page, '重置').click()
  await button(page, '列筛选').click()
  await page.getByRole('checkbox', { name: '备注' }).check()
  await page.getByRole('columnheader', { name: '备注' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('配置 B').click()
  await page.getByRole('columnheader', { name: '价格' }).waitFor({ state: 'hidden' })
  await page.getByText('配置 A').click()
  await button(page, '删除').first().click()
  await page.getByText('请选择需要删除的数据').waitFor()
  await page.getByRole('checkbox', { name: '选择 灭火器' }).check()
  await page.getByRole('button', { name: /删除 \(1\)$/ }).click()
  await dialog(page).locator('.ant-modal-confirm-title').getByText('是否删除所选中数据？').waitFor()
  await button(dialog(page), '确定').click()
  await page.getByText('还没有示例，请新增或导入').waitFor()
})

test('a sheet comes in whole or not at all, and goes out; on a phone, dark, in English', async () => {
  const page = await open(world().lead, '/demo/curd', { lang: 'en', dark: true, ...phone })
  await button(page, 'Import').first().click()
  await dialog(page).locator('input[type=file]').setInputFiles(at('坏.csv'))
  const agree = async () => {
    const asked = dialog(page).filter({ hasText: 'Whether to confirm import data item?' })
    await button(asked, 'OK').click()
    await asked.waitFor({ state: 'hidden' })
  }
  await agree()
  await dialog(page).getByText('1 mistakes; nothing was imported').waitFor()
  await dialog(page).locator('input[type=file]').setInputFiles(at('好.csv'))
  await agree()
  await page.getByText('7 imported').waitFor()
  await page.getByText('导入7').waitFor()
  await fits(page)
  await button(page, 'Export').click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByText('CSV').last().click()
      await button(dialog(page), 'OK').click()
    })(),
  ])
  expect(file.suggestedFilename()).toBe('示例数据.csv')
})

test('rows of a table are picked over its pages; one at a time where there is one', async () => {
  const page = await open(world().lead, '/demo/table-select', { dark: true })
  const picker = page.locator('.demo-picker:visible')
  await button(page, '选择多项').click()
  await picker.getByRole('checkbox', { name: '导入1' }).check()
  await picker.getByRole('listitem', { name: '2' }).click()
  await row(picker, '导入7').click()
  await picker.getByText('已选 2 项').waitFor()
  await picker.getByRole('listitem', { name: '1' }).click()
  await soon(() => picker.getByRole('checkbox', { name: '导入1' }).isChecked()).toBe(true)
  await button(picker, '确定').click()
  await page.getByRole('button', { name: '已选(2)' }).waitFor()
  await page.locator('.ant-tag').getByText('导入7').waitFor()
  await page.getByRole('button', { name: '已选(2)' }).click()
  await button(picker, '清空').click()
  await button(picker, '确定').click()
  await button(page, '选择多项').waitFor()
  await picker.waitFor({ state: 'hidden' })

  await button(page, '选择一项').click()
  await row(picker, '导入2').click()
  await row(picker, '导入3').click()
  await button(picker, '确定').click()
  await page.getByRole('button', { name: '已选(1)' }).waitFor()
  await page.locator('.ant-tag').getByText('导入3').waitFor()
})

test('choices and labels come from the dictionary, and follow when it is edited', async () => {
  const page = await open(await admin(), '/demo/dict', { lang: 'en' })
  await choose(page, page.getByLabel('Select, the value is a number'), 'Male')
  await page.locator('code').getByText('1', { exact: true }).waitFor()
  await page.getByRole('radio', { name: 'Female' }).check()
  await page.locator('code').getByText('"2"', { exact: true }).first().waitFor()
  await page.getByRole('checkbox', { name: 'Unknown' }).check()
  await page.getByText('["0","1","2"]').waitFor()
  await page.getByText('A value that it does not have').locator('..').getByText('9').waitFor()
  const { id } = await all()
    .selectFrom('dictData')
    .select('id')
    .where('dictType', '=', 'system_user_sex')
    .where('value', '=', '2')
    .executeTakeFirstOrThrow()
  await page.evaluate(async (entry) => {
    const headers = {
      authorization: `Bearer ${localStorage.getItem('ACCESS_TOKEN')}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ id: entry, labelEn: 'Woman' })
    await fetch('/admin-api/system/dict-data/update', { method: 'PUT', headers, body })
  }, id)
  await page.getByRole('radio', { name: 'Woman' }).waitFor()
})

test('an icon is picked by the keyboard, and typed', async () => {
  const page = await open(world().lead, '/demo/icon-selector', { lang: 'en', dark: true })
  const field = page.getByLabel('Icon', { exact: true })
  const panel = page.locator('.icon-popover:visible')
  await field.focus()
  await page.keyboard.press('ArrowDown')
  await panel.getByLabel('Search icons').waitFor()
  await page.keyboard.type('alarm')
  await page.keyboard.press('ArrowDown')
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('ep:alarm-clock')
  await page.keyboard.press('Enter')
  await panel.waitFor({ state: 'hidden' })
  expect(await field.inputValue()).toBe('ep:alarm-clock')
  await page.keyboard.press('ArrowDown')
  await panel.waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
  await field.fill('user')
  await page.locator('.demo-large-icon svg[data-icon=user]').waitFor()
})

test('a menu entry gets its icon from the picker, and shows it', async () => {
  const page = await open(await admin(), '/system/menu', { dark: true })
  await page.locator('#filter_name').fill('Signature')
  await button(page, '搜索').click()
  await button(row(page, '签名'), '编辑').click()
  const field = drawer(page).getByLabel('菜单图标')
  await field.click()
  await page.locator('.icon-popover:visible').getByLabel('搜索图标').fill('medal')
  await page.locator('.icon-popover:visible').getByRole('button', { name: 'ep:medal', exact: true }).click()
  await soon(() => field.inputValue()).toBe('ep:medal')
  await button(drawer(page), '保存').click()
  const kept = () =>
    all().selectFrom('menu').select('icon').where('componentName', '=', 'DemoSignature').executeTakeFirst()
  await soon(kept).toEqual({ icon: 'ep:medal' })
})

test('a click copies an icon’s name and says so for a moment, or that it failed', async () => {
  const page = await open(world().lead, '/demo/icons', {})
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('tab', { name: 'Element 图标' }).click()
  const bell = page.getByRole('button', { name: 'ep:bell', exact: true })
  await bell.click()
  await page.getByText('复制成功').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('ep:bell')
  await soon(() => bell.getAttribute('data-done')).toBe('false')
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
    document.execCommand = () => false
  })
  await bell.click()
  await page.getByText('复制失败').waitFor()
})

test('pages three levels deep, and one screen behind two entries, keep what was typed', async () => {
  const page = await open(world().lead, '/demo/multi-level/one', { lang: 'en', tags: true })
  const go = (path: string) => page.getByRole('menuitem', { name: path, exact: true }).click()
  const field = page.getByLabel('Type anything').filter({ visible: true })
  await field.fill('one')
  await go('Below')
  await go('Further below')
  await go('Level three')
  await page.getByText('Page at level 3').waitFor()
  await field.fill('three')
  await go('Level one')
  await soon(() => field.inputValue()).toBe('one')
  await go('Parameter 1')
  await page.getByText('type=1', { exact: true }).waitFor()
  await field.fill('first')
  await go('Parameter 2')
  await page.getByText('type=2', { exact: true }).waitFor()
  expect(await field.inputValue()).toBe('')
  await go('Parameter 1')
  await soon(() => field.inputValue()).toBe('first')
  await go('Level three')
  await soon(() => field.inputValue()).toBe('three')
})

test('a name is signed by finger, kept as a picture here and on the server, and wiped', async () => {
  const page = await open(world().lead, '/demo/signature', { dark: true, ...phone })
  await soon(() => button(page, '保存为图片').isDisabled()).toBe(true)
  const paper = await page.locator('canvas').boundingBox()
  const { x, y } = paper ?? { x: 0, y: 0 }
  await page.mouse.move(x + 40, y + 60)
  await page.mouse.down()
  for (let step = 1; step <= 10; step += 1) await page.mouse.move(x + 40 + step * 15, y + 60 + (step % 3) * 20)
  await page.mouse.up()
  const [picture] = await Promise.all([page.waitForEvent('download'), button(page, '保存为图片').click()])
  const ink = await sharp(await picture.path()).stats()
  expect(ink.channels[0]?.min).toBeLessThan(100)
  await button(page, '保存到后端').click()
  const shown = page.getByRole('img', { name: '后端保存的签名' })
  await shown.waitFor()
  await soon(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(100)
  await fits(page)
  await button(page, '清空').click()
  await soon(() => button(page, '保存到后端').isDisabled()).toBe(true)
})

test('a form takes one picture, several, and files', async () => {
  const page = await open(world().lead, '/demo/upload', { lang: 'en' })
  await page.locator('input[type=file]').nth(2).waitFor({ state: 'attached' })
  const [one, several, files] = await page.locator('.ant-card').locator('input[type=file]').elementHandles()
  await one?.setInputFiles(at('现场.png'))
  await several?.setInputFiles([at('现场.png'), at('现场.png')])
  await files?.setInputFiles(at('说明.txt'))
  await soon(() => page.locator('.image-card[data-state=done]').count()).toBe(3)
  await page.getByRole('link', { name: '说明.txt' }).waitFor()
  expect(await page.locator('.demo-single-image input[type=file]').count()).toBe(0)
})

test('a text is written, cleaned, and shown again after a reload', async () => {
  const page = await open(world().lead, '/demo/rich', { lang: 'en', dark: true })
  const text = page.getByRole('textbox', { name: 'Write' })
  await text.click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Heading 1' }).click()
  await page.keyboard.type('值班须知')
  await button(page, 'Save').click()
  await page.getByText('Update Success').waitFor()
  await page.reload()
  await soon(() => page.locator('.rich h1').allTextContents()).toEqual(['值班须知', '值班须知'])
})

test('two people talk over the websocket; a desk hears nothing of it', async () => {
  const [one, two] = [
    await open(world().lead, '/demo/websocket', {}),
    await open(await admin(), '/demo/websocket', { lang: 'en', dark: true }),
  ]
  const guard = world().east.staff.guard
  const desk = await visit(guard, '/desk')
  const frames: string[] = []
  desk.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))))
  await desk.reload()
  await desk.getByText('实时', { exact: true }).waitFor()
  await button(one, '连接').click()
  await button(two, 'Connect').click()
  await one.getByText('已连接', { exact: true }).first().waitFor()
  await one.getByText('系统管理员 进入了测试页面').waitFor()

  await one.locator('#talk-all_text').fill('大家好')
  await button(one, '发送').first().click()
  const own = (page: Page, text: string) => page.locator('.talk-line[data-kind=own]').getByText(text)
  const other = (page: Page, text: string) => page.locator('.talk-line[data-kind=other]').getByText(text)
  await own(one, '大家好').waitFor()
  await other(two, '大家好').waitFor()
  await choose(two, two.getByLabel('To', { exact: true }), world().lead.nickname)
  await two.locator('#talk-one_text').fill('only you')
  await button(two, 'Send').last().click()
  await other(one, 'only you').waitFor()
  await own(two, 'only you').waitFor()
  await button(two, 'Disconnect').click()
  await one.getByText('系统管理员 离开了测试页面').waitFor()
  // An event of everybody's after all that was said: what the desk has not heard by then never comes.
  await setSettings(site(), { 'site.project-url': 'https://example.org/' })
  await soon(() => frames.join()).toContain('config.changed')
  expect(frames.join()).not.toContain('demo.talk')
})

test('the guide is what the document entry opens, for everybody and in both languages', async () => {
  const page = await open(world().east.staff.guard, '/dashboard', { lang: 'en', ...phone })
  await page.getByRole('banner').getByRole('button', { name: world().east.staff.guard.nickname }).click()
  await page.getByRole('menuitem', { name: 'Document' }).click()
  await page.getByRole('heading', { name: 'The console in five minutes' }).waitFor()
  await fits(page)
  const dark = await open(world().east.staff.guard, '/document', { dark: true })
  await dark.getByRole('heading', { name: '五分钟学会使用控制台' }).waitFor()
  await dark.getByRole('link', { name: '接警', exact: true }).click()
  await soon(() => dark.evaluate(() => location.hash)).toBe('#desk')
})

test('the calls are documented by this server alone, and tried with one’s own rights', async () => {
  const page = await open(await admin(), '/dashboard', { dark: true })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/demo/api-docs')
  await page.getByPlaceholder('Filter by tag or path').fill('demo/talk')
  const tag = page.locator('.opblock-tag').filter({ hasText: 'demo/talk' })
  await tag.click()
  await page.locator('.opblock-summary').filter({ hasText: '/demo/talk/people' }).click()
  await button(page, 'Try it out').click()
  await button(page, 'Execute').click()
  await page.locator('.live-responses-table').getByText('"code": 200').first().waitFor()
  expect(await page.evaluate(() => document.documentElement.classList.contains('dark-mode'))).toBe(true)
  expect(asked.filter((url) => !url.startsWith(site().url) && !/^(data|blob):/.test(url))).toEqual([])
  const refused = await open(world().lead, '/demo/api-docs', { lang: 'en' })
  allow(/404|403/)
  await refused.getByText('does not exist').waitFor()
})
