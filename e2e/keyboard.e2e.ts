import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { changePreferences } from './appearance.ts'
import { CAPTCHA, ADMIN } from './setup/e2e-server.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'

// No test of this file uses the mouse.

const { world, visit, openSignedOut, allow } = browserTest({ language: 'zh-cn', theme: 'dark' })

/** The page below overlays. */
const BEHIND = '.layout'

/** Returns the name or the text of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return ''
    return element.getAttribute('aria-label') ?? (element.textContent || element.id || element.tagName)
  })
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const WALK = 60
/** Presses one key until the focused element has this name. */
const goTo = async (page: Page, name: RegExp, key = 'Tab') => {
  const visited: string[] = []
  for (let step = 0; step < WALK; step += 1) {
    await page.keyboard.press(key)
    // The time that a menu needs to follow the arrows.
    await page.waitForTimeout(30)
    visited.push(await focused(page))
    if (name.test(visited.at(-1) ?? '')) return
  }
  throw new Error(`${key} never came to ${name}, only to ${visited.join(' | ')}`)
}
const path = (page: Page) => eventually(() => new URL(page.url()).pathname)
const focusIs = (page: Page, name: RegExp) => eventually(() => focused(page)).toMatch(name)
const isIn = (page: Page, selector: string) =>
  page.evaluate((wanted) => document.activeElement?.closest(wanted) !== null, selector)

test('signs in, skips the menu, uses menu groups, and signs out by keys', async () => {
  const page = await openSignedOut()
  await page.goto('/login')
  await eventually(() => page.getByRole('textbox', { name: '验证码' }).count()).toBe(1)
  await page.getByLabel('用户名').focus()
  await page.keyboard.type(ADMIN.username)
  await press(page, 'Tab')
  await page.keyboard.type(ADMIN.password)
  await page.getByRole('textbox', { name: '验证码' }).focus()
  await page.keyboard.type(CAPTCHA)
  await press(page, 'Enter')
  await page.getByText('实时', { exact: true }).waitFor()

  await goTo(page, /^跳到主要内容$/)
  await press(page, 'Enter')
  await focusIs(page, /./)
  await eventually(() => isIn(page, '#content')).toBe(true)
  await eventually(() => new URL(page.url()).hash).toBe('')

  await page.reload()
  await page.getByText('实时', { exact: true }).waitFor()
  await goTo(page, /^校警联$/)
  await press(page, 'Tab')
  await goTo(page, /^系统管理/, 'ArrowRight')
  await press(page, 'Enter')
  await focusIs(page, /^用户管理$/)
  await goTo(page, /^角色管理$/, 'ArrowDown')
  await press(page, 'Enter')
  await path(page).toBe('/system/role')

  await goTo(page, new RegExp(`^${world().admin.nickname}$`))
  await press(page, 'Enter')
  await focusIs(page, /^首页$/)
  await goTo(page, /^退出登录$/, 'ArrowDown')
  await press(page, 'Enter')
  await page.getByRole('dialog', { name: '是否退出本系统？' }).waitFor()
  await focusIs(page, /^确\s*定$/)
  await press(page, 'Enter')
  await path(page).toBe('/login')
})

