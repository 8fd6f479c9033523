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
    for (const heard of listeners) heard(accessToken)
  },
}

const listeners = new Set<(accessToken: string) => void>()

/** Calls back when this tab or another one got a new access token. @returns what ends it. */
export const onToken = (heard: (accessToken: string) => void): (() => void) => {
  const elsewhere = (event: StorageEvent) => {
    if (event.key === 'ACCESS_TOKEN' && event.newValue) heard(event.newValue)
  }
  listeners.add(heard)
  window.addEventListener('storage', elsewhere)
  return () => {
    listeners.delete(heard)
    window.removeEventListener('storage', elsewhere)
  }
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
  /** Undefined until the server told who this is. */
  user: PermissionInfo['user'] | undefined
  site: PermissionInfo['site']
  roles: readonly string[]
  /** Before the answer: what was kept from the last visit, a hint for the first paint only. */
  permissions: ReadonlySet<string>
}

export const useSession = create<Session>()(() => ({
  user: undefined,
  site: { documentUrl: '', projectUrl: '' },
  roles: remembered('ROLES'),
  permissions: new Set(remembered('PERMISSIONS')),
}))

/** A locked page that is loaded anew has a clock too, before the server says who this is. */
const ZONE = 'timeZone'
zone.name = getTabItem(ZONE) ?? zone.name

export const savePermissions = ({ user, roles, permissions, site, timeZone }: PermissionInfo): void => {
  zone.name = timeZone
  setTabItem(ZONE, timeZone)
  setLocalItem('PERMISSIONS', JSON.stringify(permissions))
  setLocalItem('ROLES', JSON.stringify(roles))
  useSession.setState({ user, roles, site, permissions: new Set(permissions) })
}

/** Forgets what this browser tab alone has kept of the session. */
export const clearTabCache = (): void => setTabItem(DICT_CACHE, null)

/** Forgets what this browser has kept of rights and menus. To other tabs their absence would mean that nobody is signed in. */
export const clearPermissions = (): void => {
  for (const key of ['PERMISSIONS', 'ROLES'] as const) setLocalItem(key, '[]')
  clearTabCache()
}

/** Forgets who was signed in; preferences stay, and those that the server has not heard of wait for him. */
export const clearSession = (): void => {
  for (const key of ['ACCESS_TOKEN', 'REFRESH_TOKEN', 'TENANT_ID', 'PERMISSIONS', 'ROLES']) setLocalItem(key, null)
  clearTabCache()
  useSession.setState({ user: undefined, roles: [], permissions: new Set() })
}

const allows = (held: ReadonlySet<string>, wanted: string | readonly string[]): boolean => {
  const list = typeof wanted === 'string' ? [wanted] : wanted
  // SPEC 5: a check without a value is a mistake of ours, never a yes.
  if (list.length === 0 || list.some((p) => p === '')) throw new Error('need perms!')
  return list.some((permission) => held.has(permission))
}

/** Whether the signed-in person holds this permission, or one of these. The server decides anew at each call. */
export const hasPermission = (wanted: string | readonly string[]): boolean =>
  allows(useSession.getState().permissions, wanted)

/** The same inside a component: it renders again when permissions change. */
export const useHasPermission = (wanted: string | readonly string[]): boolean =>
  useSession(({ permissions }) => allows(permissions, wanted))
