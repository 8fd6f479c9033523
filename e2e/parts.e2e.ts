import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { prefer } from './look.ts'
import { soon, stage } from './stage/stage.ts'
import { button } from './words.ts'

// Parts of the console that are loaded late, and do not come: the line is cut, or the server has a newer build.

const { world, visit, stranger, allow } = stage({ language: 'zh-cn', theme: 'dark' })

const offline = '网络异常，请检查您的网络连接是否正常!'
const without = (page: Page, part: string) => page.route(`**/assets/${part}*`, (route) => route.abort())
const menuItem = async (page: Page, name: string) => {
  await page.getByRole('button', { name: world().lead.nickname }).click()
  await page.getByRole('menuitem', { name }).click()
}
/** As another tab would tell it. */
const preferring = (page: Page, key: string, newValue: string) =>
  page.evaluate(
    (change) => {
      localStorage.setItem(change.key, change.newValue)
      window.dispatchEvent(new StorageEvent('storage', change))
    },
    { key, newValue },
  )

type Opening = [part: string, open: (page: Page) => Promise<unknown>, there: (page: Page) => Promise<unknown>]
const openings: Opening[] = [
  [
    'SearchDialog',
    (page) => page.keyboard.press('Control+K'),
    (page) => page.getByRole('combobox', { name: '搜索' }).waitFor(),
  ],
  ['LockDialog', (page) => page.keyboard.press('Alt+l'), (page) => page.getByLabel('锁屏密码').waitFor()],
  ['SettingsDrawer', (page) => menuItem(page, '界面设置'), (page) => page.getByRole('switch').first().waitFor()],
]

test.each(openings)('%s is missing alone, and is there when the line is', async (part, open, there) => {
  allow(/assets\/|ERR_FAILED/)
  const page = await visit(world().lead, '/school')
  await page.getByText('实时', { exact: true }).waitFor()
  await without(page, part)
  await open(page)
  await page.getByText(offline).waitFor()
  await soon(() => page.locator('.layout-header').count()).toBe(1)
  await button(page, '搜索').waitFor()
  await page.unroute(`**/assets/${part}*`)
  await open(page)
  await there(page)
})

test('tags, icons and a watermark that do not come leave the page as it is', async () => {
  allow(/assets\/|ERR_FAILED/)
  const page = await visit(world().lead, '/school')
  await prefer(page)
  await page.getByText('实时', { exact: true }).waitFor()
  for (const part of ['TaggedPages', 'Drawing', 'PageMark']) await without(page, part)
  await preferring(page, 'tagsView', 'true')
  await page.getByText(offline).waitFor()
  const asked = page.waitForRequest('**/assets/PageMark*')
  await preferring(page, 'watermarkEnabled', 'true')
  await asked
  await preferring(page, 'layout', 'left')
  await soon(() => page.getByRole('complementary').getByRole('menuitem').first().innerText()).toMatch(/\S/)
  await button(page, '搜索').waitFor()
})

test('who cannot be rung says so, and the lock covers the page even before its own screen is there', async () => {
  allow(/assets\/|ERR_FAILED|auth\/lock|get-permission-info/)
  const page = await visit(world().lead, 'about:blank')
  for (const part of ['ring-', 'LockScreen']) await without(page, part)
  await page.goto('/school')
  await page.getByText('警铃未能加载：有警情时不会响铃。正在重试。').waitFor()
  await button(page, '搜索').waitFor()
  await page.keyboard.press('Alt+l')
  await page.getByLabel('锁屏密码').waitFor()
  await page.keyboard.press('Enter')
  await soon(() => page.locator('.layout').count()).toBe(0)
  await page.unrouteAll({ behavior: 'wait' })
  await page.locator('.lock-screen').waitFor()
})

test('a stranger whose browser cannot draw a QR code is told so, and gets it when the line is there', async () => {
  allow(/assets\/|ERR_FAILED/)
  const page = await stranger()
  await without(page, 'QrPicture')
  await page.goto('/login/qr')
  await page.getByText('二维码未能生成。').waitFor()
  await page.getByRole('alert').getByText(offline).waitFor()
  await page.unroute('**/assets/QrPicture*')
  await page.getByRole('button', { name: '换一个二维码' }).click()
  await page.getByRole('img', { name: '登录二维码' }).waitFor()
})

test('a page that breaks is broken alone: the next tab and its form stay', async () => {
  allow(/broken/)
  const page = await visit(world().admin, '/system/user')
  await page.route('**/assets/RolePage*', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `export const RolePage = () => { throw new Error('broken') }`,
    }),
  )
  await prefer(page, { tagsView: true })
  await button(page, '新增').click()
  const typed = page.getByRole('dialog').getByLabel('用户名称')
  await typed.fill('half.typed')
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog', { name: '搜索' }).getByRole('combobox').fill('角色管理')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '抱歉，服务器报告错误。' }).waitFor()
  const tags = page.getByRole('navigation', { name: '标签栏' })
  await tags.getByRole('link', { name: '用户管理' }).click()
  await soon(() => typed.inputValue()).toBe('half.typed')
})