test('moves the focus into row actions, questions and forms, and back', async () => {
  const page = await visit(world().admin, '/system/user?username=guard.east')
  await page.getByRole('row').filter({ hasText: 'guard.east' }).waitFor()
  await goTo(page, /^更多$/)
  await press(page, 'Enter')
  await eventually(() => isIn(page, '[role=menu]')).toBe(true)
  await goTo(page, /^删除/, 'ArrowDown')
  await press(page, 'Escape')
  await focusIs(page, /^更多$/)
  await press(page, 'Enter')
  await eventually(() => isIn(page, '[role=menu]')).toBe(true)
  await goTo(page, /^删除/, 'ArrowDown')
  await press(page, 'Enter')
  await page.getByRole('dialog', { name: '是否删除数据？' }).waitFor()
  await focusIs(page, /^确\s*定$/)
  for (let step = 0; step < 5; step += 1) {
    await press(page, 'Tab')
    await eventually(() => isIn(page, BEHIND)).toBe(false)
  }
  await press(page, 'Escape')
  await focusIs(page, /^更多$/)

  await goTo(page, /新增$/, 'Shift+Tab')
  await press(page, 'Enter')
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('用户名称').waitFor()
  for (let step = 0; step < 40; step += 1) {
    await press(page, 'Tab')
    await eventually(() => isIn(page, BEHIND)).toBe(false)
  }
  await drawer.getByLabel('用户名称').focus()
  await page.keyboard.type('half.typed')
  await press(page, 'Escape')
  await page.getByRole('dialog', { name: '有未保存的修改，确定放弃？' }).waitFor()
  await press(page, 'Escape')
  await page.getByRole('dialog', { name: '有未保存的修改' }).waitFor({ state: 'hidden' })
  await eventually(() => drawer.getByLabel('用户名称').inputValue()).toBe('half.typed')
  await eventually(() => isIn(page, '.ant-drawer')).toBe(true)
  await press(page, 'Escape')
  await focusIs(page, /^确\s*定$/)
  await press(page, 'Enter')
  await focusIs(page, /新增$/)
})

test('operates search, settings and tags by keys', async () => {
  const page = await visit(world().lead, '/school/list')
  await page.getByRole('cell', { name: EAST_SCHOOL }).first().waitFor()
  await goTo(page, /^行距$/)
  const before = await focused(page)
  await press(page, 'Control+K')
  await eventually(() => page.getByRole('dialog').getByRole('combobox').count()).toBe(1)
  await press(page, 'Escape')
  await eventually(() => focused(page)).toBe(before)

  await goTo(page, new RegExp(`^${world().lead.nickname}$`), 'Shift+Tab')
  await press(page, 'Enter')
  await focusIs(page, /^首页$/)
  await goTo(page, /^界面设置$/, 'ArrowDown')
  await press(page, 'Enter')
  await page.getByRole('dialog').getByRole('switch', { name: '显示标签栏' }).waitFor()
  await eventually(() => isIn(page, '.ant-drawer')).toBe(true)
  const tabTo = async (selector: string) => {
    for (let step = 0; step < 60; step += 1) {
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return
      await press(page, 'Tab')
    }
    throw new Error(`no Tab comes to ${selector}`)
  }
  await tabTo('.swatch')
  await press(page, 'ArrowRight')
  await eventually(() => page.evaluate(() => localStorage.getItem('themeColor'))).not.toBe('#4080FF')
  await tabTo('.theme-color')
  await page.getByRole('switch', { name: '显示标签栏' }).focus()
  await press(page, 'Space')
  await page.getByRole('navigation', { name: '标签栏' }).waitFor()
  await tabTo('[name=layout]')
  await press(page, 'ArrowLeft')
  await eventually(() => page.locator('.layout').getAttribute('data-layout')).toBe('left')
  await press(page, 'Escape')
  await focusIs(page, new RegExp(`^${world().lead.nickname}$`))

  await press(page, 'Control+K')
  await eventually(() => page.getByRole('dialog').getByRole('combobox').count()).toBe(1)
  await page.keyboard.type('警情记录')
  await page.getByRole('option').first().waitFor()
  await press(page, 'Enter')
  await path(page).toBe('/warn/record')
  const tags = () => page.getByRole('navigation', { name: '标签栏' }).getByRole('listitem').allInnerTexts()
  await eventually(tags).toEqual(['首页', '学校', '警情记录'].map((name) => expect.stringContaining(name)))
  await goTo(page, /^学校$/)
  if (!(await isIn(page, '.tag'))) await goTo(page, /^学校$/)
  await press(page, 'Alt+Shift+ArrowRight')
  await eventually(tags).toEqual(['首页', '警情记录', '学校'].map((name) => expect.stringContaining(name)))
  await goTo(page, /^关闭 学校$/)
  await press(page, 'Enter')
  await eventually(tags).toEqual(['首页', '警情记录'].map((name) => expect.stringContaining(name)))
  await goTo(page, /^标签操作$/)
  await press(page, 'Enter')
  await eventually(() => isIn(page, '[role=menu]')).toBe(true)
  await goTo(page, /^关闭全部标签页$/, 'ArrowDown')
  await press(page, 'Enter')
  await path(page).toBe('/dashboard')
})

