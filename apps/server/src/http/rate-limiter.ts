/** So many calls of one person each second, and so many at once after a quiet time. */
export type RateLimit = { perSecond: number; atOnce: number }

/** Whether one more call of this person may be made now; counted when it may. */
export type RateLimiter = (userId: number, now?: number) => boolean

/**
 * A bucket for each person, on this node (trust 6.9). What is kept of it is the time at which it is full again, so that
 * it needs no clockwork. Once in the time that fills a bucket, all that were not drawn from since the last time are
 * forgotten together: they are full.
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
