import { readFile, stat } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeRecord, type RecordDraft } from '../apps/server/seed/record-fixtures.ts'
import { setPreferences } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button } from './page-actions.ts'

const { site, world, visit, devices, all, allow } = browserTest({ language: 'en', theme: 'dark' })

const recordAt = (school: 'east' | 'west', given: Partial<RecordDraft> = {}) => {
  const { id: schoolId, deptId, name } = world()[school]
  return makeRecord(site().db, { deptId, schoolId, schoolName: name, placePath: '教学楼 / 1层 / 101室', ...given })
}
const card = (page: Page, title: string) => page.locator('.home-panel').filter({ hasText: title })
const level = (page: Page, words: RegExp) => page.getByRole('link', { name: words })
/** Visits are counted by the hour, which may turn meanwhile. */
const views = async () => {
  const rows = await all().selectFrom('visit').select(['userId', 'views']).execute()
  return { users: [...new Set(rows.map(({ userId }) => userId))], views: rows.reduce((sum, row) => sum + row.views, 0) }
}
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)

test('the start is the dashboard, which counts what waits in one’s sight and leads there', async () => {
  await recordAt('west', { receivedAt: ago(90) })
  const oldest = await recordAt('east', { receivedAt: ago(30) })
  await recordAt('east', { state: 'CLAIMED', ownerId: world().east.staff.guard.id })
  const page = await visit(world().east.staff.head, '/')
  await eventually(() => new URL(page.url()).pathname).toBe('/dashboard')
  await page.getByRole('heading', { name: /校长 east/ }).waitFor()
  await level(page, /Level 1\s*2\s*1 unattended/).waitFor()
  await card(page, 'Waiting longest').getByText('30 min ago').waitFor()
  await card(page, 'Waiting longest').getByRole('link', { name: /101室/ }).click()
  await eventually(() => new URL(page.url()).search).toBe(`?record=${oldest.id}`)
  await page.getByRole('dialog').getByText(oldest.no).first().waitFor()
})

test('a press shows at once, without a reload', async () => {
  await all().updateTable('warnRecord').set({ state: 'CLOSED' }).where('open', '=', true).execute()
  const page = await visit(world().east.staff.head, '/dashboard')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByText('No alarm is unattended').waitFor()
  const fleet = await devices({ devices: world().east.devices.slice(0, 1) })
  fleet.press('EAST-0001')
  await level(page, /Level 2\s*1\s*1 unattended/).waitFor()
})

test('who may not see alarms has his own dashboard: devices, notices and visits', async () => {
  const page = await visit(world().maintainer, '/')
  await card(page, 'My notices').waitFor()
  await card(page, 'Devices')
    .getByRole('link', { name: /Offline/ })
    .waitFor()
  await eventually(() => page.getByText('Open alarms').count()).toBe(0)
  await eventually(() => page.getByText('Alarms today').count()).toBe(0)
})

test('opening the console is a visit, counted once, and drawn by day as a picture to keep', async () => {
  await all().deleteFrom('visit').execute()
  const page = await visit(world().bureau, '/dashboard')
  await page.getByRole('img', { name: /visitors a day/ }).waitFor()
  await eventually(views).toEqual({ users: [world().bureau.id], views: 1 })
  await page.getByRole('menuitem', { name: 'Schools' }).click()
  await eventually(() => new URL(page.url()).pathname).toBe('/school')
  await page.goBack()
  await eventually(() => views()).toEqual({ users: [world().bureau.id], views: 1 })
  await page.reload()
  await eventually(views).toEqual({ users: [world().bureau.id], views: 2 })
  await page.getByText('Last 30 days').click()
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Shanghai' }).format()
  await page.getByRole('img', { name: new RegExp(`to ${today}: page views`) }).waitFor()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download picture' }).click()
  const path = await (await coming).path()
  expect((await readFile(path)).subarray(1, 4).toString()).toBe('PNG')
  expect((await stat(path)).size).toBeGreaterThan(5000)
})

