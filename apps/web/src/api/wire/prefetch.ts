import { request } from './request.ts'

/** Whether the page is the usual first page. */
export const isDashboardPath = (): boolean => ['/', '/dashboard'].includes(location.pathname)

/** The contract's own paths would load the contract; a test compares them. */
export const alwaysPrefetched: readonly string[] = ['/system/auth/get-permission-info']
export const dashboardPrefetched: readonly string[] = ['/insight/home/get', '/system/notice/my-page?pageSize=6']

/** An answer, and when it arrived by this computer's clock. */
export type PrefetchedResponse = { response: Response; at: number }
type Asked = { token: string; since: number; heard: Promise<PrefetchedResponse>; abort: AbortController }

/** A prefetched answer not used for this long is stale: it is fetched again. */
const FRESH_MS = 10_000

const requests = new Map<string, Asked>()

/** Fetches while the application still loads. Refusals are reported to the caller that takes the answer. */
export const prefetch = (address: string, token: string): Promise<PrefetchedResponse> => {
  const abort = new AbortController()
  const ask = async () => ({
    response: await request(address, { method: 'GET', token, signal: abort.signal }),
    at: Date.now(),
  })
  const received = ask()
  // Possibly no call uses it.
  received.catch(() => undefined)
  requests.set(address, { token, since: Date.now(), heard: received, abort })
  return received
}

/** The answer prefetched with the same token, once; undefined where there is none. */
export const takePrefetched = (
  address: string,
  token: string | null,
  signal: AbortSignal,
): Promise<PrefetchedResponse> | undefined => {
  const found = requests.get(address)
  requests.delete(address)
  if (!found) return undefined
  if (found.token !== token || Date.now() - found.since > FRESH_MS) {
    found.abort.abort()
    return undefined
  }
  signal.addEventListener('abort', () => found.abort.abort(), { once: true })
  return found.heard
}
