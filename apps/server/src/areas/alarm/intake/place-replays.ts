import type { UnscopedDb } from '#db/db'
import { TRUSTED_SKEW_MS } from './normalize-signal.ts'
import type { HistoryQuery } from './signal-history.ts'
import { loadPastSources } from './signal-source.ts'

/**
 * Whether the device was pressed before it was installed where it hangs now, by a clock whose skew is known. A wrong
 * place sends people to the wrong building, so anything less certain counts at the present place.
 */
const isFromEarlierPlace = ({ source, signal, clock }: HistoryQuery): boolean =>
  signal.replay &&
  (signal.skewMs ?? source.skewMs) !== null &&
  (source.installedFrom === null || clock.occurredAt.getTime() + TRUSTED_SKEW_MS < source.installedFrom.getTime())

/** A press that a device kept while it was offline belongs to the place where it was made. */
export const placeReplays = async (all: UnscopedDb, queries: readonly HistoryQuery[]): Promise<HistoryQuery[]> => {
  const moments = queries
    .filter(isFromEarlierPlace)
    .map(({ source: { deviceId }, clock: { occurredAt } }) => ({ deviceId, at: occurredAt }))
  if (moments.length === 0) return [...queries]
  const past = new Map((await loadPastSources(all, moments)).map((source) => [source.deviceId, source]))
  return queries.map((query) => {
    const { now, installedFrom, deviceId } = query.source
    const source = past.get(deviceId)
    // Without an installation then or now, the school that holds the device is all that is known.
    const isKnown = source && (source.installedFrom !== null || installedFrom !== null)
    return isKnown ? { ...query, source: { ...source, now } } : query
  })
}