test('visits are counted on while the page stays open, and what cannot be read says so in its place', async () => {
  allow(/visit-trend/)
  await all().deleteFrom('visit').execute()
  await visit(world().bureau, '/school')
  await eventually(views).toMatchObject({ views: 1 })
  const page = await visit(world().bureau, 'about:blank')
  await page.clock.install()
  await page.goto('/dashboard')
  await eventually(views).toMatchObject({ views: 2 })
  const figure = card(page, 'Visits').locator('.home-figure').first()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.reload()
  await eventually(views).toMatchObject({ views: 3 })
  await page.getByText('Live', { exact: true }).waitFor()
  await page.clock.fastForward(300_000)
  await eventually(() => figure.locator('.home-value').innerText()).toBe('3')
  await visit(world().bureau, '/dashboard')
  await eventually(views).toMatchObject({ views: 4 })
  await page.clock.fastForward(300_000)
  await eventually(() => figure.locator('.home-value').innerText()).toBe('4')

  const refused = await visit(world().bureau, 'about:blank')
  await refused.route('**/visit-trend/stats', (route) =>
    route.fulfill({ json: { code: 500, msg: '系统异常', data: null } }),
  )
  await refused.goto('/dashboard')
  await card(refused, 'Visits').getByText('Loading failed').waitFor()
  await refused.unroute('**/visit-trend/stats')
  await button(card(refused, 'Visits'), 'Try again').click()
  await card(refused, 'Visits').getByText('Page views').waitFor()
})

test.each([
  ['zh-cn', 'light', 1440],
  ['en', 'dark', 1440],
  ['zh-cn', 'dark', 390],
  ['en', 'light', 390],
])('the dashboard fits in %s, %s, %i px', async (language, theme, width) => {
  await recordAt('east', { receivedAt: ago(12) })
  const page = await visit(world().east.staff.head, '/dashboard', { viewport: { width, height: 900 } })
  await page.locator('.home-chart canvas').waitFor()
  await page.evaluate(
    (given) => {
      for (const [name, value] of Object.entries(given)) localStorage.setItem(name, value)
    },
    { language, theme, preferencesUnsent: 'language,theme' },
  )
  await page.reload()
  await page.getByRole('img', { name: language === 'en' ? /page views/ : /浏览量/ }).waitFor()
  await eventually(() =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBe(0)
})

const held = async (page: Page, parts: string) => {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(parts, (route) => released.then(() => route.continue()))
  return () => release()
}
const placeOf = (page: Page, name: string) =>
  page.getByRole('heading', { name }).evaluate((one) => {
    const { x, y, height } = one.getBoundingClientRect()
    return [x, y, height].map(Math.round)
  })

test.each([
  [{ layout: 'top' }, 1440],
  [{ layout: 'left' }, 1440],
  [{ layout: 'left' }, 390],
  [{ layout: 'mix', tagsView: true }, 1440],
  [{ layout: 'top', tagsView: true }, 390],
] as const)(
  'the page greets while the console is still coming, and nothing moves when it comes: %o, %i px',
  async (chosen, width) => {
    const page = await visit(world().east.staff.head, '/profile', { viewport: { width, height: 900 } })
    await page.getByText('校长 east').first().waitFor()
    await setPreferences(page, chosen)
    const release = await held(page, '**/assets/frame-*.js')
    await page.goto('/dashboard')
    const name = /^(Good|It is late).*校长 east$/
    const greeting = page.locator('.early').getByRole('heading', { name })
    await greeting.waitFor()
    await page.locator('.early .waiting').waitFor()
    const words = (await greeting.textContent()) ?? ''
    const before = await placeOf(page, words)
    release()
    await card(page, 'Open alarms').waitFor()
    await eventually(() => page.locator('.early').count()).toBe(0)
    await eventually(() => placeOf(page, words)).toEqual(before)
  },
)

test('nobody is greeted who is refused', async () => {
  allow(/401/)
  const page = await visit(world().east.staff.head, '/profile')
  await page.getByText('校长 east').first().waitFor()
  await page.context().addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector('.early')) sessionStorage.setItem('greeted', 'yes')
    }).observe(document, { childList: true, subtree: true })
  })
  const refusal = { code: 'A0230', msg: '访问令牌无效或已过期', data: null }
  await page.route('**/get-permission-info', (route) => route.fulfill({ status: 401, json: refusal }))
  await page.goto('/dashboard')
  await eventually(() => new URL(page.url()).pathname).toBe('/login')
  await eventually(() => page.evaluate(() => sessionStorage.getItem('greeted'))).toBeNull()
})
