/** Tokens per device; a full bucket is forgotten. */
export type TokenBuckets = { tryConsume: (deviceId: number) => boolean }

const SWEEP_AT = 10_000

/**
 * So many a minute, and `burst` at once: a device back from a long silence brings everything its flash held (at least
 * 200 events, domain 3.4).
 */
export const createTokenBuckets = ({ perMinute, burst }: { perMinute: number; burst: number }): TokenBuckets => {
  const buckets = new Map<number, { left: number; at: number }>()
  const refilled = (bucket: { left: number; at: number }, now: number) =>
    Math.min(burst, bucket.left + ((now - bucket.at) * perMinute) / 60_000)
  const sweep = (now: number) => {
    for (const [id, bucket] of buckets) if (refilled(bucket, now) >= burst) buckets.delete(id)
  }
  return {
    tryConsume: (deviceId) => {
      const now = performance.now()
      const bucket = buckets.get(deviceId) ?? { left: burst, at: now }
      const left = refilled(bucket, now)
      if (buckets.size >= SWEEP_AT && !buckets.has(deviceId)) sweep(now)
      buckets.set(deviceId, { left: left >= 1 ? left - 1 : left, at: now })
      return left >= 1
    },
  }
}
