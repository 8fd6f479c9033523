import './boot.ts'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { auth } from '@tocsin/contract/access/auth'
import { isDashboardPath } from '#api/wire/prefetch.ts'
import { client, queryFor, enableBackgroundRefetch } from '#api/query.ts'
import { recordSignOut, savePermissions, tokens } from '#api/session.ts'
import { Console } from '#shell/Console.tsx'
import { guard } from '#shell/guard.ts'
import { usePreferences } from '#shell/theme/preferences.ts'
import { adoptPreferences } from '#shell/theme/preference-sync.ts'
import '#shell/shell.css'
import { setLanguage } from '#texts/i18n.ts'
import { trackFailedStyles } from '#ui/lazy/failed-styles.ts'
import { homeQuery, latestNoticesQuery } from './areas/insight/home/dashboard-queries.ts'
import { lockedAlarmSound, prepareDashboard, routerFor } from './router.tsx'
import { screens } from './screens.ts'

const has = (screen: string) => Object.hasOwn(screens, screen)

const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])

/** What is loaded this early is rendered at once; the rest is waited for in its place on the page. */
const GRANTED_MS = 1000
const FIGURES_MS = 100

/** The usual first page: its screen and its data are requested beside the permissions. */
const dashboard = async (granted: Promise<void>): Promise<void> => {
  await Promise.all([granted, prepareDashboard().catch(() => undefined)])
  // Data requested by a user who is not signed in is dropped.
  if (!client.getQueryData(queryFor(auth.permissionInfo).queryKey)) return
  await within(FIGURES_MS, Promise.all([client.prefetchQuery(homeQuery), client.prefetchQuery(latestNoticesQuery)]))
}

const start = async (root: Element): Promise<void> => {
  recordSignOut()
  trackFailedStyles()
  enableBackgroundRefetch()
  // Requested while everything else is prepared; the gate waits for the answer and handles a failure.
  const granted = client.prefetchQuery(queryFor(auth.permissionInfo))
  const page = isDashboardPath() ? dashboard(granted) : granted
  // A failure to load the texts leaves the page in Chinese.
  await setLanguage(usePreferences.getState().language).catch(() => undefined)
  await within(GRANTED_MS, page)
  // The first render has the user's name and preferences; the gate applies later changes.
  const known = client.getQueryData(queryFor(auth.permissionInfo).queryKey)
  if (known) {
    savePermissions(known)
    adoptPreferences(known.user.id, known.preferences)
  }
  // In small steps, between which the page responds.
  startTransition(() =>
    createRoot(root).render(<Console has={has} routerFor={routerFor} lockedBell={lockedAlarmSound} />),
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id root')
// The wall needs no session: its link is the right to read.
const isWall = location.pathname === '/wall'
const elsewhere = isWall ? undefined : guard(location, tokens.access())
if (isWall) void import('./wall/start-wall.tsx').then(({ startWall }) => startWall(root))
else if (elsewhere) location.replace(elsewhere)
else void start(root)
