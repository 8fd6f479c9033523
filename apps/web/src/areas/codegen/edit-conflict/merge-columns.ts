import type { CodegenDetail } from '@tocsin/contract/codegen/codegen'
import { mergeRemote, isSame, type Values as Flat } from '#ui/edit-conflict/remote-row.ts'
import { type Values, valuesOf } from '../columns/columns-form.ts'

/** The order of the columns by id, beside keys like `table.title` and `columns.7.title`. */
export const ORDER = 'order'

/** Each setting of the form under a key that does not change when the columns are reordered. */
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

/** Converts the flat settings to fields of the form. */
export const toFormFields = ({ columns }: CodegenDetail, flat: Flat): Placed[] =>
  Object.entries(flat).flatMap(([name, value]): Placed[] => {
    if (name === ORDER) {
      const ids = String(value).split(',').map(Number)
      // A column missing in the order is placed behind the others.
      const sortOf = (id: number, at: number) => (ids.includes(id) ? ids.indexOf(id) : ids.length + at)
      return columns.map(({ id }, at) => ({ name: ['columns', at, 'sort'], value: sortOf(id, at) }))
    }
    const [part = '', of = '', field = ''] = name.split('.')
    if (part === 'table') return [{ name: ['table', of], value }]
    const at = columns.findIndex(({ id }) => id === Number(of))
    return at < 0 ? [] : [{ name: ['columns', at, field], value }]
  })

/** The remote version in the terms of this form. */
export type ColumnMerge = { detail: CodegenDetail; theirs: Flat; merged: string[]; conflicting: string[] }

/**
 * Merges the remote settings with the local ones.
 * @param base the version that the local edit started from
 * @param before the open conflicts of the last merge
 * @returns the new form values: remote settings, and local ones where they were changed
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

/** Dictionary, input and operator depend on each other: taking one remote value takes all three. */
const FITTING = ['dictType', 'formType', 'queryType']

/** The settings that are taken together with these. */
export const withDependentFields = (names: readonly string[]): string[] => [
  ...new Set(
    names.flatMap((name) => {
      const [part, of, field = ''] = name.split('.')
      return part === 'columns' && FITTING.includes(field) ? FITTING.map((item) => `columns.${of}.${item}`) : [name]
    }),
  ),
]
