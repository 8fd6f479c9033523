import type { ReactNode } from 'react'
import type { z } from 'zod'
import { type Column, column } from '../column.tsx'
import type { EntityColumn } from './entity-types.ts'
import { cellFor, isFigure } from './schema-controls.tsx'

/** Left out on narrow screens; the form or another column has them. */
const wideOnly = new Set(['id', 'createTime'])

type LooseColumn = { name: string; show?: (value: unknown, row: Record<string, unknown>) => ReactNode }

/** The heading of a card: the column that says so, or the first that is not the number of the row. */
const findHead = <R,>(given: readonly EntityColumn<R>[]): number => {
  const said = given.findIndex((item) => typeof item === 'object' && item.main === true)
  return said < 0 ? given.findIndex((item) => item !== 'id') : said
}

/** The columns of an entity: each cell as its schema asks for, where the screen does not say otherwise. */
export const toColumns = <R,>(row: z.ZodObject, draft: z.ZodObject, given: readonly EntityColumn<R>[]): Column<R>[] =>
  given.map((item, at) => {
    if (typeof item === 'object' && 'render' in item) return item
    const { name, ...more } = (typeof item === 'string' ? { name: item } : item) as LooseColumn
    // See ui/form.ts fieldIssues for the type of a shape.
    const schema = row.shape[name] as z.ZodType
    const show = cellFor(schema, draft.shape[name] as z.ZodType | undefined)
    return column(row, name, {
      ...(at === findHead(given) && { main: true }),
      ...(wideOnly.has(name) && { wideOnly: true }),
      ...(isFigure(name, schema) && { figure: true }),
      ...(show && { show: (value: unknown) => show(value) }),
      ...more,
    }) as Column<R>
  })
