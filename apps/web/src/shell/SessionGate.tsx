import { killReason } from '@tocsin/contract/codes'
import { auth, type PermissionInfo } from '@tocsin/contract/access/auth'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { reloadApp, isLeaving, redirectToSignIn } from '#api/call.ts'
import { isUnexpectedError, isTransient } from '#api/error.ts'
import { checkUnlocked, live } from '#api/live.ts'
import { onLockInOtherTab, showLocked, useLock } from '#api/lock.ts'
import { retainAll, queryFor } from '#api/query.ts'
import { clearSession, clearTabCache, savePermissions } from '#api/session.ts'
import { SESSION_ENDED, getLocalItem } from '#api/storage.ts'
import { fetchTexts } from '#texts/i18n.ts'
import { closeDialogs } from '#ui/confirm.ts'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { dismissAll } from '#ui/notify.ts'
import { LockedContent } from './lock/LockedContent.tsx'
import { usePreferenceSync } from './theme/use-preference-sync.ts'
import { useVisit } from './use-visit.ts'

/** Another tab signed out, or somebody else signed in there: this page is no longer whose it was. */
const useOtherTabs = () =>
  useEffect(() => {
    const heard = ({ key, newValue }: StorageEvent) => {
      const gone = newValue === null && (key === null || key === 'ACCESS_TOKEN' || key === 'PERMISSIONS')
      if (!gone) return
      clearTabCache()
      const ended = getLocalItem(SESSION_ENDED)
      if (ended) redirectToSignIn('expired', killReason(ended))
      else reloadApp()
    }
    window.addEventListener('storage', heard)
    return () => window.removeEventListener('storage', heard)
  }, [])

/**
 * A browser may keep a page that was left and bring it back as it was: with what a person saw who has signed out since.
 * It comes back empty and begins anew.
 */
const useReturn = () =>
  useEffect(() => {
    const left = ({ persisted }: PageTransitionEvent) => {
      if (persisted) document.documentElement.style.visibility = 'hidden'
    }
    const back = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reloadApp()
    }
    window.addEventListener('pagehide', left)
    window.addEventListener('pageshow', back)
    return () => {
      window.removeEventListener('pagehide', left)
      window.removeEventListener('pageshow', back)
    }
  }, [])

const RETRY_MS = 3000
const AHEAD_MS = 15_000

const loadLock = () => import('./lock/LockScreen.tsx')

const Waiting = ({ children }: { children?: ReactNode }) => (
  <div className="waiting">
    <i aria-hidden="true" />
    {children}
  </div>
)
// What must be covered is covered, also while the screen of the lock has not come.
const LockScreen = lazyComponent(async () => (await loadLock()).LockScreen, { before: <Waiting /> })

/** There before it is needed: who locks a console may be cut off, or the server have a newer build by then. */
const fetchAhead = () => {
  const fetchAll = () => void Promise.all([loadLock(), fetchTexts('en')]).catch(() => undefined)
  const timer = setTimeout(fetchAll, AHEAD_MS)
  return () => clearTimeout(timer)
}

type Props = {
  /** What sounds while the session is locked. */
  lockedBell: ReactNode
  children: (granted: PermissionInfo) => ReactNode
}

/** What was said and asked above the pages goes with them; what they have read waits for them, however long that is. */
const useCover = (locked: boolean) =>
  useEffect(() => {
    if (!locked) return
    closeDialogs()
    dismissAll()
    return retainAll()
  }, [locked])

/** Another tab locked: so is this one. It unlocked: the server is asked, nobody else is believed. */
const useLockElsewhere = () =>
  useEffect(
    () =>
      onLockInOtherTab((locked) => {
        if (locked) showLocked()
        else void checkUnlocked().catch(() => undefined)
      }),
    [],
  )

/** Nothing is shown before the server said who this is and what he may see (SPEC 2). */
export const SessionGate = ({ lockedBell, children }: Props) => {
  const { t } = useTranslation()
  const locked = useLock((lock) => lock.locked)
  const { data, error } = useQuery({
    ...queryFor(auth.permissionInfo),
    enabled: !locked,
    staleTime: Number.POSITIVE_INFINITY,
    // A server that is away for a moment must not sign everybody out.
    refetchInterval: (query) => (query.state.status === 'error' && isTransient(query.state.error) ? RETRY_MS : false),
  })
  useOtherTabs()
  useReturn()
  useLockElsewhere()
  useCover(locked)
  // Before the pages ask whose tags and searches are kept here.
  useLayoutEffect(() => {
    if (data) savePermissions(data)
  }, [data])
  usePreferenceSync(data)
  useVisit(data !== undefined && !locked)
  useEffect(() => {
    // Who must change his password first is on his way, with his session.
    if (!error || isTransient(error) || data || locked || isLeaving()) return
    clearSession()
    redirectToSignIn(isUnexpectedError(error) ? 'server-error' : 'expired')
  }, [error, data, locked])
  const known = data !== undefined || locked
  useEffect(() => {
    if (!known) return
    live.start()
    return live.stop
  }, [known])
  useEffect(fetchAhead, [])
  return (
    <>
      {locked && <LockScreen bell={lockedBell} />}
      {data && <LockedContent covered={locked}>{children(data)}</LockedContent>}
      {!known && <Waiting>{error && isTransient(error) && <p>{t('shell.serverAway')}</p>}</Waiting>}
    </>
  )
}
