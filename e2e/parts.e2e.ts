import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { follow, setPreferences } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button } from './page-actions.ts'

// Chunks of the console that fail to load: the connection is lost, or the server has a newer build.

const { world, visit, openSignedOut, allow } = browserTest({ language: 'en', theme: 'dark' })

const offline = 'Network anomaly, please check your connection'
const without = (page: Page, part: string) => page.route(`**/assets/${part}*`, (route) => route.abort())
const menuItem = async (page: Page, name: string) => {
  await page.getByRole('button', { name: world().lead.nickname }).click()
  await page.getByRole('menuitem', { name }).click()
}
/** Simulates the change in another tab. */
const preferring = (page: Page, key: string, newValue: string) =>
  page.evaluate(
    (change) => {
      localStorage.setItem(change.key, change.newValue)
      window.dispatchEvent(new StorageEvent('storage', change))
    },
    { key, newValue },
  )

const display = (page: Page, part: string) =>
  page.locator(part).evaluate((element) => getComputedStyle(element).display)

type Opening = [part: string, open: (page: Page) => Promise<unknown>, there: (page: Page) => Promise<unknown>]
const openings: Opening[] = [
  [
    'SearchDialog',
    (page) => page.keyboard.press('Control+K'),
    (page) => page.getByRole('combobox', { name: 'Search' }).waitFor(),
  ],
  ['LockDialog', (page) => page.keyboard.press('Alt+l'), (page) => page.getByLabel('Password of the lock').waitFor()],
  [
    'SettingsDrawer',
    (page) => menuItem(page, 'Interface settings'),
    (page) => eventually(() => display(page, '.layout-pictures')).toBe('flex'),
  ],
]

test('reports each missing part alone, and loads it when the connection is back', async () => {
  allow(/assets\/|ERR_FAILED/)
  const page = await visit(world().lead, '/school/list')
  for (const [part, open, there] of openings) {
    await page.getByText('Live', { exact: true }).waitFor()
    await without(page, part)
    await open(page)
    await page.getByText(offline).waitFor()
    await eventually(() => page.locator('.layout-header').count()).toBe(1)
    await button(page, 'Search').first().waitFor()
    await page.unroute(`**/assets/${part}*`)
    await open(page)
    await there(page)
    await page.keyboard.press('Escape')
    await page.getByText(offline).waitFor({ state: 'hidden' })
  }

  // Missing tags, icons and the watermark leave the page intact.
  await setPreferences(page)
  await page.getByText('Live', { exact: true }).waitFor()
  for (const part of ['TaggedPages', 'EntryIconImage', 'PageWatermark']) await without(page, part)
  await preferring(page, 'tagsView', 'true')
  await page.getByText(offline).waitFor()
  const request = page.waitForRequest('**/assets/PageWatermark*')
  await preferring(page, 'watermarkEnabled', 'true')
  await request
  await preferring(page, 'layout', 'left')
  await eventually(() => page.getByRole('complementary').getByRole('menuitem').first().innerText()).toMatch(/\S/)
  await button(page, 'Search').waitFor()
})

test('loads a page on click when its prefetch on hover had failed', async () => {
  allow(/assets\/|ERR_FAILED/)
  const page = await visit(world().lead, '/school/list')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.route('**/assets/DeskPage*.css', (route) => route.abort())
  const missed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.css'))
  await page.getByRole('menuitem', { name: 'Alarms' }).hover()
  const entry = page.getByRole('menuitem', { name: 'Alarm desk' }).getByRole('link')
  await entry.hover()
  await missed
  await page.unroute('**/assets/DeskPage*.css')
  await entry.click()
  await eventually(() => display(page, '.desk')).toBe('flex')
})

test('reports a page that failed to load, and loads it when the connection is back', async () => {
  allow(/assets\/|ERR_FAILED/)
  const page = await visit(world().lead, '/school/list')
  await page.getByText('Live', { exact: true }).waitFor()
  await without(page, 'DeskPage')
  await page.getByRole('menuitem', { name: 'Alarms' }).hover()
  await page.getByRole('menuitem', { name: 'Alarm desk' }).getByRole('link').click()
  await page.getByText('This page did not come').waitFor()
  await button(page, 'Reload').waitFor()
  await page.unroute('**/assets/DeskPage*')
  await eventually(() => display(page, '.desk')).toBe('flex')
  await eventually(() => page.getByText('This page did not come').count()).toBe(0)
})

