import { useEffect } from 'react'

/** Keeps the screen on. The browser releases the lock of a hidden page, so a visible one asks again. */
export const useWakeLock = (): void => {
  useEffect(() => {
    let isGone = false
    let lock: WakeLockSentinel | undefined
    const acquire = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
      const acquired = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (isGone) await acquired?.release()
      else lock = acquired
    }
    const onVisible = () => void acquire()
    onVisible()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      isGone = true
      document.removeEventListener('visibilitychange', onVisible)
      void lock?.release()
    }
  }, [])
}
