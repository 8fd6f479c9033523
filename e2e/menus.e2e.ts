import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { MenuNode } from '../packages/contract/src/access/rights/menu-node.ts'
import { follow, setPreferences } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button } from './page-actions.ts'

// Menus from the server, with some shapes that no seed has.

const { site, world, visit, allow } = browserTest({ language: 'en', theme: 'dark' })

let nextId = 900_000
const node = (path: string, more: Partial<MenuNode> = {}): MenuNode => ({
  id: (nextId += 1),
  parentId: 0,
  type: more.children ? 'DIR' : 'MENU',
  name: `目录 ${path}`,
  nameEn: `Menu ${path}`,
  path,
  component: null,
  componentName: null,
  redirect: null,
  icon: '',
  visible: true,
  keepAlive: true,
  alwaysShow: true,
  children: null,
  ...more,
})
const school = { component: 'school/index', nameEn: 'All schools' }

/** Gives the signed-in user these menus beside the dashboard. */
const withMenus = async (page: Page, menus: MenuNode[]) =>
  page.route('**/get-permission-info', async (route) => {
    const answer = await route.fetch().catch(() => undefined)
    // The page was closed during the request.
    if (!answer) return
    const json = (await answer.json()) as { data: object }
    await route.fulfill({ response: answer, json: { ...json, data: { ...json.data, menus } } })
  })
const open = async (menus: MenuNode[], path: string) => {
  const page = await visit(world().lead, 'about:blank')
  await withMenus(page, menus)
  await page.goto(path)
  await page.locator('#content').waitFor()
  return page
}
const at = (page: Page) => eventually(() => new URL(page.url()).pathname)
const crumbs = (page: Page) => page.getByRole('navigation', { name: /^(当前位置|You are here)$/ })
/** The last step also counts the rows of its list. */
const steps = (page: Page) =>
  eventually(() =>
    crumbs(page)
      .getByRole('listitem')
      .evaluateAll((all) => all.map((element) => (element.querySelector('h1') ?? element).textContent)),
  )
const menu = (page: Page) => page.locator('.layout-header').getByRole('menu')

test('opens the first visible page of a directory, skips external and hidden pages, and shows a single page alone', async () => {
  const deep = node('deep', { nameEn: 'Deep', children: [node('one', { ...school, nameEn: 'The deep school' })] })
  const first = [node('https://example.invalid/x', { type: 'LINK' }), node('gone', { ...school, visible: false }), deep]
  const page = await open([node('/dir', { nameEn: 'Directory', children: first }), node('/alone', school)], '/dir')
  await at(page).toBe('/dir/deep/one')
  await button(page, 'Search').waitFor()
  await menu(page).getByRole('menuitem', { name: 'All schools' }).click()
  await at(page).toBe('/alone')
  await eventually(() => page.locator('.layout-header').count()).toBe(1)
  // Hidden: no menu entry, but an address.
  await page.goto('/dir/gone')
  await button(page, 'Search').waitFor()
  await eventually(() => page.getByRole('menuitem', { name: 'Menu gone' }).count()).toBe(0)
  await steps(page).toEqual(['Dashboard', 'Directory', 'All schools'])
})

test('keeps a group of one child only when it always shows, and opens external sites in their own window', async () => {
  const group = (path: string, nameEn: string, alwaysShow: boolean) =>
    node(path, { nameEn, alwaysShow, children: [node('child', { ...school, nameEn: `Child of ${nameEn}` })] })
  const link = node('https://example.invalid/help', { type: 'LINK', nameEn: 'Help outside' })
  const page = await open([group('/总显示', 'Always', true), group('/不显示', 'Never', false), link], '/dashboard')
  await eventually(() => menu(page).getByRole('menuitem').allInnerTexts()).toEqual([
    'Dashboard',
    'Always',
    'Child of Never',
    'Help outside',
  ])
  const outside = menu(page).getByRole('link', { name: 'Help outside' })
  await eventually(async () => [
    await outside.getAttribute('href'),
    await outside.getAttribute('target'),
    await outside.getAttribute('rel'),
  ]).toEqual(['https://example.invalid/help', '_blank', 'noreferrer noopener'])
  await follow(page, 'Always', 'Child of Always')
  await at(page).toBe('/总显示/child'.replace('总显示', encodeURIComponent('总显示')))
})

test('opens a group of only external sites in place in the mix layout', async () => {
  const links = ['one', 'two'].map((name) =>
    node(`https://example.invalid/${name}`, { type: 'LINK', nameEn: `Site ${name}` }),
  )
  const page = await open([node('/dir', { nameEn: 'Outside', children: links }), node('/alone', school)], '/dashboard')
  await setPreferences(page, { layout: 'mix' })
  await menu(page).getByRole('menuitem', { name: 'Outside' }).hover()
  await eventually(() => page.getByRole('link', { name: 'Site two' }).getAttribute('href')).toBe(
    'https://example.invalid/two',
  )
  await menu(page).getByRole('menuitem', { name: 'All schools' }).click()
  await at(page).toBe('/alone')
})

