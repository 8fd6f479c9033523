import { codes } from '@tocsin/contract/codes'
import type { Move } from '@tocsin/contract/settings/wire-codecs'
import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { EditedTable } from '../edit-row.ts'
import { fieldError } from '../edit-transaction.ts'
import { reorderedSiblings } from '../sibling-order.ts'
import type { AnyTables } from './entity-read.ts'

type TreeRow = { id: number; parentId: number | null; sort?: number }

const treeRows = (trx: Db, table: EditedTable) =>
  (unscoped(trx, 'an ancestor or a descendant may be out of sight') as unknown as Kysely<AnyTables>).selectFrom(
    table as string,
  )

/** One lock for the whole tree: two concurrent moves could form a cycle. */
export const lockTree = async (trx: Db, table: EditedTable): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${table}))`.execute(trx)
}

/** Rejects a parent that is the row itself or below it. Call under the lock of the tree. */
export const checkNoCycle = async (
  trx: Db,
  table: EditedTable,
  draft: z.ZodObject,
  { id, parentId }: { id: number; parentId: number | null | undefined },
): Promise<void> => {
  for (let above = parentId ?? null; above !== null; ) {
    if (above === id) throw fieldError(draft, 'parentId', 'choice')
    const row = await treeRows(trx, table).select('parentId').where('id', '=', above).executeTakeFirst()
    above = (row?.['parentId'] as number | null | undefined) ?? null
  }
}

/** Rejects the deletion of a row with rows below it, visible or not. */
export const checkLeaf = async (trx: Db, table: EditedTable, id: number, what: string): Promise<void> => {
  const below = await treeRows(trx, table).select('id').where('parentId', '=', id).executeTakeFirst()
  if (below) throw new BusinessError(codes.referred, { what })
}

/** Makes room for a moved row among its new siblings; @returns its own place. A tree without an order has none. */
export const placeAmongSiblings = async (
  trx: Db,
  table: EditedTable,
  row: TreeRow,
  { parentId, beforeId }: Pick<Move, 'parentId' | 'beforeId'>,
): Promise<number | undefined> => {
  if (row.sort === undefined) return undefined
  const siblings = (await treeRows(trx, table)
    .select(['id', 'sort'])
    .where('parentId', 'is not distinct from', parentId)
    .where('id', '<>', row.id)
    .orderBy('sort')
    .orderBy('id')
    .execute()) as { id: number; sort: number }[]
  const places = reorderedSiblings(siblings, { id: row.id, sort: row.sort }, beforeId)
  const all = unscoped(trx, 'siblings keep their order, visible or not') as unknown as Kysely<AnyTables>
  for (const { id, sort } of places)
    if (id !== row.id && siblings.some((sibling) => sibling.id === id && sibling.sort !== sort))
      await all
        .updateTable(table as string)
        .set({ sort })
        .where('id', '=', id)
        .execute()
  return places.find(({ id }) => id === row.id)?.sort
}
