import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Counts the page's own calls, so that a screen is looked at once it has its answers. */
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
    // `countCalls` put it there.
    const { calls } = window as unknown as { calls: () => number }
    const moving = document.getAnimations().some(({ effect, playState }) => {
      // Neither the bar nor the ring around what was pressed covers anything.
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

type Found = { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }

/**
 * What stands in the way of people who see little, see no colors or hear the page; serious and critical only.
 * @param part of the page that alone is judged
 */
export const axeViolations = async (page: Page, where: string, part = 'html'): Promise<string[]> => {
  const found = await page.evaluate(async (selector) => {
    const { axe: judge } = window as unknown as { axe: { run: (on: object, how: object) => Promise<unknown> } }
    const shown = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
    return judge.run({ include: shown }, { resultTypes: ['violations'], preload: false })
  }, part)
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
    // As another tab would tell it.
    window.dispatchEvent(new StorageEvent('storage', { key: 'language', newValue }))
  }, language)

/** Light in Chinese and dark in English. */
export const inBothThemes = async (page: Page, where: string, part?: string): Promise<string[]> => {
  const light = await axeViolations(page, `${where} light`, part)
  await page.emulateMedia({ colorScheme: 'dark' })
  await speak(page, 'en')
  await waitUntilIdle(page)
  const dark = await axeViolations(page, `${where} dark`, part)
  await page.emulateMedia({ colorScheme: 'light' })
  await speak(page, 'zh-cn')
  await waitUntilIdle(page)
  return [...light, ...dark]
}
