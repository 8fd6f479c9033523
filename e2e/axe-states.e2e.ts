import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeViolations, colorRules, inBothThemes, prepare, waitUntilIdle } from './axe.ts'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { changePreferences, follow, openInside } from './appearance.ts'
import { CAPTCHA } from './setup/e2e-server.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button, drawer } from './page-actions.ts'

// Checks states without an address of their own: error pages, the lock screen, and later steps of the sign-in page.

const { site, world, visit, openSignedOut, allow } = browserTest({ language: 'zh-cn', theme: 'light' })
const password = 'quiet-otter-58-river'
const PATIENCE_MS = 180_000

const open = async (path: string) => {
  const page = await visit(world().lead, 'about:blank')
  await prepare(page)
  await page.goto(path)
  await waitUntilIdle(page)
  return page
}

test(
  'has no accessibility violations on error pages: not found, forbidden, empty, offline, failed',
  async () => {
    allow(/SchoolPage|DevicePage|ERR_|dynamically imported|broken on purpose/)
    const found: string[] = []
    const page = await visit(world().lead, 'about:blank')
    await prepare(page)
    await page.route('**/get-permission-info', async (route) => {
      const answer = await route.fetch()
      const json = (await answer.json()) as { data: { menus: object[] } }
      const directory = { ...json.data.menus[0], id: 900_001, type: 'DIR', path: '/empty', component: null }
      json.data.menus.push({ ...directory, redirect: null, children: null })
      await route.fulfill({ response: answer, json })
    })
    await page.goto('/404')
    for (const [path, text] of [
      ['/404', '抱歉，您访问的页面不存在。'],
      ['/401', '401'],
      ['/403', '403'],
      ['/empty', '此目录下没有可显示的页面'],
    ] as const) {
      await openInside(page, path)
      await page.getByText(text).first().waitFor()
      await waitUntilIdle(page)
      found.push(...(await inBothThemes(page, path)))
    }

    await page.route('**/assets/SchoolPage*', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: "throw new Error('broken on purpose')" }),
    )
    await follow(page, '学校', '学校')
    await page.getByText('页面出错').waitFor()
    found.push(...(await inBothThemes(page, 'a broken page')))

    const away = await open('/dashboard')
    await away.evaluate(() => Object.defineProperty(navigator, 'onLine', { get: () => false }))
    await away.route('**/assets/SchoolPage*', (route) => route.abort())
    await follow(away, '学校', '学校')
    await away.getByText('网络错误，请检查网络连接。').waitFor()
    found.push(...(await inBothThemes(away, 'cut off')))
    expect(found).toEqual([])
  },
  PATIENCE_MS,
)

test('has no accessibility violations on the lock screen, its clock and its form', async () => {
  allow(/auth\/lock|get-permission-info/)
  const page = await open('/school/list')
  await page.keyboard.press('Alt+l')
  await page.getByRole('dialog').getByLabel('锁屏密码').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.lock-screen time').waitFor()
  const found = await inBothThemes(page, 'the clock')
  await button(page, '点击解锁').click()
  await page.getByLabel('锁屏密码或登录密码').waitFor()
  found.push(...(await inBothThemes(page, 'unlocking')))
  expect(found).toEqual([])
})

test('has no accessibility violations when the screen is disconnected', async () => {
  allow(/WebSocket|infra\/ws/)
  const page = await visit(world().lead, 'about:blank')
  await prepare(page)
  await page.routeWebSocket('**/infra/ws', (socket) => socket.close())
  await page.goto('/404')
  await page.locator('.not-live').waitFor()
  expect(await inBothThemes(page, 'not live')).toEqual([])
})

test('announces the loading and the failure of the picture to copy from', async () => {
  allow(/auth\/captcha/)
  const page = await openSignedOut()
  await prepare(page)
  await page.goto('/login')
  const picture = page.locator('.captcha')
  await picture.locator('img').waitFor()
  let answer = () => {}
  await page.route('**/auth/captcha', async (route) => {
    await new Promise<void>((resolve) => (answer = resolve))
    await route.abort()
  })
  await picture.click()
  await picture.getByText('加载中…').waitFor()
  expect(await axeViolations(page, 'on its way')).toEqual([])
  answer()
  await picture.getByText('加载失败，点击重试').waitFor()
  expect(await axeViolations(page, 'did not come')).toEqual([])
})

