import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type DeskQueue, warnRecords } from '@tocsin/contract/alarm/records'
import type { DeskRow, WarnRecordRow } from '@tocsin/contract/alarm/record'
import { useEffect } from 'react'
import { useLive } from '#api/live.ts'
import { client, queryFor } from '#api/query.ts'
import { updateServerClock } from '#api/server-clock.ts'

/** Events refetch the queue at once; this only bounds the effect of a lost event. */
const SAFETY_MS = 30_000
/** A renewed claim emits no event; its remaining time must not expire on the screen alone. */
const LEASE_MS = 8_000
/** Without the live connection polling is the only source. */
const DEAF_MS = 5_000

const plain = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : value)

const isSame = (row: DeskRow, other: DeskRow): boolean =>
  (Object.keys(other) as (keyof DeskRow)[]).every((key) => plain(row[key]) === plain(other[key]))

/** Unchanged rows keep their identity, so that one alarm among 500 renders one row. */
export const reuseRows = (old: readonly DeskRow[], next: readonly DeskRow[]): DeskRow[] => {
  const known = new Map(old.map((row) => [row.id, row]))
  return next.map((row) => {
    const before = known.get(row.id)
    return before && isSame(before, row) ? before : row
  })
}

// Both come from this query, which the library's types do not express here.
const share = (old: unknown, next: unknown): unknown =>
  old ? { ...(next as DeskQueue), list: reuseRows((old as DeskQueue).list, (next as DeskQueue).list) } : next

const options = { ...queryFor(warnRecords.desk), structuralSharing: share, meta: { ofNow: true } }

const pace = (queue: DeskQueue | undefined): number =>
  queue?.list.some(({ state }) => state === 'CLAIMED') ? LEASE_MS : SAFETY_MS

/** The open queue in the server's order, never merged with pushed data. */
export const useQueue = () => {
  const isLive = useLive((status) => status.live)

  const query = useQuery({
    ...options,

    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isLive && state.status !== 'error' ? pace(state.data) : DEAF_MS),
    refetchIntervalInBackground: true,
  })
  const { data, dataUpdatedAt } = query
  const now = data?.now.getTime()
  useEffect(() => {
    if (now !== undefined) updateServerClock(now, dataUpdatedAt)
  }, [now, dataUpdatedAt])
  return query
}

/** A record as last fetched. */
export const cachedRecord = (id: number): WarnRecordRow | undefined =>
  client.getQueryData(options.queryKey)?.list.find((row) => row.id === id)

const sheetOf = (id: number) => queryFor(warnRecords.get, { query: { id } }).queryKey

/**
 * The newest known state of a record: from a list of the desk, or from its detail, which is newer after a verb and
 * shows older records.
 */
export const freshestRecord = (id: number | undefined, row: WarnRecordRow | undefined): WarnRecordRow | undefined => {
  const sheet = id === undefined ? undefined : client.getQueryData(sheetOf(id))?.record
  return !row || (sheet && sheet.version > row.version) ? sheet : row
}

/**
 * Stores the response of the user's own verb at once: the next form starts from it, and does not report it as a change
 * by another user.
 */
export const cacheRecord = (record: WarnRecordRow): void => {
  const isOlder = (row: WarnRecordRow) => row.id === record.id && row.version < record.version
  // The next limit comes with the next fetch, which every verb starts.
  const newer = (row: DeskRow): DeskRow => (isOlder(row) ? { ...record, limit: null } : row)
  const isOpen = (row: WarnRecordRow) => row.open
  const [queue, sheet] = [client.getQueryState(options.queryKey), client.getQueryState(sheetOf(record.id))]
  // The other data in these caches keep their age, and so does the server's clock. A full write would hide a failed
  // refetch.
  const asOld = (state: typeof queue | typeof sheet) => ({ updatedAt: state?.dataUpdatedAt ?? 0 })
  const list = (data: DeskQueue) => ({ ...data, list: data.list.map(newer).filter(isOpen) })
  if (!queue?.error) client.setQueryData(options.queryKey, (data) => data && list(data), asOld(queue))
  if (!sheet?.error)
    client.setQueryData(
      sheetOf(record.id),
      (data) => data && { ...data, record: isOlder(data.record) ? record : data.record },
      asOld(sheet),
    )
}
