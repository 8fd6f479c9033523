import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { endSession, openSession } from '../apps/server/src/areas/access/sign-in/session.ts'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { CAPTCHA } from './setup/e2e-server.ts'
import { openBrowser } from './setup/browser.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button, SETTLED, confirmDialog } from './page-actions.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'

const { site, world, visit, allow } = browserTest({ language: 'en', theme: 'light' })

const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('ACCESS_TOKEN'))
const sessionsOf = async (userId: number) => {
  const rows = await site().db.selectFrom('session').select('id').where('userId', '=', userId).execute()
  return rows.map(({ id }) => id)
}

/** Expires the access token; the server may still cache the token for two seconds. */
const expire = async (page: Page, userId: number) => {
  const token = await tokenOf(page)
  await site()
    .db.updateTable('accessToken')
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where('sessionId', 'in', await sessionsOf(userId))
    .execute()
  await eventually(async () => {
    const answer = await fetch(`${site().url}/admin-api/system/auth/get-permission-info`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return ((await answer.json()) as { code: number }).code
  }).toBe(401)
}

/** Makes the refresh token invalid. */
const spoil = async (userId: number) => {
  await site()
    .db.updateTable('refreshToken')
    .set({ hash: randomBytes(32) })
    .where('sessionId', 'in', await sessionsOf(userId))
    .execute()
}

test('shares one refresh of an expired token between two tabs, and reports an ended session in every tab', async () => {
  allow(/status of 401/)
  const person = world().east.staff.head
  const tab = await visit(person, '/school/list')
  const two = await tab.context().newPage()
  await two.goto('/device/schoolDevice')
  await tab.getByRole('cell', { name: EAST_SCHOOL }).first().waitFor()
  const before = await tokenOf(tab)
  const refreshes: string[] = []
  tab.context().on('request', (request) => {
    if (request.url().includes('/refresh-token')) refreshes.push(request.url())
  })

  await expire(tab, person.id)
  await Promise.all([tab.goto('/device/device'), two.goto('/warn/record')])
  await tab.getByText('EAST-0001').waitFor()
  await two.getByText('No alarms in this period').waitFor()
  expect(refreshes).toHaveLength(1)
  await eventually(() => tokenOf(tab)).not.toBe(before)
  await eventually(() => tokenOf(two)).toBe(await tokenOf(tab))
  for (const page of [tab, two]) await eventually(() => page.getByRole('dialog').count()).toBe(0)

  for (const page of [tab, two]) await page.getByText('Live', { exact: true }).waitFor()

  const ids = await sessionsOf(person.id)
  await site()
    .db.transaction()
    .execute((trx) => endSession(trx, ids, 'KICKED'))
  for (const page of [tab, two]) {
    await eventually(() => new URL(page.url()).pathname).toBe('/login')
    await page.getByText('Your session has expired, please sign in again').waitFor()
    await eventually(() => page.evaluate(() => localStorage.getItem('ACCESS_TOKEN'))).toBe(null)
  }
})

/** Returns to the tab until its data is old enough for a refetch and the token refresh was answered. */
const comeBack = async (page: Page) => {
  const answered = page.waitForResponse(/refresh-token/)
  let over = false
  void answered.then(() => (over = true))
  await eventually(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    return over
  }).toBe(true)
  await (await answered).finished()
  // Time for an unwanted dialog to appear.
  await page.waitForTimeout(500)
}

