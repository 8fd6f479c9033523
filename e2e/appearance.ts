import type { Preferences } from '../packages/contract/src/access/preference.ts'
import type { Page } from 'playwright-core'
import { byLanguage } from './setup/browser-test.ts'

/** How the console looks to somebody who never chose anything but its language (SPEC 3). */
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

/** The person of this page has these preferences, whatever he chose before; the page is loaded anew. */
export const setPreferences = async (page: Page, chosen: Preferences = {}): Promise<void> => {
  await page.locator('#content').waitFor()
  const status = await page.evaluate(
    async (body) => {
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
    },
    { ...start, language: byLanguage('zh-cn', 'en'), ...chosen },
  )
  if (status !== 200) throw new Error(`the preferences were refused: ${status}`)
  await page.reload()
  await page.locator('#content').waitFor()
}

/** Follows an entry of the menu above the page, by the names on the way. */
export const follow = async (page: Page, ...names: string[]): Promise<void> => {
  const [last = '', ...groups] = names.toReversed()
  // A group opens when the mouse comes to it, not while it rests there.
  await page.mouse.move(0, 400)
  for (const group of groups.toReversed()) await page.getByRole('menuitem', { name: group, exact: true }).hover()
  // Not by the mouse: on its way it would cross other groups, which open in turn.
  await page.getByRole('menuitem', { name: last, exact: true }).getByRole('link').dispatchEvent('click')
}

/** How far the window is scrolled down. */
export const scrolled = (page: Page): Promise<number> => page.evaluate(() => Math.round(window.scrollY))
