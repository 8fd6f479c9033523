import { readFile, stat } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { emitEvents } from '../apps/server/src/db/event.ts'
import { makeRecord, type RecordDraft } from '../apps/server/seed/record-fixtures.ts'
import { changePreferences, follow, openInside } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button } from './page-actions.ts'

const { site, world, visit, devices, all, allow } = browserTest({ language: 'en', theme: 'dark' })

const recordAt = (school: 'east' | 'west', given: Partial<RecordDraft> = {}) => {
  const { id: schoolId, deptId, name } = world()[school]
  return makeRecord(site().db, { deptId, schoolId, schoolName: name, placePath: '教学楼 / 1层 / 101室', ...given })
}
const card = (page: Page, title: string) => page.locator('.home-panel').filter({ hasText: title })
const level = (page: Page, words: RegExp) => page.getByRole('link', { name: words })
/** Visits are counted by the hour; the hour may change during the test. */
const views = async () => {
  const rows = await all().selectFrom('visit').select(['userId', 'views']).execute()
  return { users: [...new Set(rows.map(({ userId }) => userId))], views: rows.reduce((sum, row) => sum + row.views, 0) }
}
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)

test('opens on the dashboard, counts the open alarms the user can see, links to them, and shows a press without a reload', async () => {
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

  await all().updateTable('warnRecord').set({ state: 'CLOSED' }).where('open', '=', true).execute()
  const { id: schoolId, deptId } = world().east
  await emitEvents(site().db, { type: 'alarm.changed', ref: oldest.id, deptId, schoolId })
  await openInside(page, '/dashboard')
  await page.getByText('Live', { exact: true }).first().waitFor()
  await page.getByText('No alarm is unattended').waitFor()
  const fleet = await devices({ devices: world().east.devices.slice(0, 1) })
  fleet.press('EAST-0001')
  await level(page, /Level 2\s*1\s*1 unattended/).waitFor()
})

test('shows devices and notices, and no visits, when the user is no administrator', async () => {
  const page = await visit(world().maintainer, '/')
  await card(page, 'My notices').waitFor()
  await card(page, 'Devices')
    .getByRole('link', { name: /Offline/ })
    .waitFor()
  await card(page, 'Batteries that end').getByText('No battery needs to be replaced').waitFor()
  await eventually(() => page.getByText('Open alarms').count()).toBe(0)
  await eventually(() => page.getByText('Alarms today').count()).toBe(0)
  await eventually(() => card(page, 'Visits').count()).toBe(0)
})

test('counts opening the console as one visit, and exports the chart of visits by day as a picture', async () => {
  await all().deleteFrom('visit').execute()
  const page = await visit(world().admin, '/dashboard')
  await page.getByRole('img', { name: /visitors a day/ }).waitFor()
  await eventually(views).toEqual({ users: [world().admin.id], views: 1 })
  await follow(page, 'Schools', 'Schools')
  await eventually(() => new URL(page.url()).pathname).toBe('/school/list')
  await page.goBack()
  await eventually(() => views()).toEqual({ users: [world().admin.id], views: 1 })
  await page.reload()
  await eventually(views).toEqual({ users: [world().admin.id], views: 2 })
  await page.getByText('Last 30 days').click()
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Shanghai' }).format()
  await page.getByRole('img', { name: new RegExp(`to ${today}: page views`) }).waitFor()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download picture' }).click()
  const path = await (await coming).path()
  expect((await readFile(path)).subarray(1, 4).toString()).toBe('PNG')
  expect((await stat(path)).size).toBeGreaterThan(5000)
})

test('counts visits while the page stays open, and shows a load error in the place of the data', async () => {
  allow(/visit-trend/)
  await all().deleteFrom('visit').execute()
  await visit(world().admin, '/school/list')
  await eventually(views).toMatchObject({ views: 1 })
  const page = await visit(world().admin, 'about:blank')
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
  await visit(world().admin, '/dashboard')
  await eventually(views).toMatchObject({ views: 4 })
  await page.clock.fastForward(300_000)
  await eventually(() => figure.locator('.home-value').innerText()).toBe('4')

  const refused = await visit(world().admin, 'about:blank')
  await refused.route('**/visit-trend/stats', (route) =>
    route.fulfill({ json: { code: 500, msg: '系统异常', data: null } }),
  )
  await refused.goto('/dashboard')
  await card(refused, 'Visits').getByText('Loading failed').waitFor()
  await refused.unroute('**/visit-trend/stats')
  await button(card(refused, 'Visits'), 'Try again').click()
  await card(refused, 'Visits').getByText('Page views').waitFor()
})

