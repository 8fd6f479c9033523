import { type RawBuilder, sql } from 'kysely'

/** Turns a keyword into a LIKE pattern that finds it anywhere; its own wildcards are escaped. */
export const likePattern = (keyword: string): string => `%${keyword.replace(/[\\%_]/g, '\\$&')}%`

type Held = {
  /** The bigrams of the text, as the table's index has them (migration 0025). */
  pairs: RawBuilder<unknown>
  text: RawBuilder<unknown>
  keyword: string
  /** The bigrams of the keyword to look up in the index; all of them by default. */
  sought?: readonly string[]
}

/** Tells whether a text contains the keyword, ignoring case. One character has no bigram, so every row is read. */
export const containsKeyword = ({ pairs, text, keyword, sought = [] }: Held) => {
  const few = sought.length > 0 ? sql`${sought}::text[]` : sql`bigrams(${keyword})`
  return keyword.length < 2
    ? sql<boolean>`${text} ilike ${likePattern(keyword)}`
    : sql<boolean>`(${pairs} @> ${few} and ${text} ilike ${likePattern(keyword)})`
}
