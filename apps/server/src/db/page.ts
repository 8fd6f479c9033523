import { TOTAL_CAP } from '@tocsin/contract/page'
import { type Compilable, sql } from 'kysely'
import type { Db } from '#db/db'

type Limitable = Compilable & { limit: (rows: number) => Compilable }

const upTo = (rows: Limitable) => rows.limit(TOTAL_CAP + 1) as Compilable & Parameters<typeof sql>[1]

type Total = { total: number; capped?: boolean }
const totalOf = (n: number): Total => (n > TOTAL_CAP ? { total: TOTAL_CAP, capped: true } : { total: n })

/** Counts exactly up to TOTAL_CAP rows, then returns `{total: TOTAL_CAP, capped: true}` (DESIGN 5). */
export const countCapped = async (db: Db, rows: Limitable): Promise<Total> => {
  const { rows: found } = await sql<{ n: number }>`select count(*) as n from ${upTo(rows)} as counted`.execute(db)
  return totalOf(found[0]?.n ?? 0)
}

/** Without a choice a log is read newest first. Both directions read the index over the time and the id. */
export const logDirection = (orderBy: string | undefined): 'asc' | 'desc' =>
  orderBy === undefined || orderBy.startsWith('-') ? 'desc' : 'asc'

type PlaceOfPage = { limit: number; offset: number; direction: 'asc' | 'desc' }

/**
 * Returns the ids of one page and the total from one index-only scan over `at` and `id`. The rows come in this direction.
 * The caller then reads the page's rows by these ids (DESIGN 7).
 */
export const selectPageIds = async (
  db: Db,
  rows: Limitable,
  { limit, offset, direction }: PlaceOfPage,
): Promise<Total & { ids: number[] }> => {
  const { rows: picked } = await sql<{ n: number; ids: string[] }>`
    with found as materialized ${upTo(rows)}
    select (select count(*) from found) as n,
      array(select id from found order by at ${sql.raw(direction)}, id ${sql.raw(direction)} offset ${offset} limit ${limit}) as ids`.execute(
    db,
  )
  const { n = 0, ids = [] } = picked[0] ?? {}
  return { ids: ids.map(Number), ...totalOf(n) }
}

/** The last row of a batch. Its time is text, because a Date would lose the microseconds. */
export type BatchCursor = { id: number; place: string }

/**
 * Reads batches, each by a query of its own that continues after the last row, so that a slow download holds no
 * connection.
 */
export async function* readBatches<R extends BatchCursor>(read: (after: BatchCursor | undefined) => Promise<R[]>) {
  let after: R | undefined
  for (;;) {
    const rows: R[] = await read(after)
    after = rows.at(-1)
    if (!after) return
    yield rows
  }
}
