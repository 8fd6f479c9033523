import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type DeskQueue, warnRecords } from '@tocsin/contract/alarm/records'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { useEffect } from 'react'
import { useLive } from '#api/live.ts'
import { client, queryFor } from '#api/query.ts'
import { updateClock } from '../clock.ts'

/** Events make the queue read again at once; this only bounds what a lost event could hide. */
const SAFETY_MS = 30_000
/** A renewed claim is no event; the time it has left must not run out on the screen alone. */
const LEASE_MS = 8_000
/** Without the live connection reading is all there is. */
const DEAF_MS = 5_000

const plain = (value: unknown) => (value instanceof Date ? value.getTime() : value)

const isSame = (one: WarnRecordRow, other: WarnRecordRow): boolean =>
  (Object.keys(other) as (keyof WarnRecordRow)[]).every((key) => plain(one[key]) === plain(other[key]))

/** Rows that did not change keep their identity, so that one alarm among 500 paints one row. */
export const reuseRows = (old: readonly WarnRecordRow[], next: readonly WarnRecordRow[]): WarnRecordRow[] => {
  const known = new Map(old.map((row) => [row.id, row]))
  return next.map((row) => {
    const before = known.get(row.id)
    return before && isSame(before, row) ? before : row
  })
}

// Both come from this query, which the library does not know at this point.
const share = (old: unknown, next: unknown): unknown =>
  old ? { ...(next as DeskQueue), list: reuseRows((old as DeskQueue).list, (next as DeskQueue).list) } : next

const options = { ...queryFor(warnRecords.desk), structuralSharing: share, meta: { ofNow: true } }

const pace = (queue: DeskQueue | undefined): number =>
  queue?.list.some(({ state }) => state === 'CLAIMED') ? LEASE_MS : SAFETY_MS

/** The open queue as the server orders it, never merged with what was pushed. */
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
    if (now !== undefined) updateClock(now, dataUpdatedAt)
  }, [now, dataUpdatedAt])
  return query
}

/** A record as the last reading had it. */
export const cachedRecord = (id: number): WarnRecordRow | undefined =>
  client.getQueryData(options.queryKey)?.list.find((row) => row.id === id)

const sheetOf = (id: number) => queryFor(warnRecords.get, { query: { id } }).queryKey

/** A record as it is known best: by a list of the desk, or by its sheet, which is ahead after an act and shows older ones. */
export const freshestRecord = (id: number | undefined, row: WarnRecordRow | undefined): WarnRecordRow | undefined => {
  const sheet = id === undefined ? undefined : client.getQueryData(sheetOf(id))?.record
  return !row || (sheet && sheet.version > row.version) ? sheet : row
}

/** The answer to one's own act, at once: the next form begins from it, and does not take it for somebody else's. */
export const cacheRecord = (record: WarnRecordRow): void => {
  const newer = (row: WarnRecordRow) => (row.id === record.id && row.version < record.version ? record : row)
  const isOpen = (row: WarnRecordRow) => row.open
  const [queue, sheet] = [client.getQueryState(options.queryKey), client.getQueryState(sheetOf(record.id))]
  // What else they hold is as old as it was, and the clock of the server too. Written, what cannot be read would no
  // longer say so.
  const asOld = (state: typeof queue | typeof sheet) => ({ updatedAt: state?.dataUpdatedAt ?? 0 })
  const list = (data: DeskQueue) => ({ ...data, list: data.list.map(newer).filter(isOpen) })
  if (!queue?.error) client.setQueryData(options.queryKey, (data) => data && list(data), asOld(queue))
  if (!sheet?.error)
    client.setQueryData(sheetOf(record.id), (data) => data && { ...data, record: newer(data.record) }, asOld(sheet))
}
