import { useEffect, useEffectEvent } from 'react'
import { type Action, actionForKey } from './keymap.ts'

const buttons = new Set(['button', 'submit', 'reset', 'checkbox'])
const busy = '[role="dialog"],[role="slider"],[role="listbox"],[role="combobox"],.ant-dropdown,.ant-modal,.ant-popover'

/** A dialog, a drawer, and an opened choice or menu take all keys, Esc too. */
const above =
  '.ant-modal-wrap:not([style*="display: none"]),.ant-drawer-open,.ant-select-open,.ant-dropdown:not(.ant-dropdown-hidden)'

const isTyping = (target: EventTarget | null): boolean => {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !buttons.has(target.type)
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  return target.isContentEditable || target.closest(busy) !== null
}

/** Hands every key of the desk to `act`, while the page is shown. It answers whether it did something with it. */
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
      // The question that Esc brings up listens by now, above the document, and would go by the same press.
      event.stopPropagation()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
}
