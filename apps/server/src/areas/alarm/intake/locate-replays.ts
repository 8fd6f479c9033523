import { TRUSTED_SKEW_MS } from '@tocsin/contract/device/device'
import type { UnscopedDb } from '#db/db'
import type { HistoryQuery } from './signal-history.ts'
import { loadPastSources } from './signal-source.ts'

/** A clock that drifts more than this between a press and the measurement of its skew was set in between. */
const DRIFT_MS = 60_000

/**
 * Whether the clock of the stamp was right: measured in the same boot, and not set since. A wrong place sends people to
 * the wrong building, so anything less certain counts at the present place.
 */
const isClockProven = ({ source, signal: { stamp } }: HistoryQuery): boolean =>
  stamp !== null &&
  stamp.boot === source.skewBoot &&
  source.skewMs !== null &&
  Math.abs(source.skewMs) <= TRUSTED_SKEW_MS &&
  source.bootClockMs !== null &&
  Math.abs(stamp.ts - stamp.upMs - source.bootClockMs) <= DRIFT_MS

/** Whether a person was at the device, at a place where it does not hang any more. */
const isFromEarlierPlace = (query: HistoryQuery): boolean => {
  const { source, signal, clock, beganAt } = query
  if (beganAt !== undefined) return source.installedFrom === null || beganAt < source.installedFrom
  if (signal.kind !== 'ALARM' && signal.code !== 'MANUAL_RESET') return false
  const hasMoved =
    source.installedFrom === null
      ? signal.replay
      : clock.occurredAt.getTime() + TRUSTED_SKEW_MS < source.installedFrom.getTime()
  return hasMoved && isClockProven(query)
}

/**
 * A press that a device kept while it was offline belongs to the place where it was made, and a condition that lasted to the
 * place where it began.
 */
export const locateReplays = async (all: UnscopedDb, queries: readonly HistoryQuery[]): Promise<HistoryQuery[]> => {
  const moments = queries
    .filter(isFromEarlierPlace)
    .map(({ source: { deviceId }, clock, beganAt }) => ({ deviceId, at: beganAt ?? clock.occurredAt }))
  if (moments.length === 0) return [...queries]
  const past = new Map((await loadPastSources(all, moments)).map((source) => [source.deviceId, source]))
  return queries.map((query) => {
    const { now, installedFrom, deviceId } = query.source
    const source = past.get(deviceId)
    // Without an installation then or now, the school that holds the device is all that is known.
    const isKnown = source && (source.installedFrom !== null || installedFrom !== null)
    return isKnown ? { ...query, source: { ...source, now, installedTo: source.installedTo ?? installedFrom } } : query
  })
}
