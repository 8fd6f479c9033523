import type { HopStat } from '@tocsin/contract/insight/govern'
import { type RawBuilder, sql } from 'kysely'

/**
 * Durations are counted in 256 buckets. The first ends at 0.1 s, each other one is 7 % longer than the one before, and
 * the last begins at 33 days. So a percentile differs from the exact one by at most 3.5 % or 0.1 s.
 */
const FIRST_SEC = 0.1
const GROWTH = 1.07
export const BUCKETS = 256

/** The bucket of a number of seconds. */
export const toBucket = (seconds: RawBuilder<number>): RawBuilder<number> =>
  sql`case when ${seconds} < ${sql.lit(FIRST_SEC)} then 0
    else least(${sql.lit(BUCKETS - 1)}, 1 + floor(ln(${seconds} / ${sql.lit(FIRST_SEC)}) / ln(${sql.lit(GROWTH)})))::int end`

/** The duration that represents a bucket: its geometric mean. */
const secondsOf = (bucket: number): number => (bucket === 0 ? 0 : FIRST_SEC * GROWTH ** (bucket - 0.5))

export const emptyCounts = (): number[] => Array.from({ length: BUCKETS }, () => 0)

/** Adds one count for each byte. */
export const addBytes = (counts: number[], bytes: Uint8Array): void => {
  for (const value of bytes) counts[value] = (counts[value] ?? 0) + 1
}

export const addCounts = (counts: number[], more: readonly number[]): void => {
  for (const [value, count] of more.entries()) counts[value] = (counts[value] ?? 0) + count
}

/** Without the zeros at its end. */
export const trimCounts = (counts: readonly number[]): number[] =>
  counts.slice(0, counts.findLastIndex((count) => count > 0) + 1)

/** The duration at a position in the order of all, from 0. */
const findAt = (counts: readonly number[], position: number): number => {
  let passed = 0
  for (const [bucket, count] of counts.entries()) {
    passed += count
    if (position < passed) return secondsOf(bucket)
  }
  return 0
}

/** Percentiles of the counted durations, interpolated between neighbours as PostgreSQL does. */
export const toHopStat = (counts: readonly number[]): HopStat => {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return { n: 0, p50: null, p90: null, p99: null }
  const at = (part: number) => {
    const position = part * (total - 1)
    const low = findAt(counts, Math.floor(position))
    const high = findAt(counts, Math.ceil(position))
    return Math.round((low + (high - low) * (position % 1)) * 10) / 10
  }
  return { n: total, p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}
