import { create } from 'zustand'
import { useSession } from './session.ts'
import { setLocalItem, getLocalItem } from './storage.ts'

/** Tells the other tabs of the browser, and stores the locked user for a page that is loaded while locked. */
const LOCKED = 'LOCKED'

/** `who`: the name to show; the server tells a locked page nothing, so it may be missing. */
type Lock = { locked: boolean; who: string | undefined }

/**
 * Whether the session is locked, by the server's last response. While locked the server rejects all calls, whatever
 * this page assumes.
 */
export const useLock = create<Lock>()(() => ({ locked: false, who: undefined }))

export const showLocked = (): void => {
  if (useLock.getState().locked) return
  const user = useSession.getState().user?.nickname
  if (user) setLocalItem(LOCKED, user)
  useLock.setState({ locked: true, who: user ?? getLocalItem(LOCKED) ?? undefined })
}

export const showUnlocked = (): void => {
  setLocalItem(LOCKED, null)
  useLock.setState({ locked: false, who: undefined })
}

/** Another tab locked or unlocked the shared session. @returns the function that unsubscribes. */
export const onLockInOtherTab = (listener: (locked: boolean) => void): (() => void) => {
  const elsewhere = ({ key, newValue }: StorageEvent) => {
    if (key === LOCKED) listener(newValue !== null)
  }
  window.addEventListener('storage', elsewhere)
  return () => window.removeEventListener('storage', elsewhere)
}