test('reports missing sound, and covers the page by the lock even before the lock screen has loaded', async () => {
  allow(/assets\/|ERR_FAILED|auth\/lock|get-permission-info/)
  const page = await visit(world().lead, 'about:blank')
  for (const part of ['sound-', 'LockScreen']) await without(page, part)
  await page.goto('/school/list')
  await page.getByText('The alarm sound could not be loaded: alarms and incidents make no sound. Retrying.').waitFor()
  await button(page, 'Search').waitFor()
  await page.keyboard.press('Alt+l')
  await page.getByLabel('Password of the lock').waitFor()
  await page.keyboard.press('Enter')
  await eventually(() => page.locator('.layout').count()).toBe(0)
  await page.unrouteAll({ behavior: 'wait' })
  await eventually(() => display(page, '.lock-screen')).toBe('grid')
})

test('reports that the QR code cannot be drawn, and draws it when the connection is back', async () => {
  allow(/assets\/|ERR_FAILED/)
  const page = await openSignedOut()
  await without(page, 'QrPicture')
  await page.goto('/login/qr')
  await page.getByText('The QR code could not be made.').waitFor()
  await page.getByRole('alert').getByText(offline).waitFor()
  await page.unroute('**/assets/QrPicture*')
  await page.getByRole('button', { name: 'Another QR code' }).click()
  await page.getByRole('img', { name: 'QR code for signing in' }).waitFor()
})

test('keeps the next tab and its form when one page crashes', async () => {
  allow(/broken/)
  const page = await visit(world().admin, '/system/user')
  await page.route('**/assets/RolePage*', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `export const RolePage = () => { if (window.mended) return 'mended'; throw new Error('broken') }`,
    }),
  )
  await setPreferences(page, { tagsView: true })
  await button(page, 'New').click()
  const typed = page.getByRole('dialog').getByLabel('User name')
  await typed.fill('half.typed')
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('Roles')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  const broken = page.getByRole('heading', { name: 'Sorry, the server reported an error.' })
  await broken.waitFor()
  const tags = page.getByRole('navigation', { name: 'Open pages' })
  await page.locator('.layout-header').getByRole('menu').waitFor()
  await button(page, 'Try again').click()
  await broken.waitFor()
  await page.evaluate(() => Object.assign(window, { mended: true }))
  await button(page, 'Try again').click()
  await page.locator('#content').getByText('mended').waitFor()
  await tags.getByRole('link', { name: 'Users' }).click()
  await eventually(() => typed.inputValue()).toBe('half.typed')
})

test('reports a broken page chunk, and reloads it on demand', async () => {
  allow(/broken/)
  const page = await visit(world().lead, '/dashboard')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.route('**/assets/SchoolPage*', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `if (!window.mended) throw new Error('broken')` }),
  )
  await follow(page, 'Schools', 'Schools')
  await page.getByRole('heading', { name: 'Sorry, the server reported an error.' }).waitFor()
  await button(page, 'Try again').click()
  await page.getByRole('heading', { name: 'Sorry, the server reported an error.' }).waitFor()
  await page.unroute('**/assets/SchoolPage*')
  await button(page, 'Reload').click()
  await button(page, 'Search').waitFor()
})

test('reports a page opened without a network with ways on, and loads it with one', async () => {
  allow(/assets\/|ERR_INTERNET_DISCONNECTED|WebSocket connection/)
  const page = await visit(world().lead, '/dashboard')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.context().setOffline(true)
  await follow(page, 'Schools', 'Schools')
  await page.getByText('Network error; please check the connection.').waitFor()
  for (const way of ['Back to home', 'Back to sign-in']) await page.getByRole('button', { name: way }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Reload' }).click()
  await button(page, 'Search').waitFor()
  await eventually(() => new URL(page.url()).pathname).toBe('/school/list')
})

test('reports a console that loaded only partly, and loads it when the connection is back', async () => {
  allow(/assets\/|ERR_FAILED|dynamically imported/)
  const page = await visit(world().lead, 'about:blank')
  for (const path of ['/dashboard', '/school/list']) {
    await without(page, 'frame-')
    await page.goto(path)
    await page.getByText('The page did not come whole').waitFor()
    await eventually(() => page.locator('.waiting i').count()).toBe(0)
    await page.unroute('**/assets/frame-*')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('Live', { exact: true }).waitFor()
  }
})
