import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { clearDesks, isQuiet, rings, startShift } from './desk.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'
import { button } from './page-actions.ts'

const { site, world, visit, devices, allow } = browserTest({ language: 'en', theme: 'dark' })
const password = 'quiet-otter-58-river'

const operator = async (username: string) => {
  const { deptId } = await site()
    .db.selectFrom('dept')
    .select('id as deptId')
    .where('name', '=', '指挥中心')
    .executeTakeFirstOrThrow()
  const nickname = `接警员 ${username}`
  const { id } = await makeUser(site().db, { username, nickname, roles: ['command_operator'], deptId, password })
  return { id, username, nickname }
}

const screen = (page: Page) => page.locator('.lock-screen')
const field = (page: Page) => screen(page).getByLabel('Lock password or your own')

const lock = async (page: Page, own?: string) => {
  await page.keyboard.press('Alt+l')
  const dialog = page.getByRole('dialog', { name: 'Lock screen' })
  await dialog.waitFor()
  if (own) await dialog.getByLabel('Password of the lock').fill(own)
  await page.keyboard.press('Enter')
  await screen(page).waitFor()
}
const enter = async (page: Page, given: string) => {
  if ((await field(page).count()) === 0) await button(screen(page), 'Unlock').click()
  await field(page).fill(given)
  await page.keyboard.press('Enter')
}

/** The browser stores nothing but the session. */
const forget = (page: Page) =>
  page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (!key.endsWith('_TOKEN')) localStorage.removeItem(key)
    sessionStorage.clear()
  })

test('shows nothing of the pages while locked, even after a reload or with cleared storage', async () => {
  allow(/unlock|get-permission-info|auth\/lock/)
  const person = await operator('lock.one')
  const page = await visit(person, '/school/list')
  await page.getByRole('cell', { name: EAST_SCHOOL }).first().waitFor()
  await page.getByRole('button', { name: person.nickname }).click()
  await page.getByText('Lock screen').click()
  await page.getByRole('dialog', { name: 'Lock screen' }).getByLabel('Password of the lock').fill('tea-break')
  await page.keyboard.press('Enter')
  await screen(page).getByText(person.nickname).waitFor()
  await eventually(() => page.getByText(EAST_SCHOOL).count()).toBe(0)
  await eventually(() => page.getByRole('menu').count()).toBe(0)
  await eventually(() => screen(page).locator('time').innerText()).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/)
  await eventually(() => page.title()).toBe('Locked - Tocsin')
  const words = button(screen(page), 'Unlock')
  await eventually(() => words.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(255, 255, 255)')

  await page.reload()
  await screen(page).getByText(person.nickname).waitFor()
  await forget(page)
  await page.reload()
  await screen(page).waitFor()
  await eventually(() => page.getByText(EAST_SCHOOL).count()).toBe(0)

  await enter(page, 'wrong-password')
  await screen(page).getByText('Lock screen password error').waitFor()
  await page.keyboard.press('Enter')
  await screen(page).getByText('Please enter the lock password').waitFor()
  await eventually(() => screen(page).getByText('Lock screen password error').count()).toBe(0)
  await enter(page, 'tea-break')
  await page.getByRole('cell', { name: EAST_SCHOOL }).first().waitFor()
  await eventually(() => new URL(page.url()).pathname).toBe('/school/list')
})

test('locks every tab of the session, and unlocks all with the own password; in Chinese too', async () => {
  allow(/unlock|get-permission-info|auth\/lock/)
  const person = await operator('lock.two')
  const page = await visit(person, '/school/list')
  const other = await page.context().newPage()
  await other.goto('/profile')
  await other.getByText(person.username, { exact: true }).first().waitFor()
  await page.bringToFront()
  await lock(page, 'tea-break')
  await screen(other).waitFor()
  await eventually(() => other.getByText(person.username, { exact: true }).count()).toBe(0)

  await page.evaluate(() => localStorage.setItem('language', 'zh-cn'))
  await page.reload()
  await button(screen(page), '点击解锁').click()
  await page.getByLabel('锁屏密码或登录密码').fill('nonsense')
  await button(screen(page), '进入系统').click()
  await page.getByText('锁屏密码错误').waitFor()
  await page.getByLabel('锁屏密码或登录密码').fill(password)
  await button(screen(page), '进入系统').click()
  await page.getByRole('cell', { name: EAST_SCHOOL }).first().waitFor()
  await other.getByText(person.username, { exact: true }).first().waitFor()
  await eventually(() => screen(other).count()).toBe(0)
})

test('rings and counts alarms under the lock without showing their content', async () => {
  allow(/get-permission-info|auth\/lock/)
  const person = await operator('lock.three')
  await clearDesks(site())
  const fleet = await devices({ devices: world().east.devices })
  const page = await visit(person, '/warn/desk')
  await startShift(page)
  await lock(page)
  await eventually(() => screen(page).getByText(/alarm/i).count()).toBe(0)
  await isQuiet(page)
  fleet.press('EAST-0001')
  await screen(page).getByText('Alarms to claim: 1, open: 1').waitFor()
  await rings(page)
  await eventually(() => page.getByText(EAST_SCHOOL).count()).toBe(0)

  // This page no longer knows the user's permissions; it knows only that the desk rings.
  await forget(page)
  await page.reload()
  await screen(page).getByText('Alarms to claim: 1, open: 1').waitFor()
  await button(screen(page), 'Enable sound').click()
  await rings(page)
  await enter(page, password)
  await page.getByText(EAST_SCHOOL).first().waitFor()
})

test('leads from the lock screen back to sign-in by keys alone, and signs out every tab', async () => {
  allow(/get-permission-info|auth\/lock/)
  const page = await visit(await operator('lock.four'), '/school/list')
  await page.getByRole('cell', { name: EAST_SCHOOL }).first().waitFor()
  const other = await page.context().newPage()
  await other.goto('/myNotice')
  const stored = () => other.evaluate(() => sessionStorage.getItem('dictCache'))
  await other.locator('#content').waitFor()
  await other.evaluate(() => sessionStorage.setItem('dictCache', '{}'))
  await page.bringToFront()
  await lock(page)
  await page.keyboard.press('Enter')
  await eventually(() => field(page).evaluate((input) => input === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await button(screen(page), 'Unlock').waitFor()
  await button(screen(page), 'Unlock').press('Enter')
  await button(screen(page), 'Back to sign-in').press('Enter')
  await button(page.getByRole('dialog', { name: 'Exit the system?' }), 'OK').press('Enter')
  await eventually(() => new URL(page.url()).pathname).toBe('/login')
  await eventually(() => page.evaluate(() => localStorage.getItem('ACCESS_TOKEN'))).toBe(null)
  await eventually(() => new URL(other.url()).pathname).toBe('/login')
  await eventually(() => stored()).toBe(null)
})
