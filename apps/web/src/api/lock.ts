import { create } from 'zustand'
import { useSession } from './session.ts'
import { setLocalItem, getLocalItem } from './storage.ts'

/** Tells the other tabs of the browser, and keeps whose lock it is for a page that is loaded while locked. */
const LOCKED = 'LOCKED'

/** `who`: the name to show; the server tells a locked page nothing, so it may be missing. */
type Lock = { locked: boolean; who: string | undefined }

/** Whether the session is locked, as the server said last. It refuses everything meanwhile, whatever this page thinks. */
export const useLock = create<Lock>()(() => ({ locked: false, who: undefined }))

export const showLocked = (): void => {
  if (useLock.getState().locked) return
  const who = useSession.getState().user?.nickname
  if (who) setLocalItem(LOCKED, who)
  useLock.setState({ locked: true, who: who ?? getLocalItem(LOCKED) ?? undefined })
}

export const showUnlocked = (): void => {
  setLocalItem(LOCKED, null)
  useLock.setState({ locked: false, who: undefined })
}

/** Another tab locked or unlocked the session they share. @returns what ends it. */
export const onLockInOtherTab = (heard: (locked: boolean) => void): (() => void) => {
  const elsewhere = ({ key, newValue }: StorageEvent) => {
    if (key === LOCKED) heard(newValue !== null)
  }
  window.addEventListener('storage', elsewhere)
  return () => window.removeEventListener('storage', elsewhere)
}
