import { type RawBuilder, sql } from 'kysely'

/** A keyword as a LIKE pattern that finds it anywhere, its own wildcards taken literally. */
export const likePattern = (keyword: string): string => `%${keyword.replace(/[\\%_]/g, '\\$&')}%`

type Held = {
  /** Those of the text, as the table's index has them (migration 0025). */
  pairs: RawBuilder<unknown>
  text: RawBuilder<unknown>
  keyword: string
  /** Pairs of the keyword that are looked for in the index; without them all of its own. */
  sought?: readonly string[]
}

/** Whether a text holds the keyword in whatever case. One character has no pair, and every row is read. */
export const containsKeyword = ({ pairs, text, keyword, sought = [] }: Held) => {
  const few = sought.length > 0 ? sql`${sought}::text[]` : sql`bigrams(${keyword})`
  return keyword.length < 2
    ? sql<boolean>`${text} ilike ${likePattern(keyword)}`
    : sql<boolean>`(${pairs} @> ${few} and ${text} ilike ${likePattern(keyword)})`
}
