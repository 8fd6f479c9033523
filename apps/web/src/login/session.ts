import { isRecord } from './call.ts'
import { setLocalItem, getLocalItem } from './storage.ts'

export type Session = { accessToken: string; refreshToken: string | null; mustChangePassword: boolean }

/** Undefined when the answer to a sign-in has another shape. */
export const decodeSession = (data: unknown): Session | undefined => {
  if (!isRecord(data) || typeof data.accessToken !== 'string' || data.accessToken === '') return undefined
  return {
    accessToken: data.accessToken,
    refreshToken: typeof data.refreshToken === 'string' ? data.refreshToken : null,
    mustChangePassword: data.mustChangePassword === true,
  }
}

export const storedSession = (): Session | undefined => {
  const accessToken = getLocalItem('ACCESS_TOKEN')
  if (!accessToken) return undefined
  return { accessToken, refreshToken: getLocalItem('REFRESH_TOKEN'), mustChangePassword: false }
}

/** False when the browser refused. Permissions and roles of an earlier user are dropped. */
export const saveSession = ({ accessToken, refreshToken }: Session) => {
  for (const key of ['PERMISSIONS', 'ROLES', 'SESSION_ENDED']) setLocalItem(key, null)
  return (
    setLocalItem('REFRESH_TOKEN', refreshToken) &&
    setLocalItem('TENANT_ID', '1') &&
    setLocalItem('ACCESS_TOKEN', accessToken)
  )
}
