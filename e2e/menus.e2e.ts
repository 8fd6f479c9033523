import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { MenuNode } from '../packages/contract/src/access/rights/menu-node.ts'
import { follow, setPreferences } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button } from './page-actions.ts'

// The menus that the server gives a person, with some of a shape that no seed has.

const { site, world, visit, stranger, allow } = browserTest({ language: 'en', theme: 'dark' })

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

/** As this person would be with these menus beside the dashboard. */
const withMenus = async (page: Page, menus: MenuNode[]) =>
  page.route('**/get-permission-info', async (route) => {
    const answer = await route.fetch().catch(() => undefined)
    // The page went while it was asked.
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
const menu = (page: Page) => page.locator('.layout-header').getByRole('menu')

test('a directory leads to its first visible page, other sites and hidden pages skipped; a page can stand alone', async () => {
  const deep = node('deep', { nameEn: 'Deep', children: [node('one', { ...school, nameEn: 'The deep school' })] })
  const first = [node('https://example.invalid/x', { type: 'LINK' }), node('gone', { ...school, visible: false }), deep]
  const page = await open([node('/dir', { nameEn: 'Directory', children: first }), node('/alone', school)], '/dir')
  await at(page).toBe('/dir/deep/one')
  await button(page, 'Search').waitFor()
  await menu(page).getByRole('menuitem', { name: 'All schools' }).click()
  await at(page).toBe('/alone')
  await eventually(() => page.locator('.layout-header').count()).toBe(1)
  // Hidden: no line in the menu, but an address.
  await page.goto('/dir/gone')
  await button(page, 'Search').waitFor()
  await eventually(() => page.getByRole('menuitem', { name: 'Menu gone' }).count()).toBe(0)
})

test('a group of one child stays a group only when it always shows; other sites open in a window of their own', async () => {
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

test('in layout mix a group of nothing but other sites opens where it stands', async () => {
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

test('a query behind the component stays out of the address; a missing screen and an empty directory say so', async () => {
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

test('who was given no menu is told whom to ask, and has the pages that everybody has', async () => {
  const page = await open([], '/dashboard')
  await page.getByText('No menus').waitFor()
  await page.getByText('Nothing has been assigned to your account yet. Please ask an administrator.').waitFor()
  await eventually(() => menu(page).getByRole('menuitem').allInnerTexts()).toEqual(['Dashboard'])
  await page.goto('/profile')
  await page.getByRole('tab', { name: 'My data' }).waitFor()
})

test('exception pages have their ways on; an unknown address is loaded once more, then not found', async () => {
  const page = await visit(world().lead, '/401')
  await page.getByText('Sorry, you may not open this page.').waitFor()
  await page.getByRole('button', { name: 'Back to sign-in' }).waitFor()
  await page.getByRole('button', { name: 'Back to home' }).click()
  await at(page).toBe('/dashboard')
  await page.goto('/redirect/school?keyword=x#y')
  await at(page).toBe('/school')
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
  // Another time the menus may be new again.
  await page.getByRole('button', { name: 'Back to home' }).click()
  await at(page).toBe('/dashboard')
  await lead()
  await eventually(() => loads).toBe(2)
  await at(page).toBe('/404')
  // By a step within the page, as a link there is.
  await page.goto('/redirect/no/such/page')
  await at(page).toBe('/404')
  await page.goto('/403')
  await page.getByText('Sorry, you may not open this page.').waitFor()
  await page.getByText('403', { exact: true }).waitFor()
})

test('a page whose part does not come says why and can be tried again; the progress bar ends even then', async () => {
  allow(/SchoolPage|Failed to fetch|ERR_/)
  const page = await visit(world().lead, '/dashboard')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.evaluate(() => {
    const seen: number[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const bar = document.querySelector<HTMLElement>('#nprogress .bar')
      const moved = /\((-?[\d.]+)%/.exec(bar?.style.transform ?? '')
      if (moved) seen.push(100 + Number(moved[1]))
    }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['style'] })
  })
  await page.route('**/assets/SchoolPage*', async (route) => {
    // What fails at once needs no bar.
    await pause(300)
    await route.abort()
  })
  await page.getByRole('menuitem', { name: 'Schools', exact: true }).click()
  await page.getByRole('button', { name: 'Reload' }).waitFor()
  await eventually(() => page.locator('#nprogress').count()).toBe(0)
  // The observer above put it there.
  const seen = await page.evaluate(() => (window as unknown as { seen: number[] }).seen)
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(30)
  expect(Math.max(...seen)).toBe(100)
  await page.unroute('**/assets/SchoolPage*')
  await page.getByRole('button', { name: 'Reload' }).click()
  await button(page, 'Search').waitFor()
})

test('the progress bar runs through for a page that is there at once', async () => {
  const page = await visit(world().lead, '/school')
  await button(page, 'Search').waitFor()
  const open = (name: string) => menu(page).getByRole('menuitem', { name, exact: true }).getByRole('link')
  await open('Dashboard').dispatchEvent('click')
  await at(page).toBe('/dashboard')
  await eventually(() => page.locator('#nprogress').count()).toBe(0)
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  const bar = page.locator('#nprogress .bar').waitFor({ state: 'attached' })
  await open('Schools').dispatchEvent('click')
  await bar
  expect(asked.filter((url) => url.includes('/assets/'))).toEqual([])
  await eventually(() => page.locator('#nprogress').count()).toBe(0)
  await at(page).toBe('/school')
})

test('the progress bar ends when one changes his mind before the page has come, which then comes no more', async () => {
  const page = await visit(world().lead, '/dashboard')
  await page.getByText('Live', { exact: true }).waitFor()
  const late = Promise.withResolvers<void>()
  await page.route('**/assets/SchoolPage*', (route) => late.promise.then(() => route.continue()))
  await menu(page).getByRole('menuitem', { name: 'Schools', exact: true }).getByRole('link').dispatchEvent('click')
  await page.locator('#nprogress .bar').waitFor({ state: 'attached' })
  await menu(page).getByRole('menuitem', { name: 'Dashboard', exact: true }).getByRole('link').dispatchEvent('click')
  await eventually(() => page.locator('#nprogress').count()).toBe(0)
  const came = page.waitForResponse('**/assets/SchoolPage*')
  late.resolve()
  await (await came).finished()
  await at(page).toBe('/dashboard')
  await eventually(() => page.locator('#nprogress').count()).toBe(0)
})

test('without a session only the sign-in pages open, and no address leads back to another site', async () => {
  const page = await stranger()
  for (const open of ['/login', '/register']) {
    await page.goto(open)
    await page.getByRole('main').waitFor()
    await eventually(() => new URL(page.url()).pathname).toBe(open)
  }
  await page.goto('/system/user?username=a&b=c')
  await eventually(() => new URL(page.url()).searchParams.get('redirect')).toBe('/system/user?username=a&b=c')
})

const crumbs = (page: Page) => page.getByRole('navigation', { name: /^(当前位置|You are here)$/ })
const steps = (page: Page) => eventually(() => crumbs(page).getByRole('listitem').allInnerTexts())

test('the breadcrumb names the way to the page and leads up it', async () => {
  const page = await visit(world().admin, '/system/user')
  await setPreferences(page, { layout: 'left' })
  await steps(page).toEqual(['Dashboard', 'Administration', 'Users'])
  await page.goto('/system/role')
  await steps(page).toEqual(['Dashboard', 'Administration', 'Roles'])
  await eventually(() => page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Roles'])
  await crumbs(page).getByRole('link', { name: 'Administration' }).click()
  await at(page).toBe('/system/user')
  await steps(page).toEqual(['Dashboard', 'Administration', 'Users'])
  await crumbs(page).getByRole('link', { name: 'Dashboard' }).click()
  await at(page).toBe('/dashboard')
  await steps(page).toEqual(['Dashboard'])
})

test('the breadcrumb is there in every layout, with tags and without, also on a page beside the menu', async () => {
  const page = await visit(world().admin, '/system/dict-data/system_notice_type')
  for (const [layout, language, words] of [
    ['top', 'en', ['Dashboard', 'Administration', 'Dictionaries', 'Notice type']],
    ['mix', 'zh-cn', ['首页', '系统管理', '字典管理', '通知类型']],
    ['left', 'en', ['Dashboard', 'Administration', 'Dictionaries', 'Notice type']],
  ] as const)
    for (const tagsView of [false, true]) {
      await setPreferences(page, { layout, language, tagsView })
      await steps(page).toEqual(words)
      // The menu shows where the page belongs, too.
      const entry = page.getByRole('complementary').locator('.ant-menu-item-selected')
      if (layout !== 'top') await eventually(() => entry.innerText()).toContain(words[2])
    }
  await setPreferences(page)
  await page.goto('/profile')
  await steps(page).toEqual(['Dashboard', 'My account'])
  await page.setViewportSize({ width: 800, height: 800 })
  await eventually(() => crumbs(page).count()).toBe(0)

  const hidden = node('gone', { ...school, nameEn: 'Not in the menu', visible: false })
  const other = await open(
    [node('/dir', { nameEn: 'Directory', children: [node('one', school), node('two', school), hidden] })],
    '/dir/gone',
  )
  await steps(other).toEqual(['Dashboard', 'Directory', 'Not in the menu'])
})

test('a page has its own tag, and its entry is marked, by whatever signs its path is written and whatever lies beside', async () => {
  const beside = [node(':id', { ...school, nameEn: 'One school' }), node('new', { ...school, nameEn: 'New school' })]
  const odd = node('学校 100%', { ...school, nameEn: 'Odd school' })
  const page = await open([node('/名录', { nameEn: 'Directory', children: [...beside, odd] })], '/dashboard')
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
