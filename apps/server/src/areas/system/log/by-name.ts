import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/db'
import { holds, like } from '#db/like'
import { everything } from '#db/scope'
import type { Window } from '#http/window'

const SAMPLE = 1000

const COMMON = 0.2

/**
 * How many of the latest rows of the window hold the keyword, and which of its pairs few of them hold, whoever's they
 * are: it decides how to search, not what is found.
 */
const sampled = async (db: Db, table: 'loginLog' | 'auditLog', keyword: string, { from, to }: Window) => {
  const all = everything(db, 'how common a name is decides the way to it, and nothing of it is told')
  const latest = sql`
    select username from ${sql.table(table)} where at >= ${from} and at <= ${to ?? 'infinity'}
    order by at desc, id desc limit ${SAMPLE}`
  const { rows } = await sql<{ share: number | null; few: string[] }>`
    with latest as materialized (${latest})
    select (select avg((username ilike ${like(keyword)})::int)::float8 from latest) as share,
      array(select pair from unnest(bigrams(${keyword})) as pair
        where (select avg((strpos(lower(username), pair) > 0)::int) from latest) <= ${COMMON}) as few`.execute(all)
  const [{ share, few } = { share: null, few: [] }] = rows
  return { common: (share ?? 0) > COMMON, few }
}

/** A window of a log, and in it the condition that a name sets. */
export type Search = Window & { named: RawBuilder<boolean> | undefined }

/**
 * Pairs of a log's names are made when they are needed (migration 0025), which takes some ten times as long as comparing
 * a name: where many rows hold the keyword, comparing one after the other until enough are found is quicker. Where few
 * do, a pair that many hold only makes the index longer to read.
 */
export const searchOf = async (
  db: Db,
  table: 'loginLog' | 'auditLog',
  keyword: string | undefined,
  window: Window,
): Promise<Search> => {
  if (!keyword) return { ...window, named: undefined }
  const name = sql.ref('username')
  const { common, few } = await sampled(db, table, keyword, window)
  const named = common
    ? sql<boolean>`${name} ilike ${like(keyword)}`
    : holds({ pairs: sql`bigrams(username)`, text: name, keyword, sought: few })
  return { ...window, named }
}