test('fits the dashboard in both languages and themes, on a computer and on a phone', async () => {
  await recordAt('east', { receivedAt: ago(12) })
  const page = await visit(world().admin, '/dashboard')
  for (const [language, theme, width] of [
    ['zh-cn', 'light', 1440],
    ['en', 'dark', 1440],
    ['zh-cn', 'dark', 390],
    ['en', 'light', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await changePreferences(page, { language, theme })
    await page.locator('.home-chart canvas').waitFor()
    await page.getByRole('img', { name: language === 'en' ? /page views/ : /浏览量/ }).waitFor()
    await eventually(() => page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(
      theme === 'dark',
    )
    await eventually(() =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBe(0)
  }
})

const holdRequests = async (page: Page, parts: string) => {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(parts, (route) => released.then(() => route.continue()))
  return () => release()
}
const placeOf = (page: Page, name: string) =>
  page.getByRole('heading', { name }).evaluate((element) => {
    const { x, y, height } = element.getBoundingClientRect()
    return [x, y, height].map(Math.round)
  })

test('greets while the console still loads, moves nothing when it has loaded, and greets no rejected session', async () => {
  allow(/401/)
  const page = await visit(world().east.staff.head, '/profile')
  await page.getByText('校长 east').first().waitFor()
  for (const [chosen, width] of [
    [{ layout: 'top' }, 1440],
    [{ layout: 'left' }, 1440],
    [{ layout: 'left' }, 390],
    [{ layout: 'mix', tagsView: true }, 1440],
    [{ layout: 'top', tagsView: true }, 390],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await changePreferences(page, chosen)
    const release = await holdRequests(page, '**/assets/frame-*.js')
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
    await eventually(async () => [chosen, width, await placeOf(page, words)]).toEqual([chosen, width, before])
    await page.unroute('**/assets/frame-*.js')
  }

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

const cards = (page: Page) =>
  page.locator('.home-card').evaluateAll((list) => list.map((element) => element.getAttribute('aria-label')))

test('leads a sign-in to the first page of the role', async () => {
  const { operator, station, maintainer, east } = world()
  const pages = [
    [operator, '/warn/desk'],
    [station, '/police/desk'],
    [east.staff.guard, '/m/tasks'],
    [maintainer, '/device/maintenance'],
  ] as const
  for (const [user, path] of pages) {
    const page = await visit(user, '/start')
    await eventually(() => new URL(page.url()).pathname).toBe(path)
    await page.close()
  }
})

test('shows a station the incidents that wait for a unit, each leading to its list', async () => {
  const { id: schoolId, name: schoolName } = world().east
  const { id } = await all().selectFrom('dept').select('id').where('name', '=', '东湖派出所').executeTakeFirstOrThrow()
  const row = { no: 'JQ20260101-0001', source: 'MANUAL' as const, grade: 2, summary: '打架', schoolId, schoolName }
  await all()
    .insertInto('policeSituation')
    .values({ ...row, stationDeptId: id })
    .execute()
  const page = await visit(world().station, '/dashboard')
  await eventually(async () => (await cards(page)).slice(0, 2)).toEqual(['Incidents to dispatch', 'Units'])
  await card(page, 'Incidents to dispatch')
    .getByRole('link', { name: /Unclaimed\s*1/ })
    .click()
  await page.getByRole('row', { name: /JQ20260101-0001/ }).waitFor()
})

test('shows the cards of the role as the user arranged them, and claims an alarm from there', async () => {
  await all().updateTable('warnRecord').set({ state: 'CLOSED' }).where('open', '=', true).execute()
  const { id } = await recordAt('east')
  const { head } = world().east.staff
  const page = await visit(head, '/dashboard')
  const first = ['Open alarms', 'Readiness', 'Devices', 'Alarms today', 'On duty']
  await eventually(async () => (await cards(page)).slice(0, 5)).toEqual(first)
  expect(await cards(page)).not.toContain('Visits')
  await button(page, 'Arrange cards').click()
  await page.getByRole('group', { name: 'On duty', exact: true }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await eventually(async () => (await cards(page)).slice(2, 5)).toEqual(['Devices', 'On duty', 'Alarms today'])
  await button(page, 'Hide Readiness').click()
  await button(page, 'Done').click()
  // Stored for the user, not for the browser.
  const stored = () => all().selectFrom('userPreference').select('kept').where('userId', '=', head.id).execute()
  await eventually(async () => JSON.stringify(await stored())).toMatch(/homeCards.*-readiness/)
  const elsewhere = await visit(head, '/dashboard')
  await eventually(async () => (await cards(elsewhere)).slice(0, 3)).toEqual(['Open alarms', 'Devices', 'On duty'])
  await button(page, 'Claim').click()
  await eventually(() => page.url()).toContain(`/warn/desk?id=${id}`)
})
