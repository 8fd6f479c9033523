import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { PermissionInfo } from '../packages/contract/src/access/auth.ts'
import { buildRoutes } from '../apps/web/src/shell/menu-routes.ts'
import { axeViolations, inBothThemes, inDark, prepare, waitUntilIdle } from './axe.ts'
import { seedListRows } from './seed-list-rows.ts'
import { changePreferences, openInside } from './appearance.ts'
import { unreachableControls } from './keyboard-reach.ts'
import { setSettings } from './settings.ts'
import { type Person } from './setup/e2e-fixture.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button } from './page-actions.ts'

// What `console.smoke.ts` leaves: each screen of the menu in dark and by the keyboard, what opens over it, pages outside
// of the menu, the frame around them, and the forms of a signed-out user.

const { site, world, visit, openSignedOut, all } = browserTest({ language: 'zh-cn', theme: 'light' })

type Place = { path: string; name?: string }

/**
 * Opens another page without reloading the application, and waits until the tab title has its name. A counter of
 * waiting alarms may precede the name.
 */
const go = async (page: Page, { path, name = '' }: Place) => {
  await page.evaluate(() => {
    document.title = ''
  })
  await openInside(page, path)
  await page.waitForFunction((begin) => document.title !== '' && document.title.includes(begin), name)
  await waitUntilIdle(page)
}

const open = async (person: Person, path: string) => {
  const page = await visit(person, 'about:blank')
  await prepare(page)
  const answer = page.waitForResponse((response) => response.url().includes('get-permission-info'))
  await page.goto(path)
  const { data } = (await (await answer).json()) as { data: PermissionInfo }
  await waitUntilIdle(page)
  const { routes } = buildRoutes(data.menus, () => true)
  const screens = routes.filter(({ kind, path: at }) => kind === 'screen' && !at.includes(':'))
  return { page, places: screens.map(({ path: at, title }) => ({ path: at, name: title.name })) }
}

/** Returns the controls that the keyboard does not reach. */
const byKeys = async (page: Page, where: string, part: string) =>
  (await unreachableControls(page, part)).map((text) => `${where}: ${text}`)

/** Buttons that open a form, a detail, a dialog or a dropdown over the page. */
const openers = ['新增', '导入', '编辑', '位置', '菜单权限', '新增下级', '上传文件', '链接', '键盘操作']
const ABOVE = '.ant-drawer-content-wrapper, .ant-modal'

/** Closes an overlay by Escape; the first one may close a dropdown that the walk by keys opened. */
const closeAbove = async (page: Page, above: Locator): Promise<void> => {
  await page.keyboard.press('Escape')
  const isClosed = await above.waitFor({ state: 'hidden', timeout: 20_000 }).then(
    () => true,
    () => false,
  )
  if (isClosed) return
  await page.keyboard.press('Escape')
  await above.waitFor({ state: 'hidden' })
}

/** A page of the walk, with the titles of the overlays that were checked on it: several buttons may open one form. */
type Visited = { page: Page; at: string; titles: Set<string> }

/** Checks what a button opened: closes an overlay, or goes back from another page. */
const lookOpened = async ({ page, at, titles }: Visited, words: string): Promise<string[]> => {
  const where = `${at} ${words}`
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
  const title = (await above.locator('.ant-drawer-title, .ant-modal-title').allInnerTexts()).join() || words
  const isKnown = titles.has(title)
  titles.add(title)
  const found = isKnown ? [] : [...(await inBothThemes(page, where, ABOVE)), ...(await byKeys(page, where, ABOVE))]
  await closeAbove(page, above)
  return found
}

/** Checks each overlay of the page, opened by the first of its buttons, and what the name of its first row opens. */
const lookAbove = async (visited: Visited): Promise<string[]> => {
  const content = visited.page.locator('#content')
  const named = openers.map((words) => [words, button(content, words).and(visited.page.locator(':enabled'))] as const)
  const found: string[] = []
  for (const [words, opener] of [
    ...named,
    ['first row', content.locator('.first-column').locator('a, button')] as const,
  ]) {
    if (!(await opener.first().isVisible())) continue
    await opener.first().click()
    found.push(...(await lookOpened(visited, words)))
  }
  return found
}

/** Entries of "more" that open nothing. */
const atOnce = ['生成代码', '上移', '下移']

/** Checks each entry of "more" once, in the first row and in the last, which may offer other entries. */
const lookBehind = async (visited: Visited): Promise<string[]> => {
  const { page, at } = visited
  const found: string[] = []
  const observed = new Set(atOnce)
  const all = button(page.locator('#content'), '更多').filter({ visible: true })
  const menu = page.locator('.ant-dropdown').filter({ visible: true })
  for (const more of (await all.count()) > 0 ? [all.first(), all.last()] : []) {
    const unfold = async () => {
      await more.click()
      await menu.waitFor()
      await waitUntilIdle(page)
    }
    await unfold()
    if (observed.size === atOnce.length) found.push(...(await inBothThemes(page, `${at} 更多`, '.ant-dropdown')))
    const names = await menu.locator('[role=menuitem]:not([aria-disabled=true])').allInnerTexts()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    for (const name of names.filter((text) => !observed.has(text))) {
      observed.add(name)
      await unfold()
      await menu.getByRole('menuitem', { name, exact: true }).click()
      found.push(...(await lookOpened(visited, name)))
    }
  }
  return found
}

/** Selectors of a dropdown; each kind is opened by the first button with its name. */
const DROPPED = '.ant-dropdown, .ant-popover'
const droppers = ['列筛选', '筛选', '选择一项']

