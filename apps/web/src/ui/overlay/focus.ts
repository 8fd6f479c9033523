import { useEffect, useState } from 'react'

/** antd's pop-up menus: what they open outlives them. */
const MENUS = '.ant-dropdown'

let last: HTMLElement | undefined

/** Remembers the focused element. @returns the function that ends it. */
export const trackFocus = (): (() => void) => {
  const handleFocus = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && !target.closest(MENUS)) last = target
  }
  document.addEventListener('focusin', handleFocus)
  return () => document.removeEventListener('focusin', handleFocus)
}

/** Whether no visible element has the focus. */
const isLost = (): boolean => {
  const now = document.activeElement
  return !now || now === document.body || now.closest(MENUS) !== null
}

const dialogs = (): number => document.querySelectorAll('[role="dialog"]').length

/** The element that could not get the focus back while a question was open: the drawer it closed is removed earlier. */
let owed: HTMLElement | undefined

/** Without motion antd removes the overlay only after its callback. */
const FRAMES = 10

/** Returns the focus to its last holder, once the overlay that took it is gone and no dialog has replaced it. */
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

/** Returns the focus to its holder at the time of the call, by the returned function. */
export const captureFocus = (): (() => void) => {
  const before = last
  return () => restoreFocus(before)
}

/** The content of a dialog: antd would focus the close button first. */
const FIRST = 'input, textarea, [role="combobox"], [contenteditable="true"]'
const MAIN = '.ant-btn-primary'

/** Focuses the first field of a dialog, else its main button, unless an element in it requested the focus. */
export const focusFirstIn = (dialog: Element): void => {
  const now = document.activeElement
  if (now && dialog.contains(now) && now !== dialog && !now.matches('.ant-modal-close')) return
  const free = (selector: string) =>
    [...dialog.querySelectorAll<HTMLElement>(selector)].find(
      (item) => item.getClientRects().length > 0 && !item.matches(':disabled'),
    )
  const first = free(FIRST) ?? free(MAIN)
  first?.focus({ preventScroll: true })
}

/** The same for the life of a component; antd does it only for what it closes itself. */
export const useReturnFocus = (): void => {
  // During render: an overlay takes the focus before any effect of this component runs.
  const [giveBack] = useState(captureFocus)
  useEffect(() => giveBack, [giveBack])
}
