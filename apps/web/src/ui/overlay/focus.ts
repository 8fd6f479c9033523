import { useEffect, useState } from 'react'

/** The kit's pop-up menus: what they open outlives them. */
const MENUS = '.ant-dropdown'

let last: HTMLElement | undefined

/** Remembers who has the focus. @returns what ends it. */
export const trackFocus = (): (() => void) => {
  const heard = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && !target.closest(MENUS)) last = target
  }
  document.addEventListener('focusin', heard)
  return () => document.removeEventListener('focusin', heard)
}

/** Whether nothing that can be seen has the focus. */
const isLost = (): boolean => {
  const now = document.activeElement
  return !now || now === document.body || now.closest(MENUS) !== null
}

const dialogs = (): number => document.querySelectorAll('[role="dialog"]').length

/** Who could not get it back, as a question still stood above: the drawer it closed is gone before it is. */
let owed: HTMLElement | undefined

/** Without motion the kit takes what was above away only after it said so. */
const FRAMES = 10

/** Gives the focus to who had it last, once what took it from him is gone and no dialog has come in its place. */
export const restoreFocus = (before = last): void => {
  const open = dialogs()
  const attempt = (left: number): unknown =>
    requestAnimationFrame(() => {
      const to = before?.isConnected ? before : owed
      const free = isLost() && dialogs() <= open
      owed = free ? undefined : to
      if (free) to?.focus({ preventScroll: true })
      else if (left > 0) attempt(left - 1)
    })
  attempt(FRAMES)
}

/** Who had the focus when this was called gets it back by what it answers. */
export const captureFocus = (): (() => void) => {
  const before = last
  return () => restoreFocus(before)
}

/** What a dialog is about: the kit's own first choice is the cross that closes it. */
const FIRST = 'input, textarea, [role="combobox"], [contenteditable="true"]'
const MAIN = '.ant-btn-primary'

/** Begins in a dialog with its first field, else with its main button, unless something in it has asked to be first. */
export const focusFirstIn = (dialog: Element): void => {
  const now = document.activeElement
  if (now && dialog.contains(now) && now !== dialog && !now.matches('.ant-modal-close')) return
  const free = (selector: string) =>
    [...dialog.querySelectorAll<HTMLElement>(selector)].find(
      (one) => one.getClientRects().length > 0 && !one.matches(':disabled'),
    )
  const first = free(FIRST) ?? free(MAIN)
  first?.focus({ preventScroll: true })
}

/** The same for as long as a component is there; the kit does it only for what it closes itself. */
export const useReturnFocus = (): void => {
  // While rendering: what opens takes the focus before any effect of this component runs.
  const [giveBack] = useState(captureFocus)
  useEffect(() => giveBack, [giveBack])
}
