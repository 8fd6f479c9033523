import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { follow, openGroup, setPreferences, scrolled } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL, WEST_SCHOOL } from './setup/e2e-fixture.ts'
import { button, row } from './page-actions.ts'

const { world, visit } = browserTest({ language: 'en', theme: 'light' })

const bar = (page: Page) => page.getByRole('navigation', { name: 'Open pages' })
const tags = (page: Page) => bar(page).getByRole('listitem')
const names = async (page: Page) => (await tags(page).allInnerTexts()).map((text) => text.trim()).join(', ')
const tag = (page: Page, name: string): Locator => tags(page).filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) })
const path = (page: Page) => eventually(() => new URL(page.url()).pathname)
const items = (page: Page) => page.locator('.ant-dropdown:visible').getByRole('menuitem')
/** A context menu closes when the page below moves, which happens when its list arrives. */
const choose = async (page: Page, at: string, label: string) => {
  await page.getByRole('row').nth(1).waitFor()
  await tag(page, at).click({ button: 'right' })
  await items(page).filter({ hasText: label }).click()
}
/** Navigates within the page, like a link of the page itself. */
const followLink = (page: Page, address: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, address)
/** Opens the whole menu of an administrator, page after page. */
const opened = async (page: Page) => {
  for (const name of ['Users', 'Roles', 'Departments', 'Settings']) {
    await follow(page, 'Administration', name)
    await tag(page, name).waitFor()
  }
}

test('closes one, left, right, other and all tags, keeps the pinned tag over a reload, and has one tag for every spelling', async () => {
  const page = await visit(world().admin, '/dashboard')
  await setPreferences(page, { tagsView: true })
  await opened(page)
  await eventually(() => names(page)).toBe('Dashboard, Users, Roles, Departments, Settings')
  await page.reload()
  await eventually(() => names(page)).toBe('Dashboard, Users, Roles, Departments, Settings')

  await tag(page, 'Dashboard').click({ button: 'right' })
  await eventually(() => items(page).allInnerTexts()).toEqual([
    'Reload',
    'Close',
    'Close those to the left',
    'Close those to the right',
    'Close the others',
    'Close all',
  ])
  const off = items(page).and(page.locator('[aria-disabled=true]'))
  await eventually(() => off.allInnerTexts()).toEqual(['Close', 'Close those to the left'])
  await page.keyboard.press('Escape')
  await eventually(() => tag(page, 'Dashboard').getByRole('button').count()).toBe(0)

  await tag(page, 'Users').getByRole('button').click()
  await eventually(() => names(page)).toBe('Dashboard, Roles, Departments, Settings')
  await path(page).toBe('/system/config')
  await tag(page, 'Settings').click({ button: 'middle' })
  await eventually(() => names(page)).toBe('Dashboard, Roles, Departments')
  await path(page).toBe('/system/dept')
  await tag(page, 'Dashboard').click({ button: 'middle' })
  await eventually(() => names(page)).toBe('Dashboard, Roles, Departments')

  await choose(page, 'Departments', 'Close those to the left')
  await eventually(() => names(page)).toBe('Dashboard, Departments')
  await opened(page)
  await choose(page, 'Users', 'Close those to the right')
  await eventually(() => names(page)).toBe('Dashboard, Departments, Users')
  await path(page).toBe('/system/user')
  await choose(page, 'Departments', 'Close the others')
  await eventually(() => names(page)).toBe('Dashboard, Departments')
  await path(page).toBe('/system/dept')
  await bar(page).getByRole('button', { name: 'Actions of this tag' }).click()
  await items(page).filter({ hasText: 'Close all' }).click()
  await eventually(() => names(page)).toBe('Dashboard')
  await path(page).toBe('/dashboard')

  for (const [spelled, own, name] of [
    ['/DASHBOARD?a=B', '/dashboard', 'Dashboard'],
    ['/dashboard/', '/dashboard', 'Dashboard'],
    ['/System/User/', '/system/user', 'Users'],
    ['/redirect/System/Role/', '/system/role', 'Roles'],
  ] as const) {
    await page.goto(spelled)
    await path(page).toBe(own)
    await tag(page, name).waitFor()
  }
  await eventually(() => names(page)).toBe('Dashboard, Users, Roles')
})