test('asks once to sign in again when the refresh is rejected, and clears the session on confirmation', async () => {
  allow(/status of 40[01]/)
  const person = world().west.staff.head
  const page = await visit(person, '/school/list')
  await page.getByRole('cell').first().waitFor()
  // Invalidates the refresh token first: a background refetch may need it at any moment.
  await spoil(person.id)
  await expire(page, person.id)

  const dialog = page.getByRole('dialog')
  // Not by the mouse: a background refetch may have opened the dialog already.
  await page.getByRole('button', { name: 'Refresh' }).dispatchEvent('click')
  await dialog.getByText('Login timed out, please log in again!').waitFor()
  await eventually(() => dialog.count()).toBe(1)
  await page.locator(SETTLED).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await eventually(() => tokenOf(page)).not.toBe(null)

  // The page reports the failed load in its place, and leaves the reason to the dialog.
  await page.locator('.filter-bar input').first().fill('无')
  await button(page, 'Search').click()
  await page.locator(SETTLED).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Loading failed').waitFor()
  await eventually(() => page.getByText('refresh token').count()).toBe(0)

  await comeBack(page)
  await eventually(() => dialog.count()).toBe(0)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await dialog.getByRole('button', { name: 'Log in again' }).click()
  await eventually(() => new URL(page.url()).pathname).toBe('/login')
  await eventually(() => page.evaluate(() => localStorage.getItem('REFRESH_TOKEN'))).toBe(null)
})

test('leads an expired session to the sign-in page, keeps the choices, and returns to the page', async () => {
  allow(/status of 40[01]/)
  const password = 'quiet-otter-58-river'
  const { deptId } = world().east
  const { id } = await makeUser(site().db, {
    username: 'bookmark',
    nickname: '书签',
    roles: ['safety_officer'],
    deptId,
    password,
  })
  const page = await visit({ id, username: 'bookmark', nickname: '书签' }, '/404')
  await page.getByRole('heading', { name: /does not exist|not found/i }).waitFor()
  await page.evaluate(() => Object.assign(localStorage, { rememberMe: 'bookmark', preferencesUnsent: 'layout' }))
  await spoil(id)
  await expire(page, id)
  await page.goto('about:blank')

  await page.goto('/warn/record?record=7')
  await page.waitForURL('**/login?**')
  await page.getByText('Your session has expired, please sign in again').waitFor()
  expect(new URL(page.url()).searchParams.get('redirect')).toBe('/warn/record?record=7')
  const stored = () =>
    page.evaluate(() => ['rememberMe', 'language', 'preferencesUnsent', 'ACCESS_TOKEN'].map((key) => localStorage[key]))
  expect(await stored()).toEqual(['bookmark', 'en', 'layout', undefined])

  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('textbox', { name: 'Verify Code' }).fill(CAPTCHA)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await eventually(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe('/warn/record?record=7')
  await page.getByRole('heading', { name: 'Alarm records' }).waitFor()
})

test('shows no data of a signed-out user when the browser goes back', async () => {
  const keeping = await openBrowser({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })
  const context = await keeping.newContext({ baseURL: site().url, locale: 'zh-CN' })
  const page = await context.newPage()
  await page.goto('/login')
  const { id, nickname } = world().east.staff.head
  const { accessToken, refreshToken } = await openSession(site().db, id, {
    ip: '127.0.0.1',
    userAgent: 'e2e',
    traceId: 'e2e',
  })
  await page.evaluate((stored) => Object.assign(localStorage, stored), {
    ACCESS_TOKEN: accessToken,
    REFRESH_TOKEN: refreshToken,
    language: 'en',
  })
  await page.goto('/school/list')
  await page.getByRole('cell', { name: EAST_SCHOOL }).first().waitFor()
  const stored: unknown[] = []
  await page.exposeFunction('tell', (persisted: boolean) => void stored.push(persisted))
  await page.evaluate(() =>
    // `exposeFunction` sets it.
    addEventListener('pageshow', ({ persisted }) =>
      (window as unknown as { tell: (was: boolean) => void }).tell(persisted),
    ),
  )
  await page.getByRole('button', { name: nickname }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('dialog', { name: 'Exit the system?' }).waitFor()
  await confirmDialog(page, 'OK')
  await eventually(() => new URL(page.url()).pathname).toBe('/login')
  await page.goBack().catch(() => undefined)
  await eventually(() => page.url()).toContain('/login?redirect=%2Fschool')
  await eventually(() => page.getByText(EAST_SCHOOL).count()).toBe(0)
  // Otherwise the browser cached no page, and the test proves nothing.
  await eventually(() => stored).toEqual([true])
  await keeping.close()
})
