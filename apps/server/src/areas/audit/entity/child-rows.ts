import { codes } from '@tocsin/contract/codes'
import { dictTypesOf, labelOf, unwrap } from '@tocsin/contract/field'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import type { EditedTable } from '../edit-row.ts'
import { changedColumns, createStamp, updateStamp } from '../edit-transaction.ts'
import { checkDictValues } from './dict-values.ts'
import type { AnyRow, AnyTables } from './entity-read.ts'

/** Rows of another table that belong to one row and are written with it. */
export type ChildTable = {
  table: EditedTable
  /** The column that refers to the row. */
  join: string
  order?: readonly string[]
}
export type ChildTables = Readonly<Record<string, ChildTable>>

const elementOf = (schema: z.ZodType): z.ZodObject => {
  const inner = unwrap(schema)
  return inner ? elementOf(inner) : ((schema as z.ZodArray).element as z.ZodObject)
}

const allRows = (db: Db): Kysely<AnyTables> =>
  unscoped(db, 'the row that they belong to is in sight') as unknown as Kysely<AnyTables>

const listRows = ({ table, join, order = [] }: ChildTable, db: Db, parentId: unknown): Promise<AnyRow[]> => {
  const found = allRows(db)
    .selectFrom(table as string)
    .selectAll()
    .where(join, '=', parentId)
  return [...order, 'id'].reduce((left, column) => left.orderBy(column), found).execute()
}

/** The child rows of a row, by field, with the fields that their schema has. */
export const loadChildren = async (
  db: Db,
  { shape }: z.ZodObject,
  children: ChildTables,
  row: AnyRow,
): Promise<AnyRow> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(children).map(async ([field, child]) => {
        const names = Object.keys(elementOf(shape[field] as z.ZodType).shape)
        const rows = await listRows(child, db, row['id'])
        return [field, rows.map((own) => Object.fromEntries(names.map((name) => [name, own[name]])))] as const
      }),
    ),
  )

type List = { field: string; draft: z.ZodObject; child: ChildTable; parentId: unknown }

/** Updates the rows that have an id, inserts the others, deletes those that are not named. */
const saveList = async (
  trx: Db,
  caller: Caller,
  { field, draft: { shape }, child, parentId }: List,
  drafts: readonly AnyRow[],
): Promise<void> => {
  const schema = shape[field] as z.ZodType
  const draft = elementOf(schema)
  const table: string = child.table
  const before = await listRows(child, trx, parentId)
  const named = drafts.map((given) => given['id'])
  const gone = before.map(({ id }) => id).filter((id) => !named.includes(id))
  if (gone.length > 0) await allRows(trx).deleteFrom(table).where('id', 'in', gone).execute()
  for (const [at, { id, ...given }] of drafts.entries()) {
    const held = before.find((row) => row['id'] === id)
    if (id !== undefined && !held) throw new BusinessError(codes.notFound, { what: labelOf(schema)?.title ?? '' })
    await checkDictValues(trx, { draft, types: dictTypesOf(draft), at: `${field}.${at}.` }, given, held)
    const columns = changedColumns(given)
    if (held)
      await allRows(trx)
        .updateTable(table)
        .set({ ...columns, ...updateStamp(caller) })
        .where('id', '=', id)
        .execute()
    else
      await allRows(trx)
        .insertInto(table)
        .values({ ...columns, [child.join]: parentId, ...createStamp(caller) })
        .execute()
  }
}

/** How child rows are loaded, saved and deleted with the row that they belong to. */
export const createChildParts = (row: z.ZodObject, draft: z.ZodObject, children: ChildTables) => ({
  load: (db: Db, of: object): Promise<object> => loadChildren(db, row, children, of as AnyRow),
  save: async (trx: Db, { row: of, changes, caller }: { row: object; changes: object; caller: Caller }) => {
    for (const [field, child] of Object.entries(children)) {
      const drafts = (changes as Record<string, readonly AnyRow[] | undefined>)[field]
      const { id: parentId } = of as AnyRow
      if (drafts) await saveList(trx, caller, { field, draft, child, parentId }, drafts)
    }
  },
  remove: async (trx: Db, of: object): Promise<void> => {
    for (const { table, join } of Object.values(children))
      await allRows(trx)
        .deleteFrom(table as string)
        .where(join, '=', (of as AnyRow)['id'])
        .execute()
  },
})
