import { type RefObject, useEffect } from 'react'

const isTextInput = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox')

/** Selects an option by its digit, except while the user is typing. */
export const useNumberKeys = (list: RefObject<HTMLElement | null>, type: 'radio' | 'checkbox'): void => {
  useEffect(() => {
    const select = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTextInput(event.target)) return
      const option = list.current?.querySelectorAll<HTMLInputElement>(`input[type=${type}]`)[Number(event.key) - 1]
      if (!option) return
      event.preventDefault()
      option.click()
      option.focus()
    }
    document.addEventListener('keydown', select)
    return () => document.removeEventListener('keydown', select)
  }, [list, type])
}
