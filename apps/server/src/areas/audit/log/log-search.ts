import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/db'
import { containsKeyword, likePattern } from '#db/keyword-search'
import { unscoped } from '#db/scope'
import type { TimeWindow } from '#http/time-window'

type Log = 'loginLog' | 'auditLog'
/** A column with a bigram index, and its search text. */
type Part = { column: 'username' | 'ip'; keyword: string }

const SAMPLE = 1000
const COMMON = 0.2

/**
 * Counts how many of the latest rows of the window contain the keyword, and which of its bigrams are rare, for all
 * users: this decides how to search, not what is found.
 */
const sampled = async (db: Db, log: Log, { column, keyword }: Part, { from, to }: TimeWindow) => {
  const all = unscoped(db, 'how common a word is decides the way to it, and nothing of it is told')
  const latest = sql`
    select ${sql.ref(column)} as text from ${sql.table(log)} where at >= ${from} and at <= ${to ?? 'infinity'}
    order by at desc, id desc limit ${SAMPLE}`
  const { rows } = await sql<{ share: number | null; few: string[] }>`
    with latest as materialized (${latest})
    select (select avg((text ilike ${likePattern(keyword)})::int)::float8 from latest) as share,
      array(select pair from unnest(bigrams(${keyword})) as pair
        where (select avg((strpos(lower(text), pair) > 0)::int) from latest) <= ${COMMON}) as few`.execute(all)
  const [{ share, few } = { share: null, few: [] }] = rows
  return { common: (share ?? 0) > COMMON, few }
}

/** A time window of a log, with the parts of a name or an address that its rows must contain. */
export type LogSearch = TimeWindow & { parts: RawBuilder<boolean>[] }

/**
 * Bigrams of a log are computed on demand (migration 0025), which takes about ten times as long as comparing a text:
 * when many rows contain the keyword, comparing row by row until enough are found is faster. When few do, a frequent
 * bigram only makes the index scan longer.
 */
export const planLogSearch = async (
  db: Db,
  log: Log,
  partial: Partial<Record<Part['column'], string | undefined>>,
  window: TimeWindow,
): Promise<LogSearch> => {
  const parts: RawBuilder<boolean>[] = []
  for (const column of ['username', 'ip'] as const) {
    const { [column]: keyword } = partial
    if (!keyword) continue
    const text = sql.ref(column)
    const { common, few } = await sampled(db, log, { column, keyword }, window)
    parts.push(
      common
        ? sql<boolean>`${text} ilike ${likePattern(keyword)}`
        : containsKeyword({ pairs: sql`bigrams(${text})`, text, keyword, sought: few }),
    )
  }
  return { ...window, parts }
}
