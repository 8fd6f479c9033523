import { useSyncExternalStore } from 'react'

const watch = (changed: () => void) => {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

/** Whether this window is visible. */
export const useVisible = (): boolean => useSyncExternalStore(watch, () => document.visibilityState === 'visible')
