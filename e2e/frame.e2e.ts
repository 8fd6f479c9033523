import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { changePreferences, openGroup, openInside } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { setSettings } from './settings.ts'
import { button, confirmDialog } from './page-actions.ts'

const { site, world, visit, allow } = browserTest({ language: 'zh-cn', theme: 'dark' })

const layout = (page: Page) => page.locator('.layout')
const settings = async (page: Page) => {
  await page.getByRole('button', { name: world().lead.nickname }).click()
  await page.getByRole('menuitem', { name: '界面设置' }).click()
  const drawer = page.getByRole('dialog', { name: '界面设置' })
  await drawer.getByRole('radiogroup', { name: '布局', exact: true }).waitFor()
  return drawer
}
const stored = (page: Page, name: string) => page.evaluate((key) => localStorage.getItem(key), name)

test('applies the settings at once, resets them, keeps the size, follows changed links, and enters full screen', async () => {
  const page = await visit(world().lead, '/school/list')
  await changePreferences(page)
  const drawer = await settings(page)
  await eventually(() => drawer.locator('.ant-divider').allInnerTexts()).toEqual([
    '项目配置',
    '主题设置',
    '界面设置',
    '导航设置',
  ])
  const flag = (name: string) => drawer.getByRole('switch', { name })
  for (const [name, on] of [
    ['显示标签栏', false],
    ['固定顶栏', true],
    ['显示标志', true],
    ['显示水印', false],
  ] as const)
    await eventually(async () => [name, await flag(name).isChecked()]).toEqual([name, on])

  await flag('显示标签栏').click()
  await page.getByRole('navigation', { name: '标签栏' }).waitFor()
  await flag('固定顶栏').click()
  await eventually(() => layout(page).getAttribute('data-fixed')).toBe('false')
  await flag('显示标志').click()
  await eventually(() => page.locator('.brand').count()).toBe(0)
  await flag('显示水印').click()
  await drawer.getByRole('textbox', { name: /水印文字/ }).fill('仅供内部')
  const marked = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('div')].some((element) => element.style.zIndex === '9999'),
    )
  await eventually(marked).toBe(true)

  await drawer.locator('.swatch[aria-label="#ff4500"]').click()
  const shade = (name: string) => page.evaluate((key) => document.documentElement.style.getPropertyValue(key), name)
  await eventually(() => shade('--color-primary')).toBe('#ff4500')
  await eventually(() => shade('--color-primary-light-9')).toBe('#ffece6')
  await drawer.getByText('深色').click()
  await eventually(() => page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true)
  await drawer.getByText('大型').click()
  await page.getByText('切换布局大小成功！').waitFor()
  await eventually(() => page.locator('.layout-main .ant-btn-lg').count()).toBeGreaterThan(0)
  for (const [name, at] of [
    ['左侧', 'left'],
    ['混合', 'mix'],
    ['顶部', 'top'],
  ] as const) {
    await drawer.getByText(name, { exact: true }).click()
    await eventually(() => layout(page).getAttribute('data-layout')).toBe(at)
  }
  await eventually(async () => [
    await stored(page, 'size'),
    await stored(page, 'theme'),
    await stored(page, 'layout'),
  ]).toEqual(['large', 'dark', 'top'])

  await drawer.getByRole('button', { name: '恢复默认设置' }).click()
  const question = page.getByRole('dialog', { name: '确定恢复默认设置？' })
  await button(question, '取消').click()
  await question.waitFor({ state: 'hidden' })
  await eventually(() => shade('--color-primary')).toBe('#ff4500')
  await drawer.getByRole('button', { name: '恢复默认设置' }).click()
  await confirmDialog(page)
  await page.getByText('已恢复默认设置').waitFor()
  await eventually(() => shade('--color-primary')).toBe('#4080ff')
  await eventually(() => shade('--color-primary-dark-2')).toBe('#1a67ff')
  await eventually(async () => [await flag('显示标签栏').isChecked(), await flag('显示水印').isChecked()]).toEqual([
    false,
    false,
  ])
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })

  const height = async () => (await button(page, '搜索').first().boundingBox())?.height
  for (const [name, px] of [
    ['大型', 40],
    ['小型', 24],
    ['默认', 32],
    ['大型', 40],
  ] as const) {
    await page.getByRole('button', { name: '布局大小' }).click()
    await page.locator('.ant-dropdown:visible').getByRole('menuitem', { name }).click()
    await eventually(height).toBe(px)
  }
  await page.reload()
  await eventually(height).toBe(40)

  const gear = layout(page).locator('.layout-header').getByRole('button', { name: '界面设置' })
  await eventually(() => gear.count()).toBe(0)
  const gearSwitch = (await settings(page)).getByRole('switch', { name: '导航栏显示设置按钮' })
  await gearSwitch.click()
  await eventually(() => gear.count()).toBe(1)
  await gearSwitch.click()
  await eventually(() => gear.count()).toBe(0)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })

  const me = page.getByRole('button', { name: world().lead.nickname })
  const link = (name: string) => page.locator('.ant-dropdown:visible').getByRole('menuitem', { name })
  await me.click()
  await link('帮助文档').waitFor()
  await link('项目地址').waitFor()
  await link('帮助文档').click()
  await eventually(() => new URL(page.url()).pathname).toBe('/document')

  const urls = { 'site.document-url': `${site().url}/favicon.svg?d`, 'site.project-url': `${site().url}/favicon.svg?p` }
  const response = page.waitForResponse('**/get-permission-info')
  await setSettings(site(), urls)
  await response
  for (const [name, url] of [
    ['帮助文档', urls['site.document-url']],
    ['项目地址', urls['site.project-url']],
  ] as const) {
    await me.click()
    await link(name).waitFor()
    const opening = page.waitForEvent('popup')
    await link(name).click()
    const opened = await opening
    await eventually(() => opened.url()).toBe(url)
    await opened.close()
  }

  await page.getByRole('button', { name: '全屏', exact: true }).click()
  await eventually(() => page.evaluate(() => document.fullscreenElement === document.documentElement)).toBe(true)
  await page.getByRole('button', { name: '退出全屏' }).click()
  await eventually(() => page.evaluate(() => document.fullscreenElement)).toBe(null)
})