/** Returns where the focused element is hidden: above or below its menu, or outside of the window. */
const unseen = (page: Page, box: string) =>
  page.evaluate((selector) => {
    const element = document.activeElement
    const menu = element?.closest(selector)
    if (!element || !menu) return `not in ${selector}: ${element?.textContent}`
    const [here, around] = [element.getBoundingClientRect(), menu.getBoundingClientRect()]
    const [top, bottom] = [Math.max(0, around.top), Math.min(innerHeight, around.bottom)]
    return here.top < top - 1 || here.bottom > bottom + 1 ? `${element.textContent} at ${here.top} of ${top}` : ''
  }, box)

test('scrolls a focused element out from under the sticky header and the head of a list, and the side menu to the focused entry in a low window', async () => {
  const page = await visit(world().admin, '/system/role', { viewport: { width: 1440, height: 300 } })
  await changePreferences(page, { tagsView: true })
  const more = (row: number) => page.getByRole('row').nth(row).getByRole('button', { name: '更多' })
  const top = () => page.evaluate(() => document.activeElement?.getBoundingClientRect().top ?? 0)
  const isUncovered = async (cover: Locator) => {
    const edge = () => cover.evaluate((element) => element.getBoundingClientRect().bottom)
    await eventually(async () => (await top()) - (await edge())).toBeLessThan(0)
    await press(page, 'Tab', 'Shift+Tab')
    await focusIs(page, /^更多$/)
    await eventually(async () => (await top()) - (await edge())).toBeGreaterThanOrEqual(0)
  }
  await more(1).focus()
  await page.evaluate((by) => scrollBy(0, by), (await top()) - 50)
  await isUncovered(page.getByRole('navigation', { name: '标签栏' }))
  await more(8).focus()
  const head = page.locator('.list-rows thead th').first()
  const above = (await top()) - ((await head.boundingBox())?.y ?? 0)
  await page.locator('.list-rows .ant-table-content').evaluate((rows, by) => rows.scrollBy(0, by), above)
  await isUncovered(head)

  await changePreferences(page, { layout: 'left', tagsView: true })
  await page.getByRole('row').nth(3).waitFor()
  await page.evaluate(() => scrollTo(0, 300))
  const menu = '.layout-side-menu'
  await goTo(page, /^校警联$/)
  await press(page, 'Tab')
  await eventually(() => isIn(page, menu)).toBe(true)
  const hidden: string[] = []
  for (const key of ['ArrowDown', 'ArrowUp'])
    for (let step = 0; step < 24; step += 1) {
      await press(page, key)
      await page.waitForTimeout(30)
      hidden.push(await unseen(page, menu))
    }
  expect(hidden.filter(Boolean)).toEqual([])
  await eventually(() =>
    page.evaluate((selector) => document.querySelector(selector)?.scrollHeight, menu),
  ).toBeGreaterThan(420)
})

test('focuses the main field of a dialog, with and without motion', async () => {
  allow(/auth\/lock|get-permission-info/)
  const page = await visit(world().lead, '/school/list')
  await page.getByRole('cell', { name: EAST_SCHOOL }).first().waitFor()
  await goTo(page, /^行距$/)
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    await page.emulateMedia({ reducedMotion })
    for (const end of reducedMotion === 'reduce' ? ['Escape'] : ['Escape', 'Enter']) {
      await press(page, 'Alt+l')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('锁屏密码').waitFor()
      await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('lock_password')
      await press(page, end)
      await dialog.waitFor({ state: 'hidden' })
      if (end === 'Escape') await focusIs(page, /^行距$/)
    }
  }
  await page.locator('.lock-screen').waitFor()
})
