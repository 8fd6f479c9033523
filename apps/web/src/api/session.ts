import { create } from 'zustand'
import { zone } from '@tocsin/contract/time-zone'
import type { PermissionInfo } from '@tocsin/contract/access/auth'
import type { Tokens } from './refresh.ts'
import { DICT_CACHE, setTabItem, getTabItem, setLocalItem, getLocalItem } from './storage.ts'

/** SPEC 9: the tenant is always 1. */
const TENANT = '1'

export const tokens = {
  access: () => getLocalItem('ACCESS_TOKEN'),
  refresh: () => getLocalItem('REFRESH_TOKEN'),
  keep: ({ accessToken, refreshToken }: Tokens): void => {
    setLocalItem('REFRESH_TOKEN', refreshToken)
    setLocalItem('TENANT_ID', TENANT)
    setLocalItem('ACCESS_TOKEN', accessToken)
    for (const listener of listeners) listener(accessToken)
  },
}

const listeners = new Set<(accessToken: string) => void>()

/** Calls back when this tab or another one received a new access token. @returns the function that unsubscribes. */
export const onToken = (listener: (accessToken: string) => void): (() => void) => {
  const handleStorage = (event: StorageEvent) => {
    if (event.key === 'ACCESS_TOKEN' && event.newValue) listener(event.newValue)
  }
  listeners.add(listener)
  window.addEventListener('storage', handleStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', handleStorage)
  }
}

const isSignOut = ({ key, newValue }: StorageEvent): boolean =>
  newValue === null && (key === null || key === 'ACCESS_TOKEN' || key === 'PERMISSIONS')

let hasSignedOut = false

/** Records a sign-out in another tab from now on: the page subscribes to it only after its first render. */
export const recordSignOut = (): void =>
  window.addEventListener('storage', (event) => {
    if (isSignOut(event)) hasSignedOut = true
  })

/**
 * Calls back once when another tab signed out, also when it did while this page was loading, even if somebody signed in
 * there since. @returns the function that unsubscribes.
 */
export const onSignOutInOtherTab = (listener: () => void): (() => void) => {
  const handleStorage = (event: StorageEvent) => {
    if (isSignOut(event)) leave()
  }
  const end = () => window.removeEventListener('storage', handleStorage)
  const leave = () => {
    // A sign-out removes several keys: a second reload would cancel the first.
    end()
    listener()
  }
  window.addEventListener('storage', handleStorage)
  // After the listener is added, so that no moment lies between both.
  if (hasSignedOut || tokens.access() === null) leave()
  return end
}

const remembered = (key: string): string[] => {
  try {
    const list: unknown = JSON.parse(getLocalItem(key) ?? '[]')
    return Array.isArray(list) ? list.map(String) : []
  } catch {
    return []
  }
}

type Session = {
  /** Undefined until the server named the user. */
  user: PermissionInfo['user'] | undefined
  site: PermissionInfo['site']
  roles: readonly string[]
  /** Before the answer: the value of the last visit, used for the first paint only. */
  permissions: ReadonlySet<string>
}

export const useSession = create<Session>()(() => ({
  user: undefined,
  site: { documentUrl: '', projectUrl: '' },
  roles: remembered('ROLES'),
  permissions: new Set(remembered('PERMISSIONS')),
}))

/** A reloaded locked page has a clock too, before the server names the user. */
const ZONE = 'timeZone'
zone.name = getTabItem(ZONE) ?? zone.name

export const savePermissions = ({ user, roles, permissions, site, timeZone }: PermissionInfo): void => {
  zone.name = timeZone
  setTabItem(ZONE, timeZone)
  setLocalItem('PERMISSIONS', JSON.stringify(permissions))
  setLocalItem('ROLES', JSON.stringify(roles))
  useSession.setState({ user, roles, site, permissions: new Set(permissions) })
}

/** Clears what this tab alone has stored of the session. */
export const clearTabCache = (): void => setTabItem(DICT_CACHE, null)

/** Clears the stored rights and menus. To other tabs their absence would mean a sign-out. */
export const clearPermissions = (): void => {
  for (const key of ['PERMISSIONS', 'ROLES'] as const) setLocalItem(key, '[]')
  clearTabCache()
}

/** Clears the signed-in user; preferences stay, and unsent ones wait for this user. */
export const clearSession = (): void => {
  for (const key of ['ACCESS_TOKEN', 'REFRESH_TOKEN', 'TENANT_ID', 'PERMISSIONS', 'ROLES']) setLocalItem(key, null)
  clearTabCache()
  useSession.setState({ user: undefined, roles: [], permissions: new Set() })
}

const allows = (held: ReadonlySet<string>, wanted: string | readonly string[]): boolean => {
  const list = typeof wanted === 'string' ? [wanted] : wanted
  // SPEC 5: a check without a value is a programming error, never a yes.
  if (list.length === 0 || list.some((p) => p === '')) throw new Error('need perms!')
  return list.some((permission) => held.has(permission))
}

/** Whether the user holds this permission, or one of these. The server decides again at each call. */
export const hasPermission = (wanted: string | readonly string[]): boolean =>
  allows(useSession.getState().permissions, wanted)

/** Hook version, which renders again when permissions change. */
export const useHasPermission = (wanted: string | readonly string[]): boolean =>
  useSession(({ permissions }) => allows(permissions, wanted))
