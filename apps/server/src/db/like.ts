import { type RawBuilder, sql } from 'kysely'

/** A keyword as a LIKE pattern that finds it anywhere, its own wildcards taken literally. */
export const like = (keyword: string): string => `%${keyword.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Whether a text holds the keyword in whatever case, by the table's bigram index (migration 0025): `text` is spelled
 * as the index has it. One character has no pair, and every row is read.
 */
export const holds = (text: RawBuilder<unknown>, keyword: string) =>
  keyword.length < 2
    ? sql<boolean>`${text} ilike ${like(keyword)}`
    : sql<boolean>`(bigrams(${text}) @> bigrams(${keyword}) and ${text} ilike ${like(keyword)})`
