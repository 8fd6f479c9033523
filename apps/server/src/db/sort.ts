import { type RawBuilder, sql } from 'kysely'

/** Columns of a list by their names. `nullable` ones put empty values last in both directions. */
export type SortColumns<Name extends string> = Record<Name, { by: RawBuilder<unknown>; nullable?: true }>

/** The order that a reader chose, `-` for the largest first; undefined without a choice. */
export const sortOrder = <Name extends string>(
  sort: Name | `-${Name}` | undefined,
  columns: SortColumns<Name>,
): RawBuilder<unknown> | undefined => {
  if (sort === undefined) return undefined
  const isDescending = sort.startsWith('-')
  // The contract limits the choice to these names.
  const { by, nullable } = columns[(isDescending ? sort.slice(1) : sort) as Name]
  if (!isDescending) return sql`${by} asc`
  return nullable ? sql`${by} desc nulls last` : sql`${by} desc`
}
