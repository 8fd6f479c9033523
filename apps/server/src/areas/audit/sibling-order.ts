import { SORT_MAX } from '@tocsin/contract/settings/wire-codecs'
import type { Db } from '#db/db'
import { writeAudits } from './audit.ts'
import type { Caller } from '#http/route'

type Sorted = { id: number; sort: number }

/**
 * Returns sort numbers that put a row before another, or behind all when there is none: existing numbers are reused, so
 * that few siblings change. `siblings` are in their order, without the row.
 */
export const reorderedSiblings = (siblings: readonly Sorted[], row: Sorted, beforeId: number | null): Sorted[] => {
  const found = siblings.findIndex(({ id }) => id === beforeId)
  const at = found < 0 ? siblings.length : found
  const ids = [...siblings.slice(0, at), row, ...siblings.slice(at)].map(({ id }) => id)
  const sorts = [...siblings, row].map(({ sort }) => sort).toSorted((a, b) => a - b)
  let last = -1
  const placed = ids.map((id, index) => {
    last = Math.max(last + 1, sorts[index] ?? 0)
    return { id, sort: last }
  })
  // Numbers at the very end of the range leave no space: then the numbering begins anew.
  return last <= SORT_MAX ? placed : ids.map((id, index) => ({ id, sort: index }))
}

type Tree = 'dept' | 'menu'

/** The children of a parent in their order, without the moved row. */
export const listSiblings = (trx: Db, tree: Tree, { id, parentId }: { id: number; parentId: number | null }) =>
  trx
    .selectFrom(tree)
    .select(['id', 'sort'])
    .where('parentId', 'is not distinct from', parentId)
    .where('id', '<>', id)
    .orderBy('sort')
    .orderBy('id')
    .execute()

type Reorder = { siblings: readonly Sorted[]; places: ReadonlyMap<number, number>; who: Caller }

/** Saves the new sort numbers of siblings whose number changed, with audit, and changes nothing else of them. */
export const saveSiblingOrder = async (trx: Db, tree: Tree, { siblings, places, who }: Reorder): Promise<void> => {
  const moved = siblings.flatMap(({ id, sort }) => {
    const place = places.get(id) ?? sort
    return place === sort ? [] : [{ id, sort, place }]
  })
  for (const { id, place } of moved) await trx.updateTable(tree).set({ sort: place }).where('id', '=', id).execute()
  if (moved.length === 0) return
  const action = `system:${tree}:update`
  const entries = moved.map(({ id, sort, place }) => ({
    ...who,
    action,
    subject: tree,
    subjectId: id,
    before: { sort },
    after: { sort: place },
  }))
  await writeAudits(trx, entries)
}
