import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeViolations, inBothThemes, prepare, waitUntilIdle } from './axe.ts'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { setPreferences } from './appearance.ts'
import { CAPTCHA } from './setup/e2e-server.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button, drawer } from './page-actions.ts'

// What stands in place of a page: trouble, the lock, and the steps of the sign-in page that have no address.

const { site, world, visit, stranger, allow } = browserTest({ language: 'zh-cn', theme: 'light' })
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
  'the exception pages can be read and heard: none, forbidden, empty, cut off, broken',
  async () => {
    allow(/SchoolPage|DevicePage|ERR_|dynamically imported|broken on purpose/)
    const found: string[] = []
    for (const path of ['/404', '/401', '/403']) found.push(...(await inBothThemes(await open(path), path)))

    const empty = await visit(world().lead, 'about:blank')
    await prepare(empty)
    await empty.route('**/get-permission-info', async (route) => {
      const answer = await route.fetch()
      const json = (await answer.json()) as { data: { menus: object[] } }
      const directory = { ...json.data.menus[0], id: 900_001, type: 'DIR', path: '/empty', component: null }
      json.data.menus.push({ ...directory, redirect: null, children: null })
      await route.fulfill({ response: answer, json })
    })
    await empty.goto('/empty')
    await empty.getByText('此目录下没有可显示的页面').waitFor()
    found.push(...(await inBothThemes(empty, 'an empty directory')))

    const page = await open('/dashboard')
    await page.route('**/assets/SchoolPage*', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: "throw new Error('broken on purpose')" }),
    )
    await page.getByRole('menuitem', { name: '学校', exact: true }).click()
    await page.getByText('页面出错').waitFor()
    found.push(...(await inBothThemes(page, 'a broken page')))

    const away = await open('/dashboard')
    await away.evaluate(() => Object.defineProperty(navigator, 'onLine', { get: () => false }))
    await away.route('**/assets/SchoolPage*', (route) => route.abort())
    await away.getByRole('menuitem', { name: '学校', exact: true }).click()
    await away.getByText('网络错误，请检查网络连接。').waitFor()
    found.push(...(await inBothThemes(away, 'cut off')))
    expect(found).toEqual([])
  },
  PATIENCE_MS,
)

test('the lock screen can, its clock and its form', async () => {
  allow(/auth\/lock|get-permission-info/)
  const page = await open('/school')
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

test('a screen that is not live can, where it says so', async () => {
  allow(/WebSocket|infra\/ws/)
  const page = await visit(world().lead, 'about:blank')
  await prepare(page)
  await page.routeWebSocket('**/infra/ws', (socket) => socket.close())
  await page.goto('/404')
  await page.locator('.not-live').waitFor()
  expect(await inBothThemes(page, 'not live')).toEqual([])
})

test('the picture to copy from can be heard while it is on its way, and when it does not come', async () => {
  allow(/auth\/captcha/)
  const page = await stranger()
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
  'every word can be read in a theme color of one’s own, however light or dark it is',
  async () => {
    const page = await visit(world().admin, 'about:blank')
    await prepare(page)
    const found: string[] = []
    for (const themeColor of ['#ffe000', '#101418', '#4080ff']) {
      await page.goto('/system/user')
      await setPreferences(page, { themeColor, tagsView: true })
      await eventually(() =>
        page.evaluate(() => document.documentElement.style.getPropertyValue('--color-primary')),
      ).toBe(themeColor)
      await waitUntilIdle(page)
      found.push(...(await inBothThemes(page, `a list in ${themeColor}`)))
      await page.goto('/system/menu')
      await waitUntilIdle(page)
      await button(page, '新增').first().click()
      await drawer(page).locator('.ant-radio-button-wrapper-checked').waitFor()
      await waitUntilIdle(page)
      found.push(...(await inBothThemes(page, `a form in ${themeColor}`)))
    }
    expect(found).toEqual([])
  },
  PATIENCE_MS,
)

test('an open calendar can, days and years beside those on show too', async () => {
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

  // A month has a first hour; the keys go on from there.
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

test('a first password and a second factor can', async () => {
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
  const first = await stranger()
  await signIn(first, username)
  await first.getByRole('heading', { name: '设置新密码' }).waitFor()
  const found = await inBothThemes(first, 'a first password')

  const second = await stranger()
  await second.route('**/auth/login', (route) =>
    route.fulfill({ json: { code: 1_002_000_020, msg: '请输入二次验证码', data: { ticket: 'x' } } }),
  )
  await signIn(second, username)
  await second.getByRole('heading', { name: '二次验证' }).waitFor()
  found.push(...(await inBothThemes(second, 'the second factor')))
  expect(found).toEqual([])
})

test('a provider that refused and the question of a QR code can', async () => {
  const back = await stranger()
  await prepare(back)
  await back.goto('/login?error=access_denied&state=police.x')
  await back.getByRole('alert').getByText('未能使用该账号登录').waitFor()
  await waitUntilIdle(back)
  const found = await inBothThemes(back, 'a provider that refused')

  const asking = await stranger()
  const asked = asking.waitForResponse(/qr-ticket/)
  await asking.goto('/login/qr')
  const { data } = (await (await asked).json()) as { data: { ticket: string } }
  const phone = await visit(world().lead, 'about:blank', { viewport: { width: 390, height: 844 }, isMobile: true })
  await prepare(phone)
  await phone.goto(`/qr-confirm?ticket=${data.ticket}`)
  await button(phone, '确认登录').waitFor()
  await waitUntilIdle(phone)
  found.push(...(await inBothThemes(phone, 'the question of a QR code')))
  expect(found).toEqual([])
})
