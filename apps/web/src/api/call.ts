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

/** Shorter than the lease of exclusively.ts. */
const REFRESH_TIMEOUT_MS = 10_000

/** Once the page is on its way out, nothing else may steer it. */
let leaving = false
/** Whether the page is going for good: nobody is to be asked whether it may. */
export const isLeaving = (): boolean => leaving

/** Leaves for an address outside the application, whatever is half done here; the first one wins. */
export const leavePage = (address: string): void => {
  if (leaving) return
  leaving = true
  location.assign(address)
}

/** Begins anew for whoever is signed in by now. */
export const reloadApp = (): void => {
  leaving = true
  location.reload()
}

const here = () => encodeURIComponent(location.pathname + location.search + location.hash)

/** Without a session only the sign-in page is reachable; it brings the person back here (SPEC 2). */
export const redirectToSignIn = (reason?: 'expired' | 'server-error' | 'change-password', why?: KillReason): void =>
  leavePage(`/login?${reason ? `reason=${reason}&` : ''}${why ? `why=${why}&` : ''}redirect=${here()}`)

let asking = false
let declined = false

/** Who wants to read on is not asked again by what the page reads by itself, only once he does something. */
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

/** What a browser keeps of its own, as its language, stays. */
const lose = (why?: KillReason): void => {
  // The other tabs learn it from the storage, perhaps before they are told themselves.
  setLocalItem(SESSION_ENDED, why ?? 'expired')
  clearSession()
  redirectToSignIn('expired', why)
}

/** Whether the page shows somebody what he would lose. */
const isOpen = () => canPrompt() && useSession.getState().user !== undefined

/** SPEC 8: one dialog, never two; confirming clears all storage and goes to '/'. */
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

/** A session that somebody ended cannot be refreshed: say so, forget it, start over. */
export const endSession = (why: KillReason | undefined): void => {
  if (leaving) return
  showSessionExpired()
  lose(why)
}

/** Without the bearer: it is the refused one. */
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

/** A token newer than the refused one, by one refresh over all tabs. */
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
