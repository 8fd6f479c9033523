import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/db'
import { holds, like } from '#db/like'
import { everything } from '#db/scope'
import type { Window } from '#http/window'

const SAMPLE = 1000

/** Among the latest rows of the window, whoever's they are: it decides how to search, not what is found. */
const shareOf = async (db: Db, table: 'loginLog' | 'auditLog', keyword: string, { from, to }: Window) => {
  const all = everything(db, 'how common a name is decides the way to it, and nothing of it is told')
  const latest = sql`
    select username from ${sql.table(table)} where at >= ${from} and at <= ${to ?? 'infinity'}
    order by at desc, id desc limit ${SAMPLE}`
  const { rows } = await sql<{ share: number | null }>`
    select avg((username ilike ${like(keyword)})::int)::float8 as share from (${latest}) as latest`.execute(all)
  return rows[0]?.share ?? 0
}

/** A window of a log, and in it the condition that a name sets. */
export type Search = Window & { named: RawBuilder<boolean> | undefined }

/**
 * Pairs of a log's names are made when they are needed (migration 0025), which takes some ten times as long as comparing
 * a name: where many rows hold the keyword, comparing one after the other until enough are found is quicker.
 */
export const searchOf = async (
  db: Db,
  table: 'loginLog' | 'auditLog',
  keyword: string | undefined,
  window: Window,
): Promise<Search> => {
  if (!keyword) return { ...window, named: undefined }
  const name = sql.ref('username')
  const common = (await shareOf(db, table, keyword, window)) > 0.2
  const named = common ? sql<boolean>`${name} ilike ${like(keyword)}` : holds(sql`bigrams(username)`, name, keyword)
  return { ...window, named }
}
