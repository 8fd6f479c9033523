import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Counts the running calls of the page, so that a screen is checked after its responses arrived. */
const countCalls = (): void => {
  const { fetch } = window
  let running = 0
  window.fetch = async (...request) => {
    running += 1
    return fetch(...request).finally(() => (running -= 1))
  }
  Object.assign(window, { calls: () => running })
}

export const prepare = async (page: Page): Promise<void> => {
  await page.addInitScript(countCalls)
  await page.addInitScript(axe.source)
}

export const waitUntilIdle = (page: Page) =>
  page.waitForFunction(() => {
    const busy = '.ant-spin-spinning, .ant-skeleton-active'
    // `countCalls` sets it.
    const { calls } = window as unknown as { calls: () => number }
    const moving = document.getAnimations().some(({ effect, playState }) => {
      // Neither the progress bar nor the wave of a pressed button covers anything.
      const shown = effect instanceof KeyframeEffect && !effect.target?.closest('#nprogress, .ant-wave')
      return shown && playState === 'running' && effect.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    })
    return (
      calls() === 0 &&
      !moving &&
      !document.querySelector(busy) &&
      document.querySelector('#content, .card, .lock-screen')
    )
  })

/** Rules whose violations are moderate or minor, which are not reported; checking them takes a good part of the time. */
const unreported = [
  'aria-allowed-role',
  'aria-deprecated-role',
  'empty-heading',
  'empty-table-header',
  'form-field-multiple-labels',
  'heading-order',
  'image-redundant-alt',
  'landmark-banner-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'page-has-heading-one',
  'presentation-role-conflict',
  'region',
  'scope-attr-valid',
  'skip-link',
]

type Found = { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }

/**
 * Returns the serious and critical violations for people with low vision, color blindness or a screen reader.
 * @param part selector of the part to check
 * @param rules axe rules to run; all of them when empty
 */
export const axeViolations = async (
  page: Page,
  where: string,
  part = 'html',
  rules: string[] = [],
): Promise<string[]> => {
  const found = await page.evaluate(
    async ({ selector, runOnly, off }) => {
      const { axe: judge } = window as unknown as { axe: { run: (on: object, how: object) => Promise<unknown> } }
      const shown = [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility())
      const only =
        runOnly.length > 0 ? { runOnly } : { rules: Object.fromEntries(off.map((id) => [id, { enabled: false }])) }
      return judge.run({ include: shown }, { resultTypes: ['violations'], preload: false, ...only })
    },
    { selector: part, runOnly: rules, off: unreported },
  )
  const { violations } = found as { violations: Found[] }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${where}: ${id} at ${target.join(' ')}: ${failureSummary}`),
    )
}

const speak = (page: Page, language: 'zh-cn' | 'en') =>
  page.evaluate((newValue) => {
    localStorage.setItem('language', newValue)
    // Simulates the change in another tab.
    window.dispatchEvent(new StorageEvent('storage', { key: 'language', newValue }))
  }, language)

/** Rules whose result depends on colors or language; the others check the structure, which does not change. */
export const appearanceRules = [
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'label',
  'button-name',
  'link-name',
  'image-alt',
  'aria-command-name',
  'aria-input-field-name',
  'aria-toggle-field-name',
]

/** Rules whose result depends on colors alone. */
export const colorRules = ['color-contrast', 'link-in-text-block']

/** Runs the rules about colors in dark; a screen in light and in both languages is in `console.smoke.ts`. */
export const inDark = async (page: Page, where: string): Promise<string[]> => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await waitUntilIdle(page)
  const found = await axeViolations(page, `${where} dark`, 'html', colorRules)
  await page.emulateMedia({ colorScheme: 'light' })
  await waitUntilIdle(page)
  return found
}

/**
 * Runs all rules in Chinese and light, and the rules that depend on appearance in English and dark.
 * @param rules axe rules to run instead, in both.
 */
export const inBothThemes = async (page: Page, where: string, part?: string, rules?: string[]): Promise<string[]> => {
  const light = await axeViolations(page, `${where} light`, part, rules)
  await page.emulateMedia({ colorScheme: 'dark' })
  await speak(page, 'en')
  await waitUntilIdle(page)
  const dark = await axeViolations(page, `${where} dark`, part, rules ?? appearanceRules)
  await page.emulateMedia({ colorScheme: 'light' })
  await speak(page, 'zh-cn')
  await waitUntilIdle(page)
  return [...light, ...dark]
}
