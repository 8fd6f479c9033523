/** Calls of one key per second, and the burst after an idle time. */
export type RateLimit = { perSecond: number; atOnce: number }

/** Whether one more call of this key may happen now; counts it if so. */
export type RateLimiter<Key = number> = (key: Key, now?: number) => boolean

/**
 * One token bucket per key (a user, a device, an address) on this node (trust 6.9). It stores the time at which it is full again, so that it needs no
 * timer. Once per refill time all buckets that were idle since the last time expire together, because they are full.
 */
export const createRateLimiter = <Key = number>({ perSecond, atOnce }: RateLimit): RateLimiter<Key> => {
  const step = 1000 / perSecond
  const filling = atOnce * step
  let fullAt = new Map<Key, number>()
  let before = fullAt
  let since = 0
  return (key, now = performance.now()) => {
    if (now - since >= filling) {
      before = fullAt
      fullAt = new Map()
      since = now
    }
    const next = Math.max(now, fullAt.get(key) ?? before.get(key) ?? 0) + step
    if (next > now + filling) return false
    fullAt.set(key, next)
    return true
  }
}
