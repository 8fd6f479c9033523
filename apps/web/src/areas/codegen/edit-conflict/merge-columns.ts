import type { CodegenDetail } from '@tocsin/contract/codegen/codegen'
import { mergeRemote, isSame, type Values as Flat } from '#ui/edit-conflict/remote-row.ts'
import { type Values, valuesOf } from '../columns/columns-form.ts'

/** Beside `table.title` and `columns.7.title`, by the id of the column: the order in which the columns stand. */
export const ORDER = 'order'

/** Each choice of the form under a name of its own, which stays the same when the columns stand otherwise. */
export const flattenForm = ({ columns }: CodegenDetail, values: Values): Flat => {
  const chosen = columns.flatMap(({ id }, at) => {
    const of = values.columns[at]
    return of ? [{ id, of }] : []
  })
  const named = chosen.flatMap(({ id, of: { sort: _sort, ...rest } }) =>
    Object.entries(rest).map(([name, value]) => [`columns.${id}.${name}`, value]),
  )
  return {
    ...Object.fromEntries(Object.entries(values.table).map(([name, value]) => [`table.${name}`, value])),
    ...Object.fromEntries(named),
    [ORDER]: chosen
      .toSorted((a, b) => a.of.sort - b.of.sort)
      .map(({ id }) => id)
      .join(),
  }
}

type Placed = { name: (string | number)[]; value: unknown }

/** Where the form has them. */
export const toFormFields = ({ columns }: CodegenDetail, flat: Flat): Placed[] =>
  Object.entries(flat).flatMap(([name, value]): Placed[] => {
    if (name === ORDER) {
      const ids = String(value).split(',').map(Number)
      // A column that the order does not know goes behind those it does.
      const sortOf = (id: number, at: number) => (ids.includes(id) ? ids.indexOf(id) : ids.length + at)
      return columns.map(({ id }, at) => ({ name: ['columns', at, 'sort'], value: sortOf(id, at) }))
    }
    const [part = '', of = '', field = ''] = name.split('.')
    if (part === 'table') return [{ name: ['table', of], value }]
    const at = columns.findIndex(({ id }) => id === Number(of))
    return at < 0 ? [] : [{ name: ['columns', at, field], value }]
  })

/** What somebody else saved, in the terms of this form. */
export type ColumnMerge = { detail: CodegenDetail; theirs: Flat; merged: string[]; conflicting: string[] }

/**
 * Lays his choices beside the own ones.
 * @param base what the own ones began with
 * @param before what was still open when this form met him last
 * @returns with what the form holds from now on: his choices, and the own ones where they were changed here
 */
export const mergeColumns = (
  base: Flat,
  mine: Flat,
  { detail, before = [] }: { detail: CodegenDetail; before?: readonly string[] },
): ColumnMerge & { next: Flat } => {
  const theirs = flattenForm(detail, valuesOf(detail))
  const { followed, differing } = mergeRemote(base, mine, theirs)
  const own = (name: string) => name in mine && !isSame(mine[name], base[name])
  const next = Object.fromEntries(Object.entries(theirs).map(([name, his]) => [name, own(name) ? mine[name] : his]))
  const open = [...new Set([...before.filter((name) => name in theirs), ...differing])]
  return { detail, theirs, merged: followed, conflicting: open, next }
}

/** A dictionary, how it is filled in and how it is searched by fit each other: who takes one of his takes all. */
const FITTING = ['dictType', 'formType', 'queryType']

/** The choices that are taken together with these. */
export const withDependentFields = (names: readonly string[]): string[] => [
  ...new Set(
    names.flatMap((name) => {
      const [part, of, field = ''] = name.split('.')
      return part === 'columns' && FITTING.includes(field) ? FITTING.map((one) => `columns.${of}.${one}`) : [name]
    }),
  ),
]
