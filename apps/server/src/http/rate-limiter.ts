/** Calls of one user per second, and the burst after an idle time. */
export type RateLimit = { perSecond: number; atOnce: number }

/** Whether this user may make one more call now; counts it if so. */
export type RateLimiter = (userId: number, now?: number) => boolean

/**
 * One token bucket per user on this node (trust 6.9). It stores the time at which it is full again, so that it needs no
 * timer. Once per refill time all buckets that were idle since the last time expire together, because they are full.
 */
export const createUserRateLimiter = ({ perSecond, atOnce }: RateLimit): RateLimiter => {
  const step = 1000 / perSecond
  const filling = atOnce * step
  let fullAt = new Map<number, number>()
  let before = fullAt
  let since = 0
  return (userId, now = performance.now()) => {
    if (now - since >= filling) {
      before = fullAt
      fullAt = new Map()
      since = now
    }
    const next = Math.max(now, fullAt.get(userId) ?? before.get(userId) ?? 0) + step
    if (next > now + filling) return false
    fullAt.set(userId, next)
    return true
  }
}