test('keeps the query of a component out of the address, and reports a missing screen and an empty directory', async () => {
  const menus = [
    node('/query', { ...school, component: 'school/index?kind=a&list[]=1&list[]=2', nameEn: 'With a query' }),
    node('/none', { component: 'no/such/screen', nameEn: 'Not there' }),
    node('/empty', { type: 'DIR', nameEn: 'Empty' }),
  ]
  const page = await open(menus, '/query')
  await button(page, 'Search').waitFor()
  await eventually(() => new URL(page.url()).search).not.toContain('kind')
  await menu(page).getByRole('menuitem', { name: 'Not there' }).click()
  await page.getByText('Screen missing: no/such/screen').waitFor()
  await eventually(() => menu(page).getByRole('menuitem', { name: 'Empty' }).count()).toBe(0)
  await page.goto('/empty')
  await page.getByText('There is no page to show in here').waitFor()
  await page.getByRole('heading', { name: 'There is nothing on this page' }).waitFor()
  await page.getByRole('button', { name: 'Back to sign-in' }).waitFor()
  await page.getByRole('button', { name: 'Back to home' }).click()
  await at(page).toBe('/dashboard')
})

test('tells a user without menus whom to ask, and offers the common pages', async () => {
  const page = await open([], '/dashboard')
  await page.getByText('No menus').waitFor()
  await page.getByText('Nothing has been assigned to your account yet. Please ask an administrator.').waitFor()
  await eventually(() => menu(page).getByRole('menuitem').allInnerTexts()).toEqual(['Dashboard'])
  await page.goto('/profile')
  await page.getByRole('tab', { name: 'My data' }).waitFor()
})

test('offers ways on from error pages, and reloads an unknown address once before not found', async () => {
  const page = await visit(world().lead, '/401')
  await page.getByText('Sorry, you may not open this page.').waitFor()
  await page.getByRole('button', { name: 'Back to sign-in' }).waitFor()
  await page.getByRole('button', { name: 'Back to home' }).click()
  await at(page).toBe('/dashboard')
  await page.goto('/redirect/school/list?keyword=x#y')
  await at(page).toBe('/school/list')
  await eventually(() => [new URL(page.url()).search, new URL(page.url()).hash]).toEqual(['?keyword=x', '#y'])
  await page.goto('/redirect/%2F%2Fevil.example/x')
  await page.getByText('Sorry, the page you visited does not exist.').waitFor()
  await eventually(() => new URL(page.url()).origin).toBe(site().url)

  let loads = 0
  page.on('load', () => (loads += 1))
  const lead = () =>
    page.evaluate(() => {
      history.pushState(null, '', '/no/such/page')
      window.dispatchEvent(new PopStateEvent('popstate'))
    })
  await lead()
  await page.getByText('Sorry, the page you visited does not exist.').waitFor()
  expect(loads).toBe(1)
  await at(page).toBe('/404')
  // Later the menus may have changed again, so the page reloads once more.
  await page.getByRole('button', { name: 'Back to home' }).click()
  await at(page).toBe('/dashboard')
  await lead()
  await eventually(() => loads).toBe(2)
  await at(page).toBe('/404')
  // Navigates within the page, like a link.
  await page.goto('/redirect/no/such/page')
  await at(page).toBe('/404')
  await page.evaluate(() => {
    history.pushState(null, '', '/403')
    window.dispatchEvent(new PopStateEvent('popstate'))
  })
  await page.getByText('Sorry, you may not open this page.').waitFor()
  await page.getByText('403', { exact: true }).waitFor()
})

test('reports a page chunk that fails to load, and completes the progress bar of a page that is already loaded', async () => {
  allow(/SchoolPage|Failed to fetch|ERR_/)
  const page = await visit(world().lead, '/dashboard')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.evaluate(() => {
    const observed: number[] = []
    Object.assign(window, { seen: observed })
    new MutationObserver(() => {
      const bar = document.querySelector<HTMLElement>('#nprogress .bar')
      const moved = /\((-?[\d.]+)%/.exec(bar?.style.transform ?? '')
      if (moved) observed.push(100 + Number(moved[1]))
    }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['style'] })
  })
  await page.route('**/assets/SchoolPage*', async (route) => {
    // An immediate failure would show no progress bar.
    await pause(300)
    await route.abort()
  })
  await follow(page, 'Schools', 'Schools')
  await page.getByRole('button', { name: 'Reload' }).waitFor()
  await eventually(() => page.locator('#nprogress').count()).toBe(0)
  // The observer above sets it.
  const observed = await page.evaluate(() => (window as unknown as { seen: number[] }).seen)
  expect(Math.min(...observed)).toBeGreaterThanOrEqual(30)
  expect(Math.max(...observed)).toBe(100)
  await page.unroute('**/assets/SchoolPage*')
  await page.getByRole('button', { name: 'Reload' }).click()
  await button(page, 'Search').waitFor()

  const open = (name: string) => menu(page).getByRole('menuitem', { name, exact: true }).getByRole('link')
  await open('Dashboard').dispatchEvent('click')
  await at(page).toBe('/dashboard')
  await eventually(() => page.locator('#nprogress').count()).toBe(0)
  const items: string[] = []
  page.on('request', (request) => void items.push(request.url()))
  const bar = page.locator('#nprogress .bar').waitFor({ state: 'attached' })
  await follow(page, 'Schools', 'Schools')
  await bar
  expect(items.filter((url) => url.includes('/assets/'))).toEqual([])
  await eventually(() => page.locator('#nprogress').count()).toBe(0)
  await at(page).toBe('/school/list')
})

