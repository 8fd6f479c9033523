/** So many calls of one person each second, and so many at once after a quiet time. */
export type Pace = { perSecond: number; atOnce: number }

/** Beyond so many people those who are quiet are forgotten. */
const REMEMBERED = 10_000

/** Whether one more call of this person may be made now; counted when it may. */
export type Paced = (userId: number, now?: number) => boolean

/**
 * A bucket for each person, on this node (trust 6.9). What is kept of it is the time at which it is full again, so that
 * it needs no clockwork.
 */
export const pacer = ({ perSecond, atOnce }: Pace): Paced => {
  const step = 1000 / perSecond
  const fullAt = new Map<number, number>()
  return (userId, now = performance.now()) => {
    const next = Math.max(now, fullAt.get(userId) ?? 0) + step
    if (next > now + atOnce * step) return false
    if (fullAt.size >= REMEMBERED) for (const [one, at] of fullAt) if (at <= now) fullAt.delete(one)
    fullAt.set(userId, next)
    return true
  }
}
