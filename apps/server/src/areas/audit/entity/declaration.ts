import type { Code } from '@tocsin/contract/codes/code'
import type { Data, Endpoint } from '@tocsin/contract/endpoint'
import type { Lang } from '@tocsin/contract/field'
import type { EventType } from '@tocsin/contract/live'
import type { ById, ByIds } from '@tocsin/contract/page'
import type { Move } from '@tocsin/contract/settings/wire-codecs'
import type { AliasedExpression, Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { z } from 'zod'
import type { AllTablesDb, Db } from '#db/db'
import type { NewEvent } from '#db/event'
import type { AllTables, Row } from '#db/tables'
import type { ExportCell } from '#http/csv'
import type { Actor, Caller } from '#http/route'
import type { EditedTable, RowCondition } from '../edit-row.ts'
import type { ChildTable } from './child-rows.ts'

/** What `readEndpoints` of the contract makes: rows that people only read. */
export type ReadCalls = {
  page: Endpoint & { query: z.ZodObject; data: z.ZodObject<{ list: z.ZodArray }> }
  get: Endpoint & { query: typeof ById; data: z.ZodObject }
  /** All rows of a tree. */
  list?: Endpoint & { query: z.ZodObject }
  simpleList?: Endpoint
  export?: Endpoint & { query: z.ZodObject }
  exportLater?: Endpoint
}

/** What `entityEndpoints` makes; an entity may have further calls. */
export type EntityCalls = ReadCalls & {
  create: Endpoint & { body: z.ZodObject }
  update: Endpoint & { body: z.ZodObject }
  delete: Endpoint & { query: typeof ById }
  deleteList?: Endpoint & { query: typeof ByIds }
  /** Moves a row of a tree. */
  move?: Endpoint & { body: typeof Move }
}

/** The compatibility API has one keyword for several columns (wire 3.13). */
export type QueryOf<C extends ReadCalls> = z.output<C['page']['query']> & { keywords?: string | undefined }
export type RowOf<C extends ReadCalls> = Data<C['get']>
export type ListRowOf<C extends ReadCalls> = Data<C['page']> extends { list: readonly (infer R)[] } ? R : never
export type NewOf<C extends EntityCalls> = z.output<C['create']['body']>
export type EditOf<C extends EntityCalls> = z.output<C['update']['body']>
/** What a write names, in the terms of the draft. */
export type ChangesOf<C extends EntityCalls> = {
  [K in Exclude<keyof EditOf<C>, 'id' | 'version'>]?: Exclude<EditOf<C>[K], undefined>
}

type Name<O> = keyof O & string
type Column<T extends EditedTable> = Name<Row<T>>
type On<T extends EditedTable> = ExpressionBuilder<AllTables, T>

/** A column of the export: a field of the row, or one whose cell or width differs. */
export type ExportColumn<R> =
  | Name<R>
  | {
      [K in Name<R>]: { name: K; width?: number; cell?: (value: R[K], row: R, lang: Lang) => ExportCell }
    }[Name<R>]

/** A change that is about to be written. `before` is undefined for a new row. */
export type Change<C extends EntityCalls, T extends EditedTable> = {
  before: Row<T> | undefined
  /** The whole draft as it will be. */
  after: NewOf<C>
  /** The part that the call names. */
  changes: ChangesOf<C>
  caller: Caller
}

/** A change of what belongs to the row in other tables, in the transaction of the row. */
export type PartsChange<C extends EntityCalls, T extends EditedTable> = {
  row: Row<T>
  /** As loaded before; undefined for a new row. */
  before: object | undefined
  changes: ChangesOf<C>
  caller: Caller
}

/** A written change, in its transaction. */
export type WrittenChange<C extends EntityCalls, T extends EditedTable> = {
  verb: 'create' | 'update' | 'delete'
  before: Row<T> | undefined
  after: Row<T> | undefined
  changes: ChangesOf<C>
  caller: Caller
}

/** All that is special about reading the rows of one entity. */
export type ReadDeclaration<C extends ReadCalls, T extends EditedTable> = {
  of: C
  table: T
  /** The error for a row that is not visible; by default "… does not exist" with the name of the entity. */
  missing?: Code
  /** Names of the export file, where they differ from the title. */
  file?: { name: string; nameEn: string }
  /** Columns of another name than their field. */
  columns?: { [K in Name<RowOf<C>>]?: Column<T> }
  /** Columns that `keyword` searches. */
  keyword?: readonly Column<T>[]
  /**
   * Filters that are not the plain ones: a text is contained in its column, a list has the value of its column, a range
   * includes it, anything else equals it, such as a word of a dictionary.
   */
  filters?: { [K in Name<QueryOf<C>>]?: (on: On<T>, value: NonNullable<QueryOf<C>[K]>) => Expression<SqlBool> }
  /** Columns of the order, with a minus the largest first. */
  order: readonly (Column<T> | `-${Column<T>}`)[]
  /** Computed fields of the row. */
  computed?: (on: On<T>) => readonly AliasedExpression<unknown, string>[]
  /** The rows of the table that are of this entity; others do not exist for its calls. */
  rows?: RowCondition<T>
  /** The handle that reads rows; by default the rows that the user may see. */
  handle?: (db: Db, actor: Actor) => AllTablesDb
  /** The row as calls return it, where renaming columns is not enough. */
  shown?: (row: Row<T>) => ListRowOf<C>
  /** What `get` returns, where it is more than the row of the list. */
  detail?: (db: Db, actor: Actor, row: Row<T>) => Promise<RowOf<C>>
  /** Adds to rows what is no column, such as links of files for this reader. An export does without. */
  decorate?: (db: Db, actor: Actor, rows: readonly object[]) => Promise<readonly object[]>
  /** Fields of `get` with the rows of other tables that belong to the row and are written with it. */
  children?: { [K in Name<RowOf<C>>]?: ChildTable }
  /** Options of other forms: which rows, in which order. */
  choice?: { where?: Partial<Row<T>>; order?: readonly Column<T>[] }
  /** Columns of the export; by default all fields but the audit columns. */
  exported?: readonly ExportColumn<RowOf<C>>[]
}

/** The same of writing them. */
export type EntityDeclaration<C extends EntityCalls, T extends EditedTable, D extends { db: Db }> = ReadDeclaration<
  C,
  T
> & {
  /** The column that names a row in the error of a bulk deletion. */
  nameColumn: Column<T>
  /** Fields of the draft that are kept in other tables: they are audited with the row. */
  parts?: {
    load: (db: Db, row: Row<T>) => Promise<object>
    save: (trx: Db, change: PartsChange<C, T>) => Promise<void>
  }
  /** Rows have a parent of the same table in `parentId`; siblings are in the order of `sort`, if the table has it. */
  isTree?: boolean
  /** Fields that keep the value with which the row was created. */
  fixed?: readonly Name<NewOf<C>>[]
  /**
   * Tables that fields refer to: a row that the user may not see cannot be chosen. The school and the department that
   * decide who sees the row need not be named.
   */
  references?: { [K in Name<NewOf<C>>]?: Name<AllTables> }
  /** Locks what has to be locked before the row itself. */
  lockFirst?: (trx: Db, change: { id: number | undefined; changes: ChangesOf<C> }) => Promise<void>
  /** Another verb that an edit includes, made first; returns the row after it. */
  begin?: (trx: Db, change: { before: Row<T>; changes: ChangesOf<C>; caller: Caller }) => Promise<Row<T>>
  /** Rules over several fields or rows. */
  check?: (trx: Db, change: Change<C, T>) => Promise<void> | void
  /** The columns to write, where renaming fields is not enough. */
  toColumns?: (
    changes: ChangesOf<C>,
    write: { trx: Db; before: Row<T> | undefined; deps: D; caller: Caller },
  ) => object | Promise<object>
  /** Rules about deletion, beyond the foreign keys. */
  checkDeletion?: (trx: Db, row: Row<T>, caller: Caller) => Promise<void> | void
  /** Further writes of the transaction. */
  saved?: (trx: Db, change: WrittenChange<C, T>) => Promise<void>
  /** After the commit, on this node. */
  committed?: () => void
  /**
   * Told to everybody, or the events of a row. Without it, those who may read the row and have the permission are told.
   */
  events?: EventType | ((row: Row<T>) => readonly NewEvent[])
}
