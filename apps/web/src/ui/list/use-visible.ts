import { useSyncExternalStore } from 'react'

const watch = (changed: () => void) => {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

/** Whether anybody can see this window. */
export const useVisible = (): boolean => useSyncExternalStore(watch, () => document.visibilityState === 'visible')