test('translates calendars with the language, keeps the folded side menu over a reload and in the window, combines both menus in mix, and uses a drawer in a narrow window', async () => {
  const page = await visit(world().admin, '/system/login-log')
  await changePreferences(page)
  const from = page.locator('.filter-bar .ant-picker input').first()
  const calendar = page.locator('.ant-picker-dropdown:visible')
  for (const [choice, begin, days, ago] of [
    ['English', 'Start date', 'SuMoTuWeThFrSa', /now|ago/],
    ['中文', '开始日期', '一二三四五六日', /刚刚|秒前|分钟前/],
  ] as const) {
    await page.getByRole('button', { name: /^(语言|Language)$/ }).click()
    await page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: choice }).click()
    await eventually(() => from.getAttribute('placeholder')).toBe(begin)
    await from.focus()
    await page.keyboard.press('ArrowDown')
    await eventually(() => calendar.locator('thead').first().innerText()).toMatch(new RegExp([...days].join('\\s*')))
    await page.keyboard.press('Escape')
    await eventually(() => page.locator('#content').innerText()).toMatch(ago)
  }

  await openInside(page, '/system/role')
  await changePreferences(page, { layout: 'left' })
  const side = page.getByRole('complementary')
  await eventually(async () => (await side.boundingBox())?.width).toBe(210)
  await page.getByRole('button', { name: '收起侧边栏' }).click()
  await eventually(async () => (await side.boundingBox())?.width).toBe(54)
  await page.reload()
  await eventually(async () => (await side.boundingBox())?.width).toBe(54)
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.locator('.layout-side-menu .ant-menu-submenu-title').filter({ hasText: '系统管理' }).hover()
  const open = page.locator('.ant-menu-submenu-popup:visible').filter({ has: page.getByRole('menuitem') })
  const edges = () =>
    open.evaluateAll((all) => all.map((element) => element.getBoundingClientRect().bottom - innerHeight))
  await eventually(async () => (await edges()).length).toBe(1)
  await eventually(async () => Math.max(...(await edges()))).toBeLessThanOrEqual(0)
  await page.mouse.move(700, 400)
  await open.waitFor({ state: 'hidden' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: '展开侧边栏' }).click()

  await changePreferences(page, { layout: 'mix' })
  await side.getByRole('menuitem', { name: '角色管理' }).waitFor()
  await page.locator('.layout-header').getByRole('menuitem', { name: '设备' }).getByRole('link').click()
  await eventually(() => new URL(page.url()).pathname).toMatch(/^\/device\//)
  await side.getByRole('menuitem', { name: '学校设备' }).waitFor()
  await eventually(() => stored(page, 'activeTopMenuPath')).toBe('/device')

  await page.setViewportSize({ width: 992, height: 800 })
  await eventually(() => layout(page).getAttribute('data-layout')).toBe('mix')
  await page.setViewportSize({ width: 991, height: 800 })
  await eventually(() => layout(page).getAttribute('data-layout')).toBe('drawer')
  await eventually(() => stored(page, 'device')).toBe('mobile')
  await page.getByRole('button', { name: '菜单', exact: true }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('学校', { exact: true }).click()
  await drawer.getByRole('menuitem', { name: '学校', exact: true }).getByRole('link').click()
  await eventually(() => new URL(page.url()).pathname).toBe('/school/list')
  await eventually(() => drawer.isVisible()).toBe(false)
})

test('offers every tool in the header and every entry in the user menu', async () => {
  const page = await visit(world().operator, '/404')
  await changePreferences(page, { showSettings: true })
  const tools = page.locator('.layout-header').getByRole('button')
  await eventually(() => tools.evaluateAll((all) => all.map((element) => element.ariaLabel).join(' '))).toBe(
    `搜索菜单、警情、学校和用户 全屏 布局大小 语言 主题 通知 界面设置 ${world().operator.nickname}`,
  )
  await tools.last().click()
  const entries = page.locator('.ant-dropdown:visible').getByRole('menuitem')
  await eventually(async () => (await entries.allInnerTexts()).map((words) => words.split('\n')[0]).join(' ')).toBe(
    '首页 个人中心 帮助文档 项目地址 界面设置 锁定屏幕 退出登录',
  )
})

test('keeps the language when the new texts fail to load; loads the target of a link when it is hovered', async () => {
  allow(/assets\/texts-|ERR_FAILED/)
  const page = await visit(world().lead, 'about:blank')
  // Before the page opens: later it prefetches the other language.
  await page.route('**/assets/texts-*', (route) => route.abort())
  await page.goto('/dashboard')
  await changePreferences(page)
  await page.getByRole('button', { name: '语言' }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await page.getByText('网络异常，请检查您的网络连接是否正常!').waitFor()
  await eventually(async () => [
    await stored(page, 'language'),
    await page.evaluate(() => document.documentElement.lang),
  ]).toEqual(['zh-cn', 'zh-CN'])
  await eventually(() => page.getByRole('menuitem', { name: '学校', exact: true }).count()).toBe(1)

  const part = page.waitForRequest(/assets\/SchoolPage/)
  await openGroup(page, '学校')
  await page.getByRole('menuitem', { name: '学校', exact: true }).getByRole('link').hover()
  await part
  await eventually(() => new URL(page.url()).pathname).toBe('/dashboard')
})
