import type { Page } from 'playwright-core'

/** More than any page has. */
const STEPS = 400
/** Looking costs more than a key, so several are pressed between two looks. */
const STRIDE = 8

/** Kept in the page: each thing that had the focus, with how it looked then. */
type Notes = {
  part: HTMLElement
  looks: Map<Element, string>
  lookOf: (one: Element) => string
  /** Something had the focus a second time; or it has left the part for good. */
  over: () => boolean
  end: () => void
}
type Noting = Window & { notes: Notes }

/** Runs in the page: from now on notes at each key what had the focus until then. */
const takeNotes = (selector: string): void => {
  const part = [...document.querySelectorAll<HTMLElement>(selector)].findLast((one) => one.checkVisibility())
  if (!part) throw new Error(`there is no ${selector}`)
  const marks = (one: Element, pseudo?: string) => {
    const all = getComputedStyle(one, pseudo)
    const drawn = (style: string, width: string, color: string) =>
      style === 'none' || width === '0px' ? '' : `${style} ${width} ${color}`
    const outline = drawn(all.outlineStyle, all.outlineWidth, all.outlineColor)
    const border = drawn(all.borderBottomStyle, all.borderBottomWidth, all.borderBottomColor)
    return [outline, border, all.boxShadow, all.backgroundColor].join()
  }
  // The kit marks what is around a field, beside it, or something in it.
  const lookOf = (one: Element) => {
    const around = [...(one.parentElement?.children ?? []), ...[...one.querySelectorAll('*')].slice(0, 60)]
    let at = one.parentElement
    for (let level = 0; level < 4 && at && at !== part; level += 1, at = at.parentElement) around.push(at)
    return around.flatMap((each) => [marks(each), marks(each, '::before'), marks(each, '::after')]).join(';')
  }
  const looks = new Map<Element, string>()
  let [round, outside] = [false, 0]
  const note = () => {
    const one = document.activeElement
    if (!one || one === part) return
    if (!part.contains(one)) outside += 1
    else if (looks.has(one)) round = true
    else looks.set(one, lookOf(one))
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

/** Goes on with Tab from the beginning of the part until it is round. */
const walk = async (page: Page): Promise<void> => {
  for (let step = 0; step < STEPS; step += STRIDE) {
    for (let key = 0; key < STRIDE; key += 1) await page.keyboard.press('Tab')
    if (await page.evaluate(() => (window as unknown as Noting).notes.over())) return
  }
  throw new Error('Tab went on for ever')
}

/** From the one of a row that Tab comes to, the arrows come to the others. */
const goAlong = async (page: Page): Promise<void> => {
  for (let at = 0; ; at += 1) {
    const row = await page.evaluate((index) => {
      const { part, looks } = (window as unknown as Noting).notes
      const one = [...part.querySelectorAll('[role=toolbar], [role=tablist], .icon-grid')][index]
      const first = [...looks.keys()].findLast((each) => one?.contains(each))
      if (first instanceof HTMLElement) first.focus()
      const members = first ? (one?.querySelectorAll('[tabindex="-1"]').length ?? 0) : 0
      return one && { members, key: one.matches('[aria-orientation=vertical]') ? 'ArrowDown' : 'ArrowRight' }
    }, at)
    if (!row) return
    await page.keyboard.press('Home')
    for (let member = 0; member <= row.members; member += 1) await page.keyboard.press(row.key)
  }
}

/** Runs in the page, after the walk: what is wrong. */
const tell = async (): Promise<string[]> => {
  const { part, looks, lookOf, end } = (window as unknown as Noting).notes
  const brief = (one: Element) => one.outerHTML.slice(0, 200)
  // A dialog keeps the focus to itself, and what lies in one frame is marked together: something farther off has it.
  const ends = [part, ...looks.keys()].filter((_, at, { length }) => at < 2 || at === length - 1)
  const looksElse = (one: Element, look: string) =>
    ends.some((other) => {
      if (other.parentElement === one.parentElement) return false
      if (other instanceof HTMLElement) other.focus()
      return one !== document.activeElement && lookOf(one) !== look
    })
  const unmarked: Element[] = []
  for (const [one, look] of looks) {
    if (!one.checkVisibility() || looksElse(one, look)) continue
    // The kit takes some marks away a moment after the focus.
    for (let at = 0; at < 10 && lookOf(one) === look; at += 1) await new Promise((resolve) => setTimeout(resolve, 100))
    if (lookOf(one) === look) unmarked.push(one)
  }
  end()
  const usable =
    'a[href], button, input, textarea, select, summary, [contenteditable=true], [role=button], [role=switch], [role=tab]'
  // Inside of these one goes on by arrows, unseen by the page; the steps of a number and the cross of a date have keys
  // of their own, and the arrow of a call is part of its line, which is a button.
  const byArrows = '[role=tree], [role=menu], [role=listbox]'
  const byKeys = '[unselectable=on], .ant-picker-clear, .ant-input-clear-icon, .opblock-control-arrow'
  const isOpen = (one: Element) =>
    one.checkVisibility({ visibilityProperty: true }) &&
    !one.matches(':disabled, [aria-disabled=true]') &&
    !one.closest('[inert], [aria-hidden=true]') &&
    !one.closest(byKeys) &&
    !(one.closest(byArrows) && one.getAttribute('tabindex') === '-1')
  const nameOf = (one: Element) => one.getAttribute('name')
  // Itself, something in it, what it is the whole of, or another choice of the same question.
  const isReached = (one: Element) =>
    [...looks.keys()].some(
      (other) =>
        one.contains(other) ||
        one.parentElement === other ||
        (one.matches('[type=radio]') && other.matches('[type=radio]') && nameOf(one) === nameOf(other)),
    )
  const pointed = (one: Element | null) => one !== null && getComputedStyle(one).cursor === 'pointer'
  const forKeys = `${usable}, label, [tabindex="0"], ${byArrows}`
  const mouseOnly = (one: Element) =>
    pointed(one) && !pointed(one.parentElement) && isOpen(one) && !one.closest(forKeys) && !one.querySelector(forKeys)
  return [
    ...[...part.querySelectorAll(usable)].filter((one) => isOpen(one) && !isReached(one)).map(brief),
    ...[...part.querySelectorAll('*')].filter(mouseOnly).map((one) => `only by the mouse: ${brief(one)}`),
    ...unmarked.map((one) => `no mark of the focus: ${brief(one)}`),
  ]
}

/**
 * What stands in this part of the page, can be used, and is not come to by Tab and arrows, or does not look otherwise
 * when it has the focus; `[]` when the keyboard is enough.
 */
export const unreachableControls = async (page: Page, part: string): Promise<string[]> => {
  // What the mouse rests on may look as if it had the focus.
  await page.mouse.move(0, 0)
  await page.evaluate(takeNotes, part)
  await walk(page)
  await goAlong(page)
  return page.evaluate(tell)
}
