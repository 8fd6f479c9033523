import { type RawBuilder, sql } from 'kysely'

type Sorted = { orderBy?: string | undefined }
type SortName<Query extends Sorted> = Exclude<NonNullable<Query['orderBy']>, `-${string}`>

/** The expression of a sortable column; a `nullable` one puts empty values last in both directions. */
export type SortColumn = { by: RawBuilder<unknown>; nullable?: true }

/** Sorts a state by its place among all states, as the contract lists them. */
export const byWord = (column: RawBuilder<unknown>, words: readonly string[]): RawBuilder<unknown> =>
  sql`array_position(${[...words]}::text[], ${column}::text)`

/** The order of a list whose query has `orderBy: sortable([…])`: one expression for each name, no other compiles. */
export type ListOrder<Query extends Sorted> = {
  columns: Record<SortName<Query>, SortColumn>
  /** The whole order without a choice, the id last. */
  usual: RawBuilder<unknown>
  id: RawBuilder<unknown>
}

/**
 * ORDER BY of a list: as the reader chose, else as usual. The id is last, so that no row is on two pages, in the direction
 * of the column, so that an index over both is read in either direction.
 */
export const toOrderBy = <Query extends Sorted>(
  chosen: Query['orderBy'],
  { columns, usual, id }: ListOrder<Query>,
): RawBuilder<unknown> => {
  if (chosen === undefined) return usual
  const isDescending = chosen.startsWith('-')
  // The contract limits the choice to these names.
  const { by, nullable } = columns[(isDescending ? chosen.slice(1) : chosen) as SortName<Query>]
  if (!isDescending) return sql`${by} asc, ${id} asc`
  return nullable ? sql`${by} desc nulls last, ${id} desc` : sql`${by} desc, ${id} desc`
}
