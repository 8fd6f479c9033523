import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { PermissionInfo } from '../packages/contract/src/access/auth.ts'
import { buildRoutes } from '../apps/web/src/shell/menu-routes.ts'
import { axeViolations, inBothThemes, prepare, waitUntilIdle } from './axe.ts'
import { seedListRows } from './seed-list-rows.ts'
import { setPreferences } from './appearance.ts'
import { unreachableControls } from './keyboard-reach.ts'
import { setSettings } from './settings.ts'
import { type Person } from './setup/e2e-fixture.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button } from './page-actions.ts'

const { site, world, visit, stranger, all } = browserTest({ language: 'zh-cn', theme: 'light' })

type Place = { path: string; name?: string }

/** Another page without loading the application anew; there once the browser's tab bears its name, behind what waits. */
const go = async (page: Page, { path, name = '' }: Place) => {
  await page.evaluate((to) => {
    document.title = ''
    history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.waitForFunction((begin) => document.title !== '' && document.title.includes(begin), name)
  await waitUntilIdle(page)
}

const open = async (person: Person, path: string) => {
  const page = await visit(person, 'about:blank')
  await prepare(page)
  const answer = page.waitForResponse((one) => one.url().includes('get-permission-info'))
  await page.goto(path)
  const { data } = (await (await answer).json()) as { data: PermissionInfo }
  await waitUntilIdle(page)
  const { routes } = buildRoutes(data.menus, () => true)
  const screens = routes.filter(({ kind, path: at }) => kind === 'screen' && !at.includes(':'))
  return { page, places: screens.map(({ path: at, title }) => ({ path: at, name: title.name })) }
}

/** What the keys alone do not come to. */
const byKeys = async (page: Page, where: string, part: string) =>
  (await unreachableControls(page, part)).map((one) => `${where}: ${one}`)

/** The buttons of a page that open something above it: forms, details, questions, and what drops down. */
const openers = ['新增', '导入', '编辑', '详情', '位置', '菜单权限', '新增下级', '预览', '上传文件', '链接', '键盘操作']
const ABOVE = '.ant-drawer-content-wrapper, .ant-modal'

/** Looks at what a button has opened: something above the page, which it closes, or another page, which it leaves. */
const lookOpened = async (page: Page, where: string, at: string): Promise<string[]> => {
  await page.waitForFunction(
    ([selector, from]) =>
      location.pathname !== from || [...document.querySelectorAll(selector)].some((part) => part.checkVisibility()),
    [ABOVE, at] as const,
  )
  await waitUntilIdle(page)
  if ((await page.evaluate(() => location.pathname)) !== at) {
    const found = [...(await inBothThemes(page, where)), ...(await byKeys(page, where, '#content'))]
    await go(page, { path: at })
    return found
  }
  const above = page.locator(ABOVE).filter({ visible: true }).first()
  const found = [...(await inBothThemes(page, where, ABOVE)), ...(await byKeys(page, where, ABOVE))]
  await page.keyboard.press('Escape')
  await above.waitFor({ state: 'hidden' })
  return found
}

/** What opens above this page, each by the first of its buttons. */
const lookAbove = async (page: Page, at: string): Promise<string[]> => {
  const found: string[] = []
  for (const words of openers) {
    const opener = button(page.locator('#content'), words).and(page.locator(':enabled')).first()
    if (!(await opener.isVisible())) continue
    await opener.click()
    found.push(...(await lookOpened(page, `${at} ${words}`, at)))
  }
  return found
}

/** Of what waits behind "more", what opens nothing. */
const atOnce = ['生成代码', '上移', '下移']

/** What waits behind "more" of the first row and of the last, which may offer what the first does not; each once. */
const lookBehind = async (page: Page, at: string): Promise<string[]> => {
  const found: string[] = []
  const seen = new Set(atOnce)
  const all = button(page.locator('#content'), '更多').filter({ visible: true })
  const menu = page.locator('.ant-dropdown').filter({ visible: true })
  for (const more of (await all.count()) > 0 ? [all.first(), all.last()] : []) {
    const unfold = async () => {
      await more.click()
      await menu.waitFor()
      await waitUntilIdle(page)
    }
    await unfold()
    if (seen.size === atOnce.length) found.push(...(await inBothThemes(page, `${at} 更多`, '.ant-dropdown')))
    const names = await menu.locator('[role=menuitem]:not([aria-disabled=true])').allInnerTexts()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    for (const name of names.filter((one) => !seen.has(one))) {
      seen.add(name)
      await unfold()
      await menu.getByRole('menuitem', { name, exact: true }).click()
      found.push(...(await lookOpened(page, `${at} ${name}`, at)))
    }
  }
  return found
}

/** What drops down from a button of this part, each by the first of its buttons that is called so. */
const DROPPED = '.ant-dropdown, .ant-popover'
const droppers = ['列筛选', '筛选', '选择一项']

const lookDropped = async (page: Page, at: string, part: string): Promise<string[]> => {
  const found: string[] = []
  const shown = page.locator(part).locator('.ant-dropdown-trigger, .ant-btn').filter({ visible: true })
  const named = await shown.evaluateAll((all, also) => {
    const drops = all.map((one, no) => {
      const name = (one.ariaLabel ?? one.textContent).replaceAll(' ', '')
      const opens = one.matches('.ant-dropdown-trigger:enabled') || also.includes(name)
      return { no, name, opens }
    })
    return drops.filter(({ name, opens }, no) => opens && drops.findIndex((one) => one.name === name) === no)
  }, droppers)
  for (const { no, name } of named) {
    await shown.nth(no).click()
    const dropped = page.locator(DROPPED).filter({ visible: true }).first()
    await dropped.waitFor()
    await waitUntilIdle(page)
    found.push(...(await inBothThemes(page, `${at} ${name}`, DROPPED)))
    await page.keyboard.press('Escape')
    await dropped.waitFor({ state: 'hidden' })
  }
  return found
}

const walk = async (page: Page, places: readonly Place[]): Promise<string[]> => {
  const found: string[] = []
  for (const place of places) {
    await go(page, place)
    found.push(...(await inBothThemes(page, place.path)), ...(await byKeys(page, place.path, '#content')))
    found.push(...(await lookAbove(page, place.path)), ...(await lookBehind(page, place.path)))
    found.push(...(await lookDropped(page, place.path, '#content')))
  }
  return found
}

const dashboard = { path: '/dashboard', name: '首页' }

/** Beside the menu. */
const fixed: readonly Place[] = [
  dashboard,
  { path: '/profile', name: '个人中心' },
  { path: '/myNotice', name: '我的通知' },
  { path: '/system/dict-data/system_notice_type' },
  { path: '/401' },
  { path: '/404' },
]

/** About a second a screen on an idle machine; there are many, and a busy one takes many times as long. */
const PATIENCE_MS = 600_000

beforeAll(async () => {
  await setSettings(site(), { 'site.demo': 'true' })
  await seedListRows(site(), world())
})

const isAdministration = ({ path }: Place) => path.startsWith('/system/')

test(
  'every screen of the administration and what opens above it can be read, heard and used by keys, in light and dark',
  async () => {
    const { page, places } = await open(world().admin, '/404')
    const found = await walk(page, [...places, ...fixed].filter(isAdministration))
    expect(found).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'so can every other screen of the administrator, and the document of the calls',
  async () => {
    const { page, places } = await open(world().admin, '/404')
    expect(places.length).toBeGreaterThan(15)
    const found = await walk(
      page,
      [...places, ...fixed].filter((place) => !isAdministration(place)),
    )
    for (const call of ['get /system/dict-data/page', 'put /system/dict-data/update']) {
      await go(page, { path: `/demo/api-docs?${new URLSearchParams({ area: 'system/dict-data', call })}` })
      const block = page.locator('.opblock.is-open').filter({ hasText: call.split(' ')[1] ?? '' })
      await block.locator('.tablinks').first().waitFor()
      found.push(...(await inBothThemes(page, call)))
      // The viewer draws an open call anew when it has read more of it: what had the focus before is gone then.
      await eventually(() => byKeys(page, call, '#content')).toEqual([])
    }
    expect(found).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'every screen of an operator can, and the search, the settings, and the frame around them all',
  async () => {
    const { page, places } = await open(world().operator, '/404')
    const found = await walk(page, [...places, dashboard])
    await page.keyboard.press('Control+K')
    await page.getByRole('dialog').getByRole('combobox').fill('警')
    found.push(...(await inBothThemes(page, 'the search')))
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: world().operator.nickname }).click()
    await page.getByRole('menuitem', { name: '界面设置' }).click()
    await page.getByRole('dialog').getByRole('radiogroup').first().waitFor()
    await waitUntilIdle(page)
    found.push(...(await inBothThemes(page, 'the settings')), ...(await byKeys(page, 'the settings', ABOVE)))
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await go(page, { path: '/warn/record' })
    found.push(...(await lookDropped(page, 'the frame', '.layout header')))
    for (const layout of ['top', 'left', 'mix'] as const) {
      await setPreferences(page, { layout, tagsView: true })
      // The menu follows the page.
      const menu = page.locator(layout === 'top' ? '.layout-header' : '.layout-side-menu')
      await menu.getByRole('menuitem').first().waitFor()
      await waitUntilIdle(page)
      found.push(...(await byKeys(page, `the frame, ${layout}`, '.layout')))
    }
    expect(found).toEqual([])
  },
  PATIENCE_MS,
)

test('a header with more entries than fit can, in each layout', async () => {
  const links = ['一', '二', '三', '四', '五', '六'].map((name) => ({
    type: 'MENU' as const,
    name: `外部系统${name}`,
    nameEn: `System ${name}`,
    path: `https://example.org/${name}`,
  }))
  await all().insertInto('menu').values(links).execute()
  const { page } = await open(world().admin, '/404')
  await page.setViewportSize({ width: 1000, height: 800 })
  await go(page, { path: '/profile', name: '个人中心' })
  const found: string[] = []
  for (const layout of ['top', 'mix'] as const) {
    await setPreferences(page, { layout })
    await page.locator(`.layout[data-layout=${layout}]`).waitFor()
    await waitUntilIdle(page)
    await page.locator('.layout-header .ant-menu-overflow-item-rest:not([aria-hidden])').waitFor()
    found.push(...(await inBothThemes(page, layout, '.layout-header')))
  }
  expect(found).toEqual([])
})

test('the own account can on a phone, where its tabs do not fit; the keys come to each of them', async () => {
  const { page } = await open(world().admin, '/404')
  await page.setViewportSize({ width: 390, height: 844 })
  await go(page, { path: '/profile', name: '个人中心' })
  const found = await inBothThemes(page, '/profile on a phone')
  expect(found).toEqual([])
  const edges = async () => {
    const box = await page.getByRole('tab').last().boundingBox()
    return box && [box.x >= 0, box.x + box.width <= 390]
  }
  await eventually(edges).toEqual([true, false])
  await page.getByRole('tab').first().focus()
  await page.keyboard.press('End')
  await eventually(edges).toEqual([true, true])
})

test('the forms of the sign-in page can, in light and dark', async () => {
  const page = await stranger()
  await prepare(page)
  const found: string[] = []
  for (const path of ['/login', '/login/mobile', '/login/qr', '/register', '/reset-password', '/activate']) {
    for (const [colorScheme, language] of [
      ['light', 'zh-cn'],
      ['dark', 'en'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(path)
      await page.evaluate((value) => localStorage.setItem('language', value), language)
      await page.reload()
      await waitUntilIdle(page)
      found.push(...(await axeViolations(page, `${path} ${colorScheme}`)), ...(await byKeys(page, path, 'main')))
    }
  }
  expect(found).toEqual([])
})