const lookDropped = async (page: Page, at: string, part: string): Promise<string[]> => {
  const found: string[] = []
  const shown = page.locator(part).locator('.ant-dropdown-trigger, .ant-btn').filter({ visible: true })
  const named = await shown.evaluateAll((all, also) => {
    const drops = all.map((element, no) => {
      const name = (element.ariaLabel ?? element.textContent).replaceAll(' ', '')
      const opens = element.matches('.ant-dropdown-trigger:enabled') || also.includes(name)
      return { no, name, opens }
    })
    return drops.filter(({ name, opens }, no) => opens && drops.findIndex((item) => item.name === name) === no)
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

/** @param look what is checked of the page itself. */
const walk = async (page: Page, places: readonly Place[], look: typeof inDark): Promise<string[]> => {
  const found: string[] = []
  for (const place of places) {
    await go(page, place)
    found.push(...(await look(page, place.path)), ...(await byKeys(page, place.path, '#content')))
    const visited = { page, at: place.path, titles: new Set<string>() }
    found.push(...(await lookAbove(visited)), ...(await lookBehind(visited)))
    found.push(...(await lookDropped(page, place.path, '#content')))
  }
  return found
}

/** Pages without a menu entry. */
const fixed: readonly Place[] = [
  { path: '/dashboard', name: '首页' },
  { path: '/profile', name: '个人中心' },
  { path: '/myNotice', name: '我的通知' },
  { path: '/system/dict-data/system_notice_type' },
]

/**
 * About one second a screen on an idle machine; there are many screens, and a busy machine takes many times as long.
 */
const PATIENCE_MS = 600_000

beforeAll(async () => {
  await setSettings(site(), { 'site.demo': 'true' })
  await seedListRows(site(), world())
})

const isAdministration = ({ path }: Place) => path.startsWith('/system/')

test(
  'has no accessibility violations on administration screens in dark and on their overlays, and reaches all controls by keys',
  async () => {
    const { page, places } = await open(world().admin, '/404')
    expect(await walk(page, places.filter(isAdministration), inDark)).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'has no accessibility violations on other screens in dark and on their overlays, and reaches all controls by keys',
  async () => {
    const { page, places } = await open(world().admin, '/404')
    const others = places.filter((place) => !isAdministration(place))
    expect(others.length).toBeGreaterThan(15)
    expect(await walk(page, others, inDark)).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'has no accessibility violations on pages without a menu entry and in the API documentation',
  async () => {
    const { page } = await open(world().admin, '/404')
    const found = await walk(page, fixed, inBothThemes)
    for (const call of ['get /system/dict-data/page', 'put /system/dict-data/update']) {
      await go(page, { path: `/demo/api-docs?${new URLSearchParams({ area: 'system/dict-data', call })}` })
      const block = page.locator('.opblock.is-open').filter({ hasText: call.split(' ')[1] ?? '' })
      await block.locator('.tablinks').first().waitFor()
      found.push(...(await inBothThemes(page, call)))
      // The viewer redraws an open call when more of it was loaded, so the focused element is gone.
      await eventually(() => byKeys(page, call, '#content')).toEqual([])
    }
    expect(found).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'has no accessibility violations in the search, the settings and the layouts of the frame',
  async () => {
    const { page } = await open(world().operator, '/warn/record')
    const found: string[] = []
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
    found.push(...(await lookDropped(page, 'the frame', '.layout header')))
    for (const layout of ['top', 'left', 'mix'] as const) {
      await changePreferences(page, { layout, tagsView: true })
      await page.locator(`.layout[data-layout=${layout}]`).waitFor()
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

test('has no accessibility violations when the header or the tabs have more entries than fit, and reaches each tab by keys', async () => {
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
    await changePreferences(page, { layout })
    await page.locator(`.layout[data-layout=${layout}]`).waitFor()
    await waitUntilIdle(page)
    await page.locator('.layout-header .ant-menu-overflow-item-rest:not([aria-hidden])').waitFor()
    found.push(...(await inBothThemes(page, layout, '.layout-header')))
  }

  await page.setViewportSize({ width: 390, height: 844 })
  await page.locator('.layout[data-layout=drawer]').waitFor()
  await waitUntilIdle(page)
  found.push(...(await inBothThemes(page, '/profile on a phone')))
  expect(found).toEqual([])
  const edges = async () => {
    const box = await page.getByRole('tab').last().boundingBox()
    return box && [box.x >= 0, box.x + box.width <= 390]
  }
  // English names are too long for a phone in every font; Chinese ones fit in some.
  await changePreferences(page, { language: 'en' })
  await eventually(edges).toEqual([true, false])
  await page.getByRole('tab').first().focus()
  await page.keyboard.press('End')
  await eventually(edges).toEqual([true, true])
})

test('has no accessibility violations on the sign-in forms, light and dark', async () => {
  const page = await openSignedOut()
  await prepare(page)
  const found: string[] = []
  for (const path of ['/login', '/login/mobile', '/login/qr', '/register', '/reset-password', '/activate']) {
    await page.goto(path)
    await waitUntilIdle(page)
    for (const [colorScheme, change] of [
      ['light', '切换为中文'],
      ['dark', 'Switch to English'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      // The button is absent when the form already has this language.
      const other = page.getByRole('button', { name: change })
      if (await other.isVisible()) await other.click()
      await other.waitFor({ state: 'detached' })
      await waitUntilIdle(page)
      found.push(...(await axeViolations(page, `${path} ${colorScheme}`)), ...(await byKeys(page, path, 'main')))
    }
  }
  expect(found).toEqual([])
})
