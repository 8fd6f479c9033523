/** Prefix of all call paths. */
export const BASE = '/admin-api'

export type Request = {
  method: string
  token: string | null
  signal: AbortSignal
  body?: BodyInit | null
  /** Content type of the body; a form sets its own. */
  type?: string | undefined
}

/**
 * One call as sent. A file of its own, because the first call of a page leaves before the rest of the application is
 * loaded.
 */
export const request = (address: string, { method, token, signal, body = null, type }: Request): Promise<Response> => {
  const headers = new Headers({ 'tenant-id': '1', accept: 'application/json' })
  if (type) headers.set('content-type', type)
  if (token) headers.set('authorization', `Bearer ${token}`)
  return fetch(address, { method, headers, body, cache: 'no-store', credentials: 'same-origin', signal })
}
