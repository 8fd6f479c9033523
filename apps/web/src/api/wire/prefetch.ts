import { request } from './request.ts'

/** Whether the page begins where most days do. */
export const isDashboardPath = (): boolean => ['/', '/dashboard'].includes(location.pathname)

/** The contract's own paths would bring the contract along; a test compares them. */
export const alwaysPrefetched: readonly string[] = ['/system/auth/get-permission-info']
export const dashboardPrefetched: readonly string[] = ['/insight/home/get', '/system/notice/my-page?pageSize=6']

/** An answer, and when it came by this computer's clock. */
export type PrefetchedResponse = { response: Response; at: number }
type Asked = { token: string; since: number; heard: Promise<PrefetchedResponse>; abort: AbortController }

/** One that nobody took in so long is of before: it is asked for anew. */
const FRESH_MS = 10_000

const asked = new Map<string, Asked>()

/** Asks while the application is still coming. What the server refuses is heard by whoever takes the answer. */
export const prefetch = (address: string, token: string): Promise<PrefetchedResponse> => {
  const abort = new AbortController()
  const ask = async () => ({
    response: await request(address, { method: 'GET', token, signal: abort.signal }),
    at: Date.now(),
  })
  const heard = ask()
  // It may be that nobody takes it.
  heard.catch(() => undefined)
  asked.set(address, { token, since: Date.now(), heard, abort })
  return heard
}

/** What was asked ahead by the same right, once; undefined where it was not. */
export const takePrefetched = (
  address: string,
  token: string | null,
  signal: AbortSignal,
): Promise<PrefetchedResponse> | undefined => {
  const found = asked.get(address)
  asked.delete(address)
  if (!found) return undefined
  if (found.token !== token || Date.now() - found.since > FRESH_MS) {
    found.abort.abort()
    return undefined
  }
  signal.addEventListener('abort', () => found.abort.abort(), { once: true })
  return found.heard
}
