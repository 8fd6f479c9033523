import { useQuery } from '@tanstack/react-query'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { useState } from 'react'
import { read } from '#api/query.ts'
import { serverNow } from '#api/server-clock.ts'
import { useCan } from '#api/session.ts'

/** The server's widest window (DESIGN 7): what waits longer than this is found in the list of records. */
const DAYS = 90

/** Resolved records that wait for a second look; undefined for those who may not close. */
export const useReview = () => {
  const may = useCan('warn:record:close')
  const [from] = useState(() => new Date(serverNow() - DAYS * 86_400_000))
  const { data } = useQuery({
    ...read(warnRecords.page, { query: { state: ['RESOLVED'], from, pageNo: 1, pageSize: 200 } }),
    enabled: may,
  })
  return may ? data : undefined
}
