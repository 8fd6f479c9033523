import { useQuery } from '@tanstack/react-query'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { queryFor } from '#api/query.ts'

/** That one desk more saw or heard it is no event: hundreds would be told of hundreds. */
const SIGHTINGS_MS = 15_000

/** One record in full; it reads again whenever anything happens to it. */
export const useRecord = (id: number) =>
  useQuery({
    ...queryFor(warnRecords.get, { query: { id } }),
    meta: { errorInPlace: true, ofNow: true },
    refetchInterval: SIGHTINGS_MS,
  })
