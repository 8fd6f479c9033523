import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { daysBefore } from '../clock.ts'

/** The server's maximum window (DESIGN 7): records that wait longer are found in the list of records. */
export const REVIEW_DAYS = 90

/**
 * Resolved records to review, when they were fetched, and whether that fails now; undefined for users who may not
 * close.
 */
export const useReview = () => {
  const may = useHasPermission('warn:record:close')
  // A desk stays open for weeks: a fixed start would exceed the server's maximum window.
  const from = daysBefore(useServerTime(), REVIEW_DAYS)
  const { data, dataUpdatedAt, failureCount, error } = useQuery({
    ...queryFor(warnRecords.page, { query: { state: ['RESOLVED'], from, pageNo: 1, pageSize: 200 } }),
    enabled: may,
    placeholderData: keepPreviousData,
  })
  return may && data ? { ...data, readAt: dataUpdatedAt, failing: failureCount > 0 || error !== null } : undefined
}
