import { useEffect, useEffectEvent } from 'react'
import { type Action, actionForKey } from './keymap.ts'

const buttons = new Set(['button', 'submit', 'reset', 'checkbox'])
const busy = '[role="dialog"],[role="slider"],[role="listbox"],[role="combobox"],.ant-dropdown,.ant-modal,.ant-popover'

/** A dialog, a drawer, and an opened select or menu take all keys, Esc too. */
const above =
  '.ant-modal-wrap:not([style*="display: none"]),.ant-drawer-open,.ant-select-open,.ant-dropdown:not(.ant-dropdown-hidden)'

const isTyping = (target: EventTarget | null): boolean => {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !buttons.has(target.type)
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  return target.isContentEditable || target.closest(busy) !== null
}

/** Passes every key of the desk to `act` while the page is shown. `act` returns whether it used the key. */
export const useShortcuts = (act: (action: Action) => boolean): void => {
  const latest = useEffectEvent(act)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector(above)) return
      const action = actionForKey({
        key: event.key,
        code: event.code,
        combined: event.ctrlKey || event.metaKey || event.altKey || (event.isComposing && event.key !== 'Process'),
        typing: isTyping(event.target),
      })
      if (!action || !latest(action)) return
      event.preventDefault()
      // The question opened by Esc already listens on the document, and the same key press would close it.
      event.stopPropagation()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
}
