import { useEffect, useEffectEvent } from 'react'

/** Where a letter is typed or belongs to what is open above the page. */
const OWN_KEYS = 'input, textarea, select, [contenteditable], [role="dialog"]'

const isToggle = ({ key, target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean =>
  key.toLowerCase() === 't' &&
  !(ctrlKey || metaKey || altKey || isComposing) &&
  !(target instanceof Element && target.closest(OWN_KEYS))

/** Calls back when T is pressed outside of a text. */
export const useToggleKey = (onToggle: () => void): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isToggle(event)) onToggle()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
