import { useSyncExternalStore } from 'react'
import { WIDE } from './wide.ts'

/**
 * Creates a hook for a media query. It has the value in the first render; antd's own has it later and renders twice.
 */
export const media = (query: string) => {
  let list: MediaQueryList | undefined
  const getList = () => {
    list ??= matchMedia(query)
    return list
  }
  const watch = (changed: () => void) => {
    getList().addEventListener('change', changed)
    return () => getList().removeEventListener('change', changed)
  }
  return () => useSyncExternalStore(watch, () => getList().matches)
}

/** From this width on a table fits. */
export const useMedium = media('(min-width: 768px)')
export const useWide = media(WIDE)
/** From this width on every column fits. */
export const useVeryWide = media('(min-width: 1200px)')
