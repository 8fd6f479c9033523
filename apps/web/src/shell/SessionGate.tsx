import { killReason } from '@tocsin/contract/codes'
import { auth, type PermissionInfo } from '@tocsin/contract/access/auth'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { reloadApp, isLeaving, redirectToSignIn, call } from '#api/call.ts'
import { isUnexpectedError, isTransient } from '#api/error.ts'
import { checkUnlocked, live } from '#api/live.ts'
import { onLockInOtherTab, showLocked, useLock } from '#api/lock.ts'
import { retainAll, queryFor } from '#api/query.ts'
import { clearSession, clearTabCache, onSignOutInOtherTab, savePermissions } from '#api/session.ts'
import { SESSION_ENDED, getLocalItem } from '#api/storage.ts'
import { fetchTexts } from '#texts/i18n.ts'
import { closeDialogs } from '#ui/confirm.ts'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { dismissAll } from '#ui/notify.ts'
import { LockedContent } from './lock/LockedContent.tsx'
import { usePreferenceSync } from './theme/use-preference-sync.ts'
import { visits } from '@tocsin/contract/insight/visit'

/** Runs once per load of the page. */
let value = false

/** Reports that a signed-in user opened the console; nothing waits for it or fails by it. */
const useVisit = (signedIn: boolean): void =>
  useEffect(() => {
    if (!signedIn || value) return
    value = true
    void call(visits.count).catch(() => undefined)
  }, [signedIn])

/** Another tab signed out, or another user signed in there: this page belongs to a former user. */
const useOtherTabs = () =>
  useEffect(
    () =>
      onSignOutInOtherTab(() => {
        clearTabCache()
        const ended = getLocalItem(SESSION_ENDED)
        if (ended) redirectToSignIn('expired', killReason(ended))
        else reloadApp()
      }),
    [],
  )

/**
 * A browser may restore a page from its cache as it was: with the data of a user who has signed out since. It is
 * emptied and reloaded.
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
// The pages are covered even before the lock screen is loaded.
const LockScreen = lazyComponent(async () => (await loadLock()).LockScreen, { before: <Waiting /> })

/** Loaded in advance: a locked console may be offline, or the server may have a newer build by then. */
const fetchAhead = () => {
  const fetchAll = () => void Promise.all([loadLock(), fetchTexts('en')]).catch(() => undefined)
  const timer = setTimeout(fetchAll, AHEAD_MS)
  return () => clearTimeout(timer)
}

type Props = {
  /** The sound while the session is locked. */
  lockedBell: ReactNode
  children: (granted: PermissionInfo) => ReactNode
}

/** Messages and dialogs above the pages are closed with them; cached data stays, however long the lock lasts. */
const useCover = (locked: boolean) =>
  useEffect(() => {
    if (!locked) return
    closeDialogs()
    dismissAll()
    return retainAll()
  }, [locked])

/** Another tab locked: so is this one. Another tab unlocked: only the server's answer counts. */
const useLockElsewhere = () =>
  useEffect(
    () =>
      onLockInOtherTab((locked) => {
        if (locked) showLocked()
        else void checkUnlocked().catch(() => undefined)
      }),
    [],
  )

/** Nothing is shown before the server named the user and the permissions (SPEC 2). */
export const SessionGate = ({ lockedBell, children }: Props) => {
  const { t } = useTranslation()
  const locked = useLock((lock) => lock.locked)
  const { data, error } = useQuery({
    ...queryFor(auth.permissionInfo),
    enabled: !locked,
    staleTime: Number.POSITIVE_INFINITY,
    // An unreachable server must not sign everybody out.
    refetchInterval: (query) => (query.state.status === 'error' && isTransient(query.state.error) ? RETRY_MS : false),
  })
  useOtherTabs()
  useReturn()
  useLockElsewhere()
  useCover(locked)
  // Before the pages ask whose tags and searches are stored here.
  useLayoutEffect(() => {
    if (data) savePermissions(data)
  }, [data])
  usePreferenceSync(data)
  useVisit(data !== undefined && !locked)
  useEffect(() => {
    // A user who must change the password first is redirected, with the session.
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
