const KEPT = 100_000

/** Counters of one device or of a whole fleet; all devices of a fleet share one instance. */
export type Counters = {
  connected: number
  connects: number
  lost: number
  /** Connections that the device ended itself, because its ping had no answer. */
  silent: number
  refused: number
  pressed: number
  accepted: number
  /** PUBACKs of alarms and events: the broker has them. */
  acknowledged: number
  repeats: number
  copies: number
  fallbacks: number
  fallbackFailures: number
  flashFull: number
  heartbeats: number
  commands: number
  undecodable: number
  latency(ms: number): void
  latencyMs(): { p50: number; p99: number; max: number }
}

export const createCounters = (): Counters => {
  const kept: number[] = []
  let seen = 0
  return {
    connected: 0,
    connects: 0,
    lost: 0,
    silent: 0,
    refused: 0,
    pressed: 0,
    accepted: 0,
    acknowledged: 0,
    repeats: 0,
    copies: 0,
    fallbacks: 0,
    fallbackFailures: 0,
    flashFull: 0,
    heartbeats: 0,
    commands: 0,
    undecodable: 0,
    latency: (ms) => {
      // The newest hundred thousand: memory must not grow in a demo that runs for weeks.
      kept[seen % KEPT] = ms
      seen += 1
    },
    latencyMs: () => {
      const sorted = kept.toSorted((a, b) => a - b)
      return { p50: sortedPercentile(sorted, 50), p99: sortedPercentile(sorted, 99), max: sorted.at(-1) ?? 0 }
    },
  }
}

/** Percentile by nearest rank; `sorted` is ascending; 0 when empty. */
export const sortedPercentile = (sorted: readonly number[], percent: number): number =>
  sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0