test('keeps the title set by a page behind other tags, after a reload and in the other language', async () => {
  const page = await visit(world().admin, '/system/dict-data/system_notice_type')
  await setPreferences(page, { tagsView: true })
  await tag(page, 'Notice type').waitFor()
  await followLink(page, '/system/dict-data/system_user_sex')
  await tag(page, 'Sex').waitFor()
  await follow(page, 'Administration', 'Roles')
  await tag(page, 'Roles').waitFor()
  await page.reload()
  const english = 'Dashboard, Notice type, Sex, Roles'
  await eventually(() => names(page)).toBe(english)
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitem', { name: '中文' }).click()
  const chinese = page.getByRole('navigation', { name: '标签栏' }).getByRole('listitem')
  await eventually(() => chinese.allInnerTexts()).toEqual(['首页', '通知类型', '用户性别', '角色管理'])
  await page.getByRole('button', { name: '语言' }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await eventually(() => names(page)).toBe(english)
})

test('discards input when a page is reloaded from its tag, and restores filters and scroll position on return', async () => {
  const page = await visit(world().lead, '/school/list')
  await setPreferences(page, { tagsView: true })
  await row(page, EAST_SCHOOL).first().waitFor()
  await page.getByRole('textbox').first().fill('寄宿')
  const read = page.waitForRequest('**/school/school/page*')
  await choose(page, 'Schools', 'Reload')
  await read
  await eventually(() => page.getByRole('textbox').first().inputValue()).toBe('')
  await row(page, EAST_SCHOOL).first().waitFor()
  await path(page).toBe('/school/list')

  await page.setViewportSize({ width: 1440, height: 320 })
  await row(page, EAST_SCHOOL).first().waitFor()
  await page.getByRole('textbox').first().fill('寄宿')
  await button(page, 'Search').click()
  await row(page, EAST_SCHOOL).first().waitFor({ state: 'hidden' })
  await row(page, WEST_SCHOOL).first().waitFor()
  await page.evaluate(() => window.scrollTo(0, 60))
  await eventually(() => scrolled(page)).toBe(60)
  await follow(page, 'Dashboard')
  await path(page).toBe('/dashboard')
  await eventually(() => scrolled(page)).toBe(0)
  await tag(page, 'Schools').getByRole('link').click()
  await eventually(() => new URL(page.url()).search).toContain(encodeURIComponent('寄宿'))
  await eventually(() => scrolled(page)).toBe(60)
  await eventually(() => row(page, EAST_SCHOOL).count()).toBe(0)
  await eventually(() => page.getByRole('textbox').first().inputValue()).toBe('寄宿')

  await follow(page, 'Dashboard')
  await path(page).toBe('/dashboard')
  await follow(page, 'Schools', 'Schools')
  await eventually(() => new URL(page.url()).search).toContain(encodeURIComponent('寄宿'))
  await eventually(() => row(page, EAST_SCHOOL).count()).toBe(0)
  await eventually(() => page.getByRole('textbox').first().inputValue()).toBe('寄宿')
  const newTab = page.context().waitForEvent('page')
  const entry = page.getByRole('menuitem', { name: 'Schools', exact: true }).getByRole('link')
  await openGroup(page, 'Schools')
  await entry.click({ modifiers: ['ControlOrMeta'] })
  const opened = await newTab
  await eventually(() => [new URL(opened.url()).pathname, new URL(opened.url()).search]).toEqual(['/school/list', ''])
  await openGroup(page, 'Schools')
  await entry.click()
  await eventually(() => new URL(page.url()).search).toBe('')
  await row(page, EAST_SCHOOL).first().waitFor()
})

test('reorders tags by dragging, keeps the order, and scrolls by the mouse wheel', async () => {
  const page = await visit(world().admin, '/dashboard', { viewport: { width: 1000, height: 300 } })
  await setPreferences(page, { tagsView: true, layout: 'left' })
  for (const to of ['user', 'role', 'dept', 'menu', 'dict', 'config', 'login-log', 'log', 'online', 'file', 'notice']) {
    const count = await tags(page).count()
    await followLink(page, `/system/${to}`)
    await eventually(() => tags(page).count()).toBe(count + 1)
  }
  const before = await names(page)
  const list = bar(page).getByRole('list')
  await eventually(() => list.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true)
  await eventually(() => page.evaluate(() => document.documentElement.scrollHeight > innerHeight)).toBe(true)
  await list.evaluate((element) => (element.scrollLeft = 0))
  await list.hover()
  await page.mouse.wheel(0, 120)
  await eventually(() => list.evaluate((element) => element.scrollLeft)).toBe(120)
  await page.mouse.wheel(40, 0)
  await eventually(() => list.evaluate((element) => element.scrollLeft)).toBe(160)
  await eventually(() => scrolled(page)).toBe(0)
  await list.evaluate((element) => (element.scrollLeft = 0))

  const drag = async (from: string, to: string) => {
    const [start, end] = [await tag(page, from).boundingBox(), await tag(page, to).boundingBox()]
    if (!start || !end) throw new Error('a tag is not in sight')
    await page.mouse.move(start.x + 20, start.y + 10)
    await page.mouse.down()
    await page.mouse.move(end.x + end.width - 4, end.y + 10, { steps: 5 })
    await page.mouse.up()
  }
  await drag('Users', 'Roles')
  const after = before.replace('Users, Roles', 'Roles, Users')
  await eventually(() => names(page)).toBe(after)
  await path(page).toBe('/system/notice')
  await page.reload()
  await eventually(() => names(page)).toBe(after)

  // A tag that was released outside of the bar does not follow the mouse that returns.
  const { x = 0, y = 0 } = (await tags(page).last().boundingBox()) ?? {}
  await page.mouse.move(x + 20, y + 10)
  await page.mouse.down()
  await page.mouse.move(x + 20, y + 150)
  await page.mouse.up()
  await page.mouse.move(x + 50, y + 10, { steps: 3 })
  expect(await tags(page).evaluateAll((all) => all.map((element) => element.style.transform).join(''))).toBe('')
})

const search = async (page: Page, name: string) => {
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill(name)
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
}
const typed = (page: Page) => page.getByRole('dialog').getByLabel('User name')
const question = (page: Page) => page.getByRole('dialog', { name: 'Discard what you changed?' })

test('keeps a half-filled form behind its tag, and asks before it is closed, left without tags, or its window is closed', async () => {
  const page = await visit(world().admin, '/system/user')
  await setPreferences(page, { tagsView: true })
  await button(page, 'New').click()
  await typed(page).fill('half.typed')
  await search(page, 'Roles')
  await path(page).toBe('/system/role')
  await row(page, 'guard').first().waitFor()
  await eventually(() => typed(page).isVisible()).toBe(false)
  await tag(page, 'Users').getByRole('button').click()
  await button(question(page), 'Cancel').click()
  await question(page).waitFor({ state: 'hidden' })
  await eventually(() => names(page)).toBe('Dashboard, Users, Roles')
  await tag(page, 'Users').getByRole('link').click()
  await eventually(() => typed(page).inputValue()).toBe('half.typed')
  await search(page, 'Roles')
  await tag(page, 'Users').getByRole('button').click()
  await button(question(page), 'OK').click()
  await eventually(() => names(page)).toBe('Dashboard, Roles')
  await search(page, 'Users')
  await row(page, 'maintainer').waitFor()
  await eventually(() => typed(page).count()).toBe(0)

  await setPreferences(page)
  await button(page, 'New').click()
  await typed(page).fill('half.typed')
  await search(page, 'Roles')
  await button(question(page), 'Cancel').click()
  await question(page).waitFor({ state: 'hidden' })
  await eventually(() => new URL(page.url()).pathname).toBe('/system/user')
  await eventually(() => typed(page).inputValue()).toBe('half.typed')
  const items: string[] = []
  page.once('dialog', async (dialog) => {
    items.push(dialog.type())
    await dialog.dismiss()
  })
  await page.evaluate(() => location.reload())
  await eventually(() => items).toEqual(['beforeunload'])
  await eventually(() => typed(page).inputValue()).toBe('half.typed')
  await search(page, 'Roles')
  await button(question(page), 'OK').click()
  await path(page).toBe('/system/role')
})
