import { caller } from './wire/caller.ts'
import { openEnvelope } from './wire/envelope.ts'
import { exclusively } from './exclusively.ts'
import { askRelogin, showExpired } from './notices.ts'
import { refreshCall } from './permission.ts'
import { refresher } from './refresh.ts'
import { send } from './wire/send.ts'
import { clearSession, tokens } from './session.ts'
import { forgetEverything } from './storage.ts'

const BASE = '/admin-api'
/** Shorter than the lease of exclusively.ts. */
const REFRESH_TIMEOUT_MS = 10_000

/** Once the page is on its way out, nothing else may steer it. */
let leaving = false

/** Leaves for an address outside the application; the first one wins. */
export const leave = (address: string): void => {
  if (leaving) return
  leaving = true
  location.assign(address)
}

const here = () => encodeURIComponent(location.pathname + location.search + location.hash)

/** Without a session only the sign-in page is reachable; it brings the person back here (SPEC 2). */
export const toSignIn = (reason?: 'expired' | 'change-password'): void =>
  leave(`/login?${reason ? `reason=${reason}&` : ''}redirect=${here()}`)

let asking = false

/** SPEC 8: one dialog, never two; confirming clears all storage and goes to '/'. */
const relogin = async () => {
  if (asking || leaving) return
  asking = true
  const agreed = await askRelogin()
  asking = false
  if (!agreed) return
  forgetEverything()
  leave('/')
}

/** A session that somebody ended cannot be refreshed: say so, forget it, start over. */
export const endSession = (): void => {
  if (leaving) return
  showExpired()
  clearSession()
  toSignIn('expired')
}

const postRefresh = async (refreshToken: string) => {
  const answer = await send(
    refreshCall,
    { query: { refreshToken } },
    { base: BASE, token: null, timeoutMs: REFRESH_TIMEOUT_MS },
  )
  return refreshCall.data.parse(answer.file ? null : openEnvelope(answer.status, answer.text))
}

/** A token newer than the refused one, by one refresh over all tabs. */
export const renew = refresher({
  stored: () => ({ accessToken: tokens.access(), refreshToken: tokens.refresh() }),
  keep: tokens.keep,
  post: postRefresh,
  exclusively: exclusively('tocsin:refresh'),
  lost: () => void relogin(),
})

const door = caller({
  base: BASE,
  token: tokens.access,
  renew,
  killed: endSession,
  refused: () => void relogin(),
  mustChange: () => toSignIn('change-password'),
})

export const call = door.call
export const fetchFile = door.fetchFile
