import type { Page } from 'playwright-core'

/** More steps than any page needs. */
const STEPS = 400
/** Checking costs more than a key, so several keys are pressed between two checks. */
const STRIDE = 8

/** Stored in the page: each element that had the focus, with its style at that moment. */
type Notes = {
  part: HTMLElement
  looks: Map<Element, string>
  lookOf: (element: Element) => string
  /** True when an element had the focus a second time, or when the focus left the part for good. */
  over: () => boolean
  end: () => void
}
type Noting = Window & { notes: Notes }

/** Runs in the page: records at each key the element that had the focus until then. */
const takeNotes = (selector: string): void => {
  const part = [...document.querySelectorAll<HTMLElement>(selector)].findLast((element) => element.checkVisibility())
  if (!part) throw new Error(`there is no ${selector}`)
  const marks = (element: Element, pseudo?: string) => {
    const all = getComputedStyle(element, pseudo)
    const drawn = (style: string, width: string, color: string) =>
      style === 'none' || width === '0px' ? '' : `${style} ${width} ${color}`
    const outline = drawn(all.outlineStyle, all.outlineWidth, all.outlineColor)
    const border = drawn(all.borderBottomStyle, all.borderBottomWidth, all.borderBottomColor)
    return [outline, border, all.boxShadow, all.backgroundColor].join()
  }
  // antd marks an element around a field, beside it, or inside of it.
  const lookOf = (element: Element) => {
    const around = [...(element.parentElement?.children ?? []), ...[...element.querySelectorAll('*')].slice(0, 60)]
    let at = element.parentElement
    for (let level = 0; level < 4 && at && at !== part; level += 1, at = at.parentElement) around.push(at)
    return around.flatMap((each) => [marks(each), marks(each, '::before'), marks(each, '::after')]).join(';')
  }
  const looks = new Map<Element, string>()
  let [round, outside] = [false, 0]
  const note = () => {
    const element = document.activeElement
    if (!element || element === part) return
    if (!part.contains(element)) outside += 1
    else if (looks.has(element)) round = true
    else looks.set(element, lookOf(element))
  }
  addEventListener('keydown', note, true)
  const still = document.head.appendChild(document.createElement('style'))
  still.textContent = '* { transition: none !important }'
  const before = part.getAttribute('tabindex')
  part.tabIndex = -1
  part.focus()
  const end = () => {
    removeEventListener('keydown', note, true)
    still.remove()
    if (before === null) part.removeAttribute('tabindex')
  }
  Object.assign(window, { notes: { part, looks, lookOf, over: () => round || outside > 3, end } })
}

/** Presses Tab from the beginning of the part until the focus comes round. */
const walk = async (page: Page): Promise<void> => {
  for (let step = 0; step < STEPS; step += STRIDE) {
    for (let key = 0; key < STRIDE; key += 1) await page.keyboard.press('Tab')
    if (await page.evaluate(() => (window as unknown as Noting).notes.over())) return
  }
  throw new Error('Tab went on for ever')
}

/** Presses arrow keys in toolbars, tab lists and grids, from the one member that Tab reaches. */
const goAlong = async (page: Page): Promise<void> => {
  for (let at = 0; ; at += 1) {
    const row = await page.evaluate((index) => {
      const { part, looks } = (window as unknown as Noting).notes
      const element = [...part.querySelectorAll('[role=toolbar], [role=tablist], .icon-grid')][index]
      const first = [...looks.keys()].findLast((each) => element?.contains(each))
      if (first instanceof HTMLElement) first.focus()
      const members = first ? (element?.querySelectorAll('[tabindex="-1"]').length ?? 0) : 0
      return element && { members, key: element.matches('[aria-orientation=vertical]') ? 'ArrowDown' : 'ArrowRight' }
    }, at)
    if (!row) return
    await page.keyboard.press('Home')
    for (let member = 0; member <= row.members; member += 1) await page.keyboard.press(row.key)
  }
}

/** Runs in the page after the walk: returns the problems. */
const tell = async (): Promise<string[]> => {
  const { part, looks, lookOf, end } = (window as unknown as Noting).notes
  const brief = (element: Element) => element.outerHTML.slice(0, 200)
  // A dialog traps the focus, and neighbours in one frame are marked together, so the focus goes to a distant element.
  const ends = [part, ...looks.keys()].filter((_, at, { length }) => at < 2 || at === length - 1)
  const looksElse = (element: Element, look: string) =>
    ends.some((other) => {
      if (other.parentElement === element.parentElement) return false
      if (other instanceof HTMLElement) other.focus()
      return element !== document.activeElement && lookOf(element) !== look
    })
  const unmarked: Element[] = []
  for (const [element, look] of looks) {
    if (!element.checkVisibility() || looksElse(element, look)) continue
    // antd removes some marks a moment after the focus.
    for (let at = 0; at < 10 && lookOf(element) === look; at += 1)
      await new Promise((resolve) => setTimeout(resolve, 100))
    if (lookOf(element) === look) unmarked.push(element)
  }
  end()
  const usable =
    'a[href], button, input, textarea, select, summary, [contenteditable=true], [role=button], [role=switch], [role=tab]'
  // Inside of these roles arrow keys move, without a focus event in the page. The steps of a number and the clear
  // button of a date have keys of their own. The arrow of a call belongs to its line, which is a button.
  const byArrows = '[role=tree], [role=menu], [role=listbox]'
  const byKeys = '[unselectable=on], .ant-picker-clear, .ant-input-clear-icon, .opblock-control-arrow'
  const isOpen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.matches(':disabled, [aria-disabled=true]') &&
    !element.closest('[inert], [aria-hidden=true]') &&
    !element.closest(byKeys) &&
    !(element.closest(byArrows) && element.getAttribute('tabindex') === '-1')
  const nameOf = (element: Element) => element.getAttribute('name')
  // Reached: the element, its descendant, its parent, or another radio button of its group.
  const isReached = (element: Element) =>
    [...looks.keys()].some(
      (other) =>
        element.contains(other) ||
        element.parentElement === other ||
        (element.matches('[type=radio]') && other.matches('[type=radio]') && nameOf(element) === nameOf(other)),
    )
  const pointed = (element: Element | null) => element !== null && getComputedStyle(element).cursor === 'pointer'
  const forKeys = `${usable}, label, [tabindex="0"], ${byArrows}`
  const mouseOnly = (element: Element) =>
    pointed(element) &&
    !pointed(element.parentElement) &&
    isOpen(element) &&
    !element.closest(forKeys) &&
    !element.querySelector(forKeys)
  return [
    ...[...part.querySelectorAll(usable)].filter((element) => isOpen(element) && !isReached(element)).map(brief),
    ...[...part.querySelectorAll('*')].filter(mouseOnly).map((element) => `only by the mouse: ${brief(element)}`),
    ...unmarked.map((element) => `no mark of the focus: ${brief(element)}`),
  ]
}

/**
 * Returns the visible, enabled controls of this part that Tab and arrow keys do not reach, or that have no focus style;
 * empty when the keyboard is enough.
 */
export const unreachableControls = async (page: Page, part: string): Promise<string[]> => {
  // A hovered element may look focused.
  await page.mouse.move(0, 0)
  await page.evaluate(takeNotes, part)
  await walk(page)
  await goAlong(page)
  return page.evaluate(tell)
}
