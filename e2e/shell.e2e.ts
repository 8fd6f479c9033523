import type { Locator, Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeRecord } from '../apps/server/seed/record-fixtures.ts'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { CAPTCHA } from './setup/e2e-server.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { setPreferences } from './appearance.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'
import { button, row } from './page-actions.ts'

const { site, world, visit, openSignedOut, allow } = browserTest({ language: 'zh-cn', theme: 'light' })

/** From now on the page sees a newer build on the server. */
const publish = (page: Page, entry: string) =>
  page.route('**/', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.fallback()
    return route.fulfill({
      contentType: 'text/html',
      body: `<meta name="entry" content="/assets/${entry}.js">`,
    })
  })
const offer = (page: Page) => page.getByRole('status').filter({ hasText: '系统已有新版本' })

test('offers a newer version when the user returns, and loads it only on request', async () => {
  const page = await visit(world().east.staff.head, '/school/list', {})
  await page.clock.install()
  await page.reload()
  await page.getByText('实时', { exact: true }).waitFor()
  await page.evaluate(() => Object.assign(window, { before: true }))
  const look = async () => {
    await page.clock.fastForward(61_000)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  }
  const isSamePage = () => page.evaluate(() => 'before' in window)

  await look()
  await page.getByText('实时', { exact: true }).waitFor()
  await eventually(() => offer(page).count()).toBe(0)

  // A request sent before the new build is answered after it.
  const [items, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const hold = async (route: Route) => {
    if (route.request().resourceType() !== 'fetch') return route.fallback()
    items.resolve()
    await late.promise
    return route.continue()
  }
  await page.route('**/', hold)
  await look()
  await items.promise
  await publish(page, 'index-two')
  await page.getByLabel('关键字').or(page.getByRole('textbox')).first().fill('写了一半')
  await look()
  await offer(page).waitFor()
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/')
  late.resolve()
  await answered
  await eventually(() => isSamePage()).toBe(true)
  await eventually(() => page.getByRole('textbox').first().inputValue()).toBe('写了一半')

  await button(offer(page), '稍后').click()
  await offer(page).waitFor({ state: 'hidden' })
  await look()
  await page.waitForTimeout(300)
  await eventually(() => offer(page).count()).toBe(0)

  await page.unroute('**/')
  await publish(page, 'index-three')
  await look()
  // A user who stays at the desk all day gets the offer as well.
  await page.getByRole('menuitem', { name: '接警', exact: true }).hover()
  await page.getByRole('link', { name: '接警台' }).click()
  await page.locator('.desk').waitFor()
  await button(offer(page), '重新加载').click()
  await eventually(isSamePage).toBe(false)
})

test("applies choices of the sign-in page on the user's next computer", async () => {
  const [username, password] = ['li.roams', 'quiet-otter-58-river']
  const made = await makeUser(site().db, {
    username,
    password,
    nickname: '安全主任 李',
    roles: ['safety_officer'],
    deptId: world().east.deptId,
  })
  const first = await openSignedOut()
  await first.goto('/login')
  await first.getByRole('button', { name: 'Switch to English' }).click()
  await first.getByLabel('Username').fill(username)
  await first.getByLabel('Password', { exact: true }).fill(password)
  await first.getByRole('textbox', { name: 'Verify code' }).fill(CAPTCHA)
  const response = first.waitForResponse((answer) => answer.url().endsWith('/update-preferences'))
  await first.getByRole('button', { name: 'Sign in', exact: true }).click()
  expect(await (await response).json()).toMatchObject({ code: 200 })
  await first.getByRole('link', { name: 'Show all' }).first().waitFor()

  const second = await visit({ ...made, username, nickname: '安全主任 李' }, '/dashboard')
  await second.getByRole('link', { name: 'Show all' }).first().waitFor()
})

test('connects live under another host name, and loads scripts from no third host', async () => {
  allow(/connect-src/)
  const page = await visit(world().east.staff.head, '/404')
  const stored = await page.evaluate(() => Object.entries(localStorage))
  const { port } = new URL(site().url)
  await page.goto(`http://localhost:${port}/login`)
  await page.evaluate((all) => all.forEach(([name, value]) => localStorage.setItem(name, value)), stored)
  await page.goto(`http://localhost:${port}/404`)
  await page.getByText('实时', { exact: true }).waitFor()
  const refused = page.evaluate(
    (url) =>
      new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective))
        new WebSocket(url)
      }),
    `ws://127.0.0.1:${port}/admin-api/infra/ws`,
  )
  expect(await refused).toBe('connect-src')
})

