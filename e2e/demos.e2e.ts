import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { demoStage, fits, phone } from './demo-stage.ts'
import { setSettings } from './settings.ts'
import { soon } from './stage/stage.ts'
import { button, choose } from './words.ts'

const { site, world, visit, allow, open } = demoStage(false)

test('the demos are off until somebody switches them on, and menus follow at once', async () => {
  const page = await open(world().admin, '/demo/curd', {})
  await page.getByText('抱歉，您访问的页面不存在。').waitFor()
  const entry = page.getByRole('menuitem', { name: '演示' })
  await soon(() => entry.count()).toBe(0)
  await setSettings(site(), { 'site.demo': 'true' })
  await entry.waitFor()
  await entry.click()
  await page.getByRole('menuitem', { name: '增删改查' }).click()
  await page.getByText('还没有示例，请新增或导入').waitFor()
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
  await soon(() => field.inputValue()).toBe('')
  await go('Parameter 1')
  await soon(() => field.inputValue()).toBe('first')
  await go('Level three')
  await soon(() => field.inputValue()).toBe('three')
})

test('two people talk over the websocket; a desk hears nothing of it', async () => {
  const [one, two] = [
    await open(world().lead, '/demo/websocket', {}),
    await open(world().admin, '/demo/websocket', { lang: 'en', dark: true }),
  ]
  const guard = world().east.staff.guard
  const desk = await visit(guard, '/desk')
  const frames: string[] = []
  desk.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))))
  await desk.reload()
  await desk.getByText('实时', { exact: true }).waitFor()
  const address = one.getByLabel('地址', { exact: true })
  const sockets: string[] = []
  one.on('websocket', (socket) => sockets.push(socket.url()))
  await address.fill('wss://example.org/admin-api/infra/ws')
  await button(one, '连接').click()
  await one.getByText('浏览器的安全策略会拒绝其他地址').waitFor()
  await one.getByText('未连接', { exact: true }).waitFor()
  expect(sockets).toEqual([])
  await address.fill('/admin-api/infra/ws?from=here')
  await button(one, '连接').click()
  await button(two, 'Connect').click()
  await one.getByText('已连接', { exact: true }).first().waitFor()
  await one.getByText('系统管理员 进入了测试页面').waitFor()
  expect(sockets).toEqual([`${site().url.replace('http', 'ws')}/admin-api/infra/ws?from=here`])

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
  const page = await open(world().admin, '/dashboard', { dark: true })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/demo/api-docs')
  const blocks = page.locator('.opblock')
  // A call is found over all areas, and its area comes alone, with it open and before the others.
  await page.getByRole('textbox', { name: '搜索接口' }).fill('GET talk people')
  await page.getByRole('link', { name: 'GET /demo/talk/people' }).click()
  await blocks.first().getByText('/demo/talk/people').waitFor()
  await soon(() => new URL(page.url()).searchParams.get('area')).toBe('demo/talk')
  const said = blocks.first().locator('.opblock-summary-description')
  await soon(() => said.innerText()).toMatch(/^[^A-Za-z/]+$/)
  await page.getByRole('button', { name: '语言' }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await soon(() => said.innerText()).toMatch(/^[\x20-\x7e]+$/)
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitem', { name: '中文' }).click()
  await soon(() => said.innerText()).toMatch(/^[^A-Za-z/]+$/)
  await soon(() => page.locator('.opblock-tag').allTextContents()).toEqual([expect.stringContaining('demo/talk')])
  const talks = await blocks.count()
  await page.getByRole('combobox', { name: '模块' }).click()
  await page.locator('.ant-select-dropdown:visible').getByTitle('api/v1/dept (').click()
  await soon(() => page.locator('.opblock-tag').textContent()).toContain('api/v1/dept')
  await page.getByRole('textbox', { name: '搜索接口' }).fill('/system/login-log/page')
  await page.getByRole('link', { name: 'GET /system/login-log/page' }).click()
  await blocks.first().locator('[data-param-name=createTime]').waitFor()
  await page.goBack()
  await soon(() => page.locator('.opblock-tag').textContent()).toContain('api/v1/dept')
  await page.goBack()
  await soon(() => blocks.count()).toBe(talks)
  await page.reload()
  await button(page, 'Try it out').click()
  await button(page, 'Execute').click()
  await page.locator('.live-responses-table').getByText('"code": 200').first().waitFor()
  await soon(() => page.evaluate(() => document.documentElement.classList.contains('dark-mode'))).toBe(true)
  expect(asked.filter((url) => !url.startsWith(site().url) && !/^(data|blob):/.test(url))).toEqual([])
  const refused = await open(world().lead, '/demo/api-docs', { lang: 'en' })
  allow(/404|403/)
  await refused.getByText('does not exist').waitFor()
})
