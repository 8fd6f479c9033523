import { createApiClient } from './wire/api-client.ts'
import { BASE } from './wire/request.ts'
import { withTabLock } from './tab-lock.ts'
import { askRelogin, canPrompt, showSessionExpired } from './messages.ts'
import type { KillReason } from '@tocsin/contract/codes'
import { auth } from '@tocsin/contract/access/auth'
import { createTokenRefresher } from './refresh.ts'
import { fault } from './error.ts'
import { showLocked } from './lock.ts'
import { clearSession, tokens, useSession } from './session.ts'
import { SESSION_ENDED, clearStorage, setLocalItem } from './storage.ts'

/** Shorter than the lease of tab-lock.ts. */
const REFRESH_TIMEOUT_MS = 10_000

/** Once the page is unloading, nothing else may navigate. */
let leaving = false
/** Whether the page is unloading for good: then no guard may ask. */
export const isLeaving = (): boolean => leaving

/** Leaves for an address outside of the application, discarding unsaved input; the first call wins. */
export const leavePage = (address: string): void => {
  if (leaving) return
  leaving = true
  location.assign(address)
}

/** Reloads for the user who is signed in by now. */
export const reloadApp = (): void => {
  leaving = true
  location.reload()
}

const here = () => encodeURIComponent(location.pathname + location.search + location.hash)

/** Without a session only the sign-in page is reachable; it returns the user to here (SPEC 2). */
export const redirectToSignIn = (reason?: 'expired' | 'server-error' | 'change-password', why?: KillReason): void =>
  leavePage(`/login?${reason ? `reason=${reason}&` : ''}${why ? `why=${why}&` : ''}redirect=${here()}`)

let asking = false
let declined = false

/** A user who chose to keep reading is not asked again by background reads, only after an action. */
const decline = () => {
  declined = true
  const listening = new AbortController()
  const acted = () => {
    declined = false
    listening.abort()
  }
  for (const name of ['pointerdown', 'keydown'])
    window.addEventListener(name, acted, { capture: true, signal: listening.signal })
}

/** Preferences of the browser, like its language, stay. */
const lose = (why?: KillReason): void => {
  // The other tabs notice it through the storage event, perhaps before they are told.
  setLocalItem(SESSION_ENDED, why ?? 'expired')
  clearSession()
  redirectToSignIn('expired', why)
}

/** Whether the page shows data that the user would lose. */
const isOpen = () => canPrompt() && useSession.getState().user !== undefined

/** SPEC 8: shows one dialog only; confirming it clears all storage and opens '/'. */
const relogin = async () => {
  if (asking || declined || leaving) return
  if (!isOpen()) return lose()
  asking = true
  const agreed = await askRelogin()
  asking = false
  if (!agreed) return decline()
  clearStorage()
  leavePage('/')
}

/** A session that somebody ended cannot be refreshed: show the reason, clear it, start over. */
export const endSession = (why: KillReason | undefined): void => {
  if (leaving) return
  showSessionExpired()
  lose(why)
}

/** Without the bearer token, which was rejected. */
const plain = createApiClient({
  base: BASE,
  token: () => null,
  refreshToken: () => Promise.reject(fault('MALFORMED')),
  onSessionKilled: () => {},
  onUnauthorized: () => {},
  onMustChangePassword: () => {},
  onLocked: () => {},
  timeoutMs: REFRESH_TIMEOUT_MS,
})

/** A token newer than the rejected one, by one refresh over all tabs. */
export const refreshToken = createTokenRefresher({
  stored: () => ({ accessToken: tokens.access(), refreshToken: tokens.refresh() }),
  keep: tokens.keep,
  post: (refreshToken) => plain.call(auth.refreshToken, { query: {}, body: { refreshToken } }),
  exclusively: withTabLock('tocsin:refresh'),
  lost: () => void relogin(),
})

const door = createApiClient({
  base: BASE,
  token: tokens.access,
  refreshToken: refreshToken,
  onSessionKilled: endSession,
  onUnauthorized: () => void relogin(),
  onMustChangePassword: () => redirectToSignIn('change-password'),
  onLocked: () => showLocked(),
})

export const call = door.call
export const fetchFile = door.fetchFile
export const fetchLarge = door.fetchLarge
export const upload = door.upload
