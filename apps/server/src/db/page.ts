import { TOTAL_CAP } from '@tocsin/contract/page'
import { type Compilable, sql } from 'kysely'
import type { Db } from '#db/db'

type Limitable = Compilable & { limit: (rows: number) => Compilable }

/** Exact up to TOTAL_CAP rows, then `{total: TOTAL_CAP, capped: true}` (DESIGN 5). */
export const countUpTo = async (db: Db, rows: Limitable): Promise<{ total: number; capped?: boolean }> => {
  const counted = rows.limit(TOTAL_CAP + 1) as Compilable & Parameters<typeof sql>[1]
  const { rows: found } = await sql<{ n: number }>`select count(*) as n from ${counted} as counted`.execute(db)
  const n = found[0]?.n ?? 0
  return n > TOTAL_CAP ? { total: TOTAL_CAP, capped: true } : { total: n }
}

/** The last row of a batch; its time is text, since a Date would lose the microseconds. */
export type Place = { id: number; place: string }

/** Batch after batch, each a query of its own after the last row, so that a slow download holds no connection. */
export async function* batches<R extends Place>(read: (after: Place | undefined) => Promise<R[]>) {
  let after: R | undefined
  for (;;) {
    const rows: R[] = await read(after)
    after = rows.at(-1)
    if (!after) return
    yield rows
  }
}