test(
  'keeps every text readable in a custom theme color, however light or dark',
  async () => {
    const page = await visit(world().admin, 'about:blank')
    await prepare(page)
    const found: string[] = []
    const primaryColors = () =>
      page
        .locator('#content .ant-btn-primary')
        .filter({ visible: true })
        .evaluateAll((buttons) => buttons.map((element) => getComputedStyle(element).backgroundColor))
    const shows = async (themeColor: string) => {
      const before = await primaryColors()
      await changePreferences(page, { themeColor, tagsView: true })
      await eventually(() =>
        page.evaluate(() => document.documentElement.style.getPropertyValue('--color-primary')),
      ).toBe(themeColor)
      // The pages behind other tags render later, and the old style stays until they have.
      await eventually(async () => (await primaryColors()).filter((color) => before.includes(color))).toEqual([])
      await waitUntilIdle(page)
    }
    const colors = ['#ffe000', '#101418', '#4080ff']
    await page.goto('/system/user')
    for (const themeColor of colors) {
      await shows(themeColor)
      found.push(...(await inBothThemes(page, `a list in ${themeColor}`, 'html', colorRules)))
    }
    await openInside(page, '/system/menu')
    await button(page, '刷新菜单缓存').waitFor()
    // The list stays open behind its tag, hidden.
    await button(page, '新增').filter({ visible: true }).first().click()
    await drawer(page).locator('.ant-radio-button-wrapper-checked').waitFor()
    for (const themeColor of colors) {
      await shows(themeColor)
      found.push(...(await inBothThemes(page, `a form in ${themeColor}`, 'html', colorRules)))
    }
    expect(found).toEqual([])
  },
  PATIENCE_MS,
)

test('has no accessibility violations in an open calendar with days and years', async () => {
  const page = await visit(world().admin, 'about:blank')
  await prepare(page)
  const found: string[] = []
  const calendar = page.locator('.ant-picker-dropdown:visible')
  await page.goto('/system/login-log')
  await waitUntilIdle(page)
  await page.locator('.filter-bar .ant-picker input').first().focus()
  await page.keyboard.press('ArrowDown')
  await calendar.locator('.ant-picker-cell:not(.ant-picker-cell-in-view)').first().waitFor()
  found.push(...(await inBothThemes(page, 'days')))
  await calendar.locator('.ant-picker-year-btn').first().click()
  await calendar.locator('.ant-picker-year-panel .ant-picker-cell:not(.ant-picker-cell-in-view)').first().waitFor()
  found.push(...(await inBothThemes(page, 'years')))
  expect(found).toEqual([])

  // A month begins with its first hour; the keys go on from there.
  await calendar.locator('.ant-picker-year-panel .ant-picker-cell-in-view').first().click()
  await calendar.locator('.ant-picker-month-panel .ant-picker-cell-in-view').first().click()
  const hours = calendar.getByRole('list', { name: '小时' })
  const chosen = () => hours.locator('.ant-picker-time-panel-cell-selected').innerText()
  const before = Number(await chosen())
  await page.locator('.filter-bar .ant-picker input').first().click()
  await page.keyboard.press('ArrowDown')
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('小时')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await eventually(chosen).toBe(String(before + 2).padStart(2, '0'))
  await page.keyboard.press('Tab')
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('分钟')
})

const signIn = async (page: Page, username: string) => {
  await prepare(page)
  await page.goto('/login')
  await page.getByLabel('用户名').fill(username)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('textbox', { name: '验证码' }).fill(CAPTCHA)
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

test('has no accessibility violations at a first password and a second factor', async () => {
  allow(/auth\//)
  const { deptId } = world().east
  const username = 'axe.first'
  await makeUser(site().db, {
    username,
    nickname: '新人',
    roles: ['guard'],
    deptId,
    password,
    mustChangePassword: true,
  })
  const first = await openSignedOut()
  await signIn(first, username)
  await first.getByRole('heading', { name: '设置新密码' }).waitFor()
  const found = await inBothThemes(first, 'a first password')

  const second = await openSignedOut()
  await second.route('**/auth/login', (route) =>
    route.fulfill({ json: { code: 1_002_000_020, msg: '请输入二次验证码', data: { ticket: 'x' } } }),
  )
  await signIn(second, username)
  await second.getByRole('heading', { name: '二次验证' }).waitFor()
  found.push(...(await inBothThemes(second, 'the second factor')))
  expect(found).toEqual([])
})

test('has no accessibility violations when a provider refused and when a QR code asks for confirmation', async () => {
  const back = await openSignedOut()
  await prepare(back)
  await back.goto('/login?error=access_denied&state=police.x')
  await back.getByRole('alert').getByText('未能使用该账号登录').waitFor()
  await waitUntilIdle(back)
  const found = await inBothThemes(back, 'a provider that refused')

  const asking = await openSignedOut()
  const response = asking.waitForResponse(/qr-ticket/)
  await asking.goto('/login/qr')
  const { data } = (await (await response).json()) as { data: { ticket: string } }
  const phone = await visit(world().lead, 'about:blank', { viewport: { width: 390, height: 844 }, isMobile: true })
  await prepare(phone)
  await phone.goto(`/qr-confirm?ticket=${data.ticket}`)
  await button(phone, '确认登录').waitFor()
  await waitUntilIdle(phone)
  found.push(...(await inBothThemes(phone, 'the question of a QR code')))
  expect(found).toEqual([])
})