test('finds visible schools and users in the search, and leads to them', async () => {
  const page = await visit(world().bureau, '/profile')
  await page.getByText('实时', { exact: true }).waitFor()
  const found = async (text: string) => {
    await page.keyboard.press('Control+K')
    await page.getByRole('dialog').getByRole('combobox').fill(text)
    await page.getByRole('option').or(page.getByText('没有符合的内容')).first().waitFor()
    await page.waitForLoadState('networkidle')
    return page.getByRole('option').allInnerTexts()
  }
  await eventually(() => found('寄宿学校')).toEqual([])
  await page.keyboard.press('Escape')
  await eventually(() => found(EAST_SCHOOL)).toEqual([expect.stringContaining(EAST_SCHOOL)])
  await page.keyboard.press('Enter')
  await eventually(() => decodeURIComponent(page.url())).toContain(`/school/list?keyword=${EAST_SCHOOL}`)
  const admin = await visit(world().admin, '/profile')
  await admin.getByText('实时', { exact: true }).waitFor()
  await admin.keyboard.press('Control+K')
  await admin.getByRole('dialog').getByRole('combobox').fill('guard.e')
  await admin.getByRole('option', { name: /guard\.east/ }).click()
  await eventually(() => new URL(admin.url()).search).toContain('username=guard.east')
  await row(admin, 'guard.east').waitFor()
})

test('overflows nowhere on a phone, even while disconnected', async () => {
  allow(/WebSocket|ERR_|infra\/ws/)
  const page = await visit(world().operator, '/404', { viewport: { width: 390, height: 844 }, isMobile: true })
  await page.routeWebSocket('**/infra/ws', (socket) => socket.close())
  for (const language of ['zh-cn', 'en'] as const) {
    await setPreferences(page, { language })
    await page.locator('.not-live').waitFor()
    await eventually(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    const overhang = () =>
      page.evaluate(() => {
        const tools = [...document.querySelectorAll('.layout-header button, .layout-header [role=status]')]
        return tools.filter((element) => element.getBoundingClientRect().right > innerWidth).length
      })
    await eventually(overhang).toBe(0)
  }
})

test('gives every page one heading of the first level, on a phone too', async () => {
  const pages = [
    ['/school/list', '学校'],
    ['/dashboard', '首页'],
    ['/profile', '个人中心'],
    ['/qr-confirm', '扫码登录确认'],
    ['/404', '抱歉，您访问的页面不存在。'],
    ['/401', '抱歉，您无权访问此页面。'],
  ] as const
  const page = await visit(world().east.staff.head, '/school/list')
  await setPreferences(page)
  for (const [path, name] of pages) {
    if (new URL(page.url()).pathname !== path) await page.goto(path)
    await page.waitForLoadState('networkidle')
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 })
      await eventually(() => page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual([name])
    }
  }
})

test('shows warnings at the lower edge without moving or covering the page', async () => {
  allow(/WebSocket|ERR_|infra\/ws/)
  const page = await visit(world().admin, '/system/role', { viewport: { width: 1440, height: 700 } })
  await setPreferences(page, { tagsView: true })
  const last = row(page, 'guard').last()
  const place = async (at: Locator) => Math.round((await at.boundingBox())?.y ?? 0)
  await last.waitFor()
  const [tags, before] = [page.getByRole('navigation', { name: '标签栏' }), await place(last)]
  const above = await place(tags)
  let cut = true
  await page.routeWebSocket('**/infra/ws', (socket) => (cut ? socket.close() : void socket.connectToServer()))
  await page.reload()
  await last.waitFor()
  await page.locator('.not-live').waitFor()
  await eventually(() => place(last)).toBe(before)
  await eventually(() => place(tags)).toBe(above)
  await eventually(async () =>
    Math.round((await page.locator('.warnings').boundingBox())?.height ?? 0),
  ).toBeGreaterThan(30)
  const bottom = (at: Locator) => at.evaluate((element) => Math.round(element.getBoundingClientRect().bottom))
  await eventually(() => bottom(page.locator('.warnings'))).toBe(700)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  const warned = () => page.locator('.warnings').evaluate((element) => Math.round(element.getBoundingClientRect().top))
  await eventually(async () => (await bottom(page.locator('#content'))) <= (await warned())).toBe(true)
  await page.evaluate(() => scrollTo(0, 0))
  cut = false
  await page.locator('.not-live').waitFor({ state: 'hidden' })
  await eventually(() => place(last)).toBe(before)
})

