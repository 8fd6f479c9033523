import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/db'
import { containsKeyword, likePattern } from '#db/keyword-search'
import { unscoped } from '#db/scope'
import type { TimeWindow } from '#http/time-window'

type Log = 'loginLog' | 'auditLog'
/** A column whose pairs have an index, and what of it is asked for. */
type Part = { column: 'username' | 'ip'; keyword: string }

const SAMPLE = 1000
const COMMON = 0.2

/**
 * How many of the latest rows of the window hold the keyword, and which of its pairs few of them hold, whoever's they
 * are: it decides how to search, not what is found.
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

/** A window of a log, and in it what parts of a name or an address must be there. */
export type LogSearch = TimeWindow & { parts: RawBuilder<boolean>[] }

/**
 * Pairs of a log's texts are made when they are needed (migration 0025), which takes some ten times as long as comparing
 * a text: where many rows hold the keyword, comparing one after the other until enough are found is quicker. Where few
 * do, a pair that many hold only makes the index longer to read.
 */
export const planLogSearch = async (
  db: Db,
  log: Log,
  asked: Partial<Record<Part['column'], string | undefined>>,
  window: TimeWindow,
): Promise<LogSearch> => {
  const parts: RawBuilder<boolean>[] = []
  for (const column of ['username', 'ip'] as const) {
    const { [column]: keyword } = asked
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