test('ends the progress bar and drops the page when the user navigates elsewhere before it loaded', async () => {
  const page = await visit(world().lead, '/dashboard')
  await page.getByText('Live', { exact: true }).waitFor()
  const late = Promise.withResolvers<void>()
  await page.route('**/assets/SchoolPage*', (route) => late.promise.then(() => route.continue()))
  await follow(page, 'Schools', 'Schools')
  await page.locator('#nprogress .bar').waitFor({ state: 'attached' })
  await menu(page).getByRole('menuitem', { name: 'Dashboard', exact: true }).getByRole('link').dispatchEvent('click')
  await eventually(() => page.locator('#nprogress').count()).toBe(0)
  const came = page.waitForResponse('**/assets/SchoolPage*')
  late.resolve()
  await (await came).finished()
  await at(page).toBe('/dashboard')
  await eventually(() => page.locator('#nprogress').count()).toBe(0)
})

/** Simulates the choice in another tab. */
const showTags = (page: Page) =>
  page.evaluate(() => {
    localStorage.setItem('tagsView', 'true')
    window.dispatchEvent(new StorageEvent('storage', { key: 'tagsView', newValue: 'true' }))
  })

test('shows the breadcrumb with links upward in every layout, with and without tags, also on a page beside the menu', async () => {
  const page = await visit(world().admin, '/system/dict-data/system_notice_type')
  for (const [layout, language, words] of [
    ['top', 'en', ['Dashboard', 'Administration', 'Dictionaries', 'Notice type']],
    ['mix', 'zh-cn', ['首页', '系统管理', '字典管理', '通知类型']],
    ['left', 'en', ['Dashboard', 'Administration', 'Dictionaries', 'Notice type']],
  ] as const)
    for (const tagsView of [false, true]) {
      if (tagsView) await showTags(page)
      else await setPreferences(page, { layout, language })
      await steps(page).toEqual(words)
      // The menu highlights the group of the page as well.
      const entry = page.getByRole('complementary').locator('.ant-menu-item-selected')
      if (layout !== 'top') await eventually(() => entry.innerText()).toContain(words[2])
    }

  // The links lead upward.
  const side = page.locator('.layout-side')
  await crumbs(page).getByRole('link', { name: 'Administration' }).click()
  await at(page).toBe('/system/user')
  await steps(page).toEqual(['Dashboard', 'Administration', 'Users'])
  await side.getByRole('link', { name: 'Roles', exact: true }).dispatchEvent('click')
  await steps(page).toEqual(['Dashboard', 'Administration', 'Roles'])
  await eventually(() => page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Roles'])
  await crumbs(page).getByRole('link', { name: 'Dashboard' }).click()
  await at(page).toBe('/dashboard')
  await steps(page).toEqual(['Dashboard'])
  await page.goto('/profile')
  await steps(page).toEqual(['Dashboard', 'My account'])
  await page.setViewportSize({ width: 800, height: 800 })
  await eventually(() => crumbs(page).count()).toBe(0)
})

test('gives a page its own tag and menu highlight, whatever characters and prefixes its path has', async () => {
  const siblings = [node(':id', { ...school, nameEn: 'One school' }), node('new', { ...school, nameEn: 'New school' })]
  const odd = node('学校 100%', { ...school, nameEn: 'Odd school' })
  const page = await open([node('/名录', { nameEn: 'Directory', children: [...siblings, odd] })], '/dashboard')
  await setPreferences(page, { tagsView: true, layout: 'left' })
  const tags = page.getByRole('navigation', { name: 'Open pages' }).getByRole('listitem')
  await page.locator('.layout-side').getByText('Directory', { exact: true }).click()
  for (const name of ['New school', 'Odd school']) {
    await page.locator('.layout-side').getByRole('link', { name }).click()
    await eventually(() => tags.last().innerText()).toBe(name)
  }
  await page.reload()
  await eventually(() => tags.allInnerTexts()).toEqual(['Dashboard', 'New school', 'Odd school'])
  await eventually(() => page.locator('.ant-menu-item-selected').getByRole('link').innerText()).toBe('Odd school')
  await button(page, 'Search').waitFor()
})
