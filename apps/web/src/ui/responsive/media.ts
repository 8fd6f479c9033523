import { useSyncExternalStore } from 'react'
import { WIDE } from './wide.ts'

/**
 * A hook that tells whether the window answers to this. It knows at the first draw already; the kit's own learns it only
 * then and draws whatever asked a second time.
 */
export const media = (query: string) => {
  let list: MediaQueryList | undefined
  const asked = () => {
    list ??= matchMedia(query)
    return list
  }
  const watch = (changed: () => void) => {
    asked().addEventListener('change', changed)
    return () => asked().removeEventListener('change', changed)
  }
  return () => useSyncExternalStore(watch, () => asked().matches)
}

/** From here on a table fits. */
export const useMedium = media('(min-width: 768px)')
export const useWide = media(WIDE)
/** From here on every column has its place. */
export const useVeryWide = media('(min-width: 1200px)')