test('reports an empty search only after the response, finds visible alarms by their place, and keeps the selected result', async () => {
  allow(/notice\/my-page|warn\/record\/page/)
  const page = await visit(world().east.staff.head, 'about:blank')
  const answer = Promise.withResolvers<void>()
  const refuse = async (route: Route) => {
    await answer.promise
    return route.fulfill({ json: { code: 500, msg: '系统异常', data: null } })
  }
  await page.route('**/system/notice/my-page*', refuse)
  await page.goto('/profile')
  await page.getByRole('button', { name: '通知', exact: true }).click()
  await page.getByRole('menuitem', { name: '正在加载' }).waitFor()
  await eventually(() => page.getByText('没有未读通知').count()).toBe(0)
  await page.keyboard.press('Escape')

  await page.route('**/warn/record/page*', refuse)
  await page.keyboard.press('Control+K')
  const dialog = page.getByRole('dialog')
  const request = page.waitForRequest('**/warn/record/page*')
  await dialog.getByRole('combobox').fill('没有这个地方')
  await dialog.getByRole('status').getByText('正在加载').waitFor()
  await request
  await dialog.getByRole('status').getByText('正在加载').waitFor()
  answer.resolve()
  await dialog.getByRole('status').getByText('加载失败').waitFor()
  await page.unroute('**/warn/record/page*')
  await dialog.getByRole('combobox').fill('没有那个地方')
  await dialog.getByRole('status').getByText('没有符合的内容').waitFor()
  await page.unroute('**/system/notice/my-page*')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  const at = async (school: 'east' | 'west', placePath: string) => {
    const { id: schoolId, deptId, name: schoolName } = world()[school]
    return makeRecord(site().db, { deptId, schoolId, schoolName, placePath, state: 'CLOSED' })
  }
  const ownRecord = await at('east', '实验楼 / 化学室')
  const foreignRecord = await at('west', '实验楼 / 物理室')
  await page.keyboard.press('Control+K')
  const search = page.getByRole('dialog').getByRole('combobox')
  await search.fill(`${world().east.name} · 实验楼`)
  await page.getByRole('option', { name: new RegExp(ownRecord.no) }).waitFor()
  await search.fill('实验楼')
  await page.getByRole('option', { name: new RegExp(ownRecord.no) }).waitFor()
  await eventually(() => page.getByRole('option').count()).toBe(1)
  await eventually(() => page.getByText(foreignRecord.no).count()).toBe(0)
  await page.keyboard.press('Enter')
  await eventually(() => new URL(page.url()).search).toBe(`?record=${ownRecord.id}`)
  await page.getByRole('dialog').getByText(ownRecord.no).first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  const { id: schoolId, deptId, name: schoolName } = world().east
  const { no } = await makeRecord(site().db, { deptId, schoolId, schoolName, placePath: '门厅', state: 'CLOSED' })
  let release = () => {}
  const slow = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/warn/record/page*', (route) => slow.then(() => route.continue()))
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog').getByRole('combobox').fill('小学')
  const chosen = page.getByRole('option', { selected: true })
  await eventually(() => chosen.innerText()).toContain(EAST_SCHOOL)
  await page.keyboard.press('ArrowDown')
  release()
  await page.getByRole('option', { name: new RegExp(no) }).waitFor()
  await eventually(() => chosen.innerText()).not.toContain(no)
  await page.keyboard.press('Enter')
  await eventually(() => new URL(page.url()).pathname).toBe('/school/list')
})
