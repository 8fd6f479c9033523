import { isRecord } from './call.ts'
import { store, stored } from './storage.ts'

export type Session = { accessToken: string; refreshToken: string | null; mustChangePassword: boolean }

/** Undefined when the answer to a sign-in is not one. */
export const decodeSession = (data: unknown): Session | undefined => {
  if (!isRecord(data) || typeof data.accessToken !== 'string' || data.accessToken === '') return undefined
  return {
    accessToken: data.accessToken,
    refreshToken: typeof data.refreshToken === 'string' ? data.refreshToken : null,
    mustChangePassword: data.mustChangePassword === true,
  }
}

export const storedSession = (): Session | undefined => {
  const accessToken = stored('ACCESS_TOKEN')
  if (!accessToken) return undefined
  return { accessToken, refreshToken: stored('REFRESH_TOKEN'), mustChangePassword: false }
}

/** False when the browser refused. Permissions and roles kept from whoever sat here before are dropped. */
export const keepSession = ({ accessToken, refreshToken }: Session) => {
  for (const key of ['PERMISSIONS', 'ROLES', 'SESSION_ENDED']) store(key, null)
  return store('REFRESH_TOKEN', refreshToken) && store('TENANT_ID', '1') && store('ACCESS_TOKEN', accessToken)
}
