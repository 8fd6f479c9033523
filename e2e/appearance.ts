import type { Preferences } from '../packages/contract/src/access/preference.ts'
import type { Page } from 'playwright-core'
import { byLanguage } from './setup/browser-test.ts'

/** The appearance for a user who chose only the language (SPEC 3). */
const start: Preferences = {
  size: 'default',
  layout: 'top',
  theme: 'auto',
  themeColor: '#4080ff',
  tagsView: false,
  sidebarLogo: true,
  fixedHeader: true,
  watermarkEnabled: false,
  watermarkContent: '',
  showSettings: false,
}

/** Replaces all preferences of the signed-in user on the server. @returns the stored preferences. */
const storePreferences = async (page: Page, chosen: Preferences): Promise<object> => {
  const stored = { ...start, language: byLanguage('zh-cn', 'en'), ...chosen }
  await page.locator('#content').waitFor()
  const status = await page.evaluate(async (body) => {
    const answer = await fetch('/admin-api/system/user/profile/update-preferences', {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${localStorage.getItem('ACCESS_TOKEN')}`,
      },
      body: JSON.stringify(body),
    })
    localStorage.removeItem('preferencesUnsent')
    return answer.status
  }, stored)
  if (status !== 200) throw new Error(`the preferences were refused: ${status}`)
  return stored
}

/** Replaces all preferences of the signed-in user and reloads the page. */
export const setPreferences = async (page: Page, chosen: Preferences = {}): Promise<void> => {
  await storePreferences(page, chosen)
  await page.reload()
  await page.locator('#content').waitFor()
}

/** Replaces all preferences of the signed-in user. The page follows without a reload, as another tab of the user does. */
export const changePreferences = async (page: Page, chosen: Preferences = {}): Promise<void> => {
  const stored = await storePreferences(page, chosen)
  await page.evaluate((values) => {
    for (const [key, value] of Object.entries(values)) {
      localStorage.setItem(key, String(value))
      window.dispatchEvent(new StorageEvent('storage', { key, newValue: String(value) }))
    }
  }, stored)
}

/** Opens another address of the console without a reload of the application. */
export const openInside = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** A group opens when the mouse enters it, so the mouse leaves the menu first, to a point inside the window. */
const leaveMenu = (page: Page): Promise<void> => page.mouse.move(0, (page.viewportSize()?.height ?? 300) - 10)

/** Opens a group of the top menu by mouse; while a page renders the menu may miss the mouse, so then by key. */
export const openGroup = async (page: Page, name: string): Promise<void> => {
  const group = page.getByRole('menuitem', { name, exact: true }).first()
  const opened = group.and(page.locator('[aria-expanded=true]'))
  const isOpen = () =>
    opened.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    )
  for (let tries = 0; tries < 5; tries += 1) {
    await leaveMenu(page)
    await group.hover()
    if (await isOpen()) return
    await group.press('ArrowDown')
    if (await isOpen()) return
  }
  throw new Error(`the group ${name} did not open`)
}

/** Opens an entry of the top menu by the names of its groups and its own name. */
export const follow = async (page: Page, ...names: string[]): Promise<void> => {
  const [last = '', ...groups] = names.toReversed()
  await leaveMenu(page)
  for (const group of groups.toReversed())
    await page.getByRole('menuitem', { name: group, exact: true }).first().hover()
  const link = page.getByRole('menuitem', { name: last, exact: true }).getByRole('link')
  const [top] = groups.slice(-1)
  if (top) await link.waitFor({ state: 'attached', timeout: 10_000 }).catch(() => openGroup(page, top))
  // The mouse would cross other groups on its way, and open them.
  await link.dispatchEvent('click')
}

/** Returns the vertical scroll position of the window. */
export const scrolled = (page: Page): Promise<number> => page.evaluate(() => Math.round(window.scrollY))
