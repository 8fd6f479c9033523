import { useQuery } from '@tanstack/react-query'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { queryFor } from '#api/query.ts'

/** Another desk that displayed or sounded it emits no event: otherwise hundreds would be notified of hundreds. */
const SIGHTINGS_MS = 15_000

/** One record in full; it is refetched on every event about it. */
export const useRecord = (id: number) =>
  useQuery({
    ...queryFor(warnRecords.get, { query: { id } }),
    meta: { errorInPlace: true, ofNow: true },
    refetchInterval: SIGHTINGS_MS,
  })
