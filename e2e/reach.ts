import type { Page } from 'playwright-core'

/** More than any page has. */
const STEPS = 400

/** Goes on with Tab, noting what it comes to, until it comes to something again. */
const walk = async (page: Page): Promise<void> => {
  await page.evaluate(() => Object.assign(window, { reached: new Set<Element>() }))
  for (let step = 0; step < STEPS; step += 1) {
    await page.keyboard.press('Tab')
    const again = await page.evaluate(() => {
      const { reached } = window as unknown as { reached: Set<Element> }
      const one = document.activeElement
      if (!one || one === document.body) return false
      const was = reached.has(one)
      reached.add(one)
      return was
    })
    if (again) return
  }
  throw new Error('Tab went on for ever')
}

/** What stands in this part of the page, can be used, and is not come to by Tab; `[]` when the keyboard is enough. */
export const unreached = async (page: Page, part: string): Promise<string[]> => {
  await walk(page)
  return page.evaluate((selector) => {
    const { reached } = window as unknown as { reached: Set<Element> }
    const usable = 'a[href], button, input, textarea, [contenteditable=true], [role=button], [role=switch]'
    // Inside of these one goes on by arrows; the steps of a number and the cross of a date have keys of their own.
    const byArrows = '[role=toolbar], [role=tablist], [role=tree], [role=menu], [role=listbox]'
    const byKeys = '[unselectable=on], .ant-picker-clear, .ant-input-clear-icon'
    const isOpen = (one: Element) =>
      one.checkVisibility({ visibilityProperty: true }) &&
      !one.matches(':disabled, [aria-disabled=true]') &&
      !one.closest('[inert], [aria-hidden=true]') &&
      !one.closest(byKeys) &&
      !(one.closest(byArrows) && one.getAttribute('tabindex') === '-1')
    // Itself, something in it, what it is the whole of, or another choice of the same question.
    const isReached = (one: Element) =>
      [...reached].some(
        (other) =>
          one.contains(other) ||
          one.parentElement === other ||
          (one.matches('[type=radio]') && other.matches('[type=radio]') && nameOf(one) === nameOf(other)),
      )
    const nameOf = (one: Element) => one.getAttribute('name')
    return [...document.querySelectorAll(selector)]
      .flatMap((root) => [...root.querySelectorAll(usable)])
      .filter((one) => isOpen(one) && !isReached(one))
      .map((one) => one.outerHTML.slice(0, 200))
  }, part)
}
