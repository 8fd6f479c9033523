import { type RawBuilder, sql } from 'kysely'

/** A keyword as a LIKE pattern that finds it anywhere, its own wildcards taken literally. */
export const like = (keyword: string): string => `%${keyword.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Whether a text holds the keyword in whatever case. `pairs` are those of the text, as the table's index has them
 * (migration 0025). One character has no pair, and every row is read.
 */
export const holds = (pairs: RawBuilder<unknown>, text: RawBuilder<unknown>, keyword: string) =>
  keyword.length < 2
    ? sql<boolean>`${text} ilike ${like(keyword)}`
    : sql<boolean>`(${pairs} @> bigrams(${keyword}) and ${text} ilike ${like(keyword)})`
