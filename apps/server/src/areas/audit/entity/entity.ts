import { dictTypeOf, type Lang, labelKindOf } from '@tocsin/contract/field'
import type { Page } from '@tocsin/contract/page'
import type { Move } from '@tocsin/contract/settings/wire-codecs'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { ExportCell } from '#http/csv'
import { type Actor, type Caller, type Route, route } from '#http/route'
import { type SheetColumn, sheetColumn } from '#spreadsheet/column'
import type { EditableTable, EditedTable } from '../edit-row.ts'
import type { Exporter, ExportOptions, RowsQuery } from '../exporter.ts'
import { exportRoutes } from '../export-routes.ts'
import type {
  EditOf,
  EntityCalls,
  EntityDeclaration,
  ListRowOf,
  NewOf,
  QueryOf,
  ReadCalls,
  ReadDeclaration,
  RowOf,
} from './declaration.ts'
import { loadDictLabels } from './dict-values.ts'
import { type AnyRow, type AnyTables, coreType, createEntityReads, type EntityReads } from './entity-read.ts'
import { createEntityWrites, missingError, ownerReferences } from './entity-write.ts'
import { enumWord } from './enum-words.ts'

/** The export of any entity. */
export type EntityExporter = Exporter<ExportOptions, AnyRow, AnyRow>

/** What the registry of entities needs of each. */
export type ServedEntity<D extends { db: Db }> = {
  routes: (deps: D) => Route[]
  exporter: EntityExporter | undefined
  table: EditedTable
  /** Undefined where rows are only read. */
  draft: z.ZodObject | undefined
}

/** The functions of an entity, for its calls and for those of other spellings. */
export type Entity<C extends EntityCalls, D extends { db: Db }> = ServedEntity<D> & {
  page: (db: Db, actor: Actor, query: QueryOf<C>) => Promise<Page<ListRowOf<C>>>
  get: (db: Db, actor: Actor, id: number) => Promise<RowOf<C>>
  create: (deps: D, caller: Caller, draft: NewOf<C>) => Promise<number>
  update: (deps: D, caller: Caller, edit: EditOf<C>) => Promise<true>
  delete: (deps: D, caller: Caller, ids: readonly number[]) => Promise<true>
}

const notExported = new Set(['version', 'creator', 'updateTime', 'updater'])

type LooseColumn = { name: string; width?: number; cell?: (value: unknown, row: AnyRow, lang: Lang) => ExportCell }

type Names = ReadonlyMap<unknown, string>

/** The words of values that are in the database: entries of a dictionary, and names of the owner of a row. */
const loadNames = async (
  db: Db,
  lang: Lang,
  { table, row, name }: { table: EditedTable; row: z.ZodObject; name: string },
) => {
  const dict = dictTypeOf(row.shape[name] as z.ZodType)
  if (dict) return loadDictLabels(db, dict, lang)
  const owner = ownerReferences(table)[name]
  if (!owner) return undefined
  const all = unscoped(db, 'a row in sight is of an owner in sight') as unknown as Kysely<AnyTables>
  const rows = await all.selectFrom(owner).select(['id', 'name']).execute()
  return new Map(rows.map(({ id, name }) => [id, String(name)] as const))
}

const exportColumn = (
  row: z.ZodObject,
  { name, width, cell }: LooseColumn,
  { lang, names }: { lang: Lang; names: Names | undefined },
): SheetColumn<AnyRow> => {
  const schema = row.shape[name] as z.ZodType
  const kind = labelKindOf(schema)
  const wordOf = (value: unknown) => names?.get(value) ?? (value as ExportCell)
  const isNamed = names !== undefined || coreType(schema) === 'array'
  const named = isNamed && ((value: unknown) => (Array.isArray(value) ? value.map(wordOf).join(' ') : wordOf(value)))
  const show = cell ?? (kind ? (value: unknown) => enumWord(kind, value, lang) : named)
  return sheetColumn(row, name, {
    ...(width !== undefined && { width }),
    ...(show && { cell: (value: unknown, whole: AnyRow) => show(value, whole, lang) }),
  })
}

const createExporter = (
  { of, table, file, exported }: ReadDeclaration<ReadCalls, EditedTable>,
  { list, shown }: EntityReads,
): EntityExporter | undefined => {
  const { export: now, exportLater } = of
  if (!now || !exportLater) return undefined
  const row = of.get.data
  const columns = (exported ?? Object.keys(row.shape).filter((name) => !notExported.has(name))).map((column) =>
    typeof column === 'string' ? { name: column } : column,
  ) as readonly LooseColumn[]
  const { title = '', titlesEn = '' } = of.page.titles ?? {}
  return {
    endpoints: { export: now, exportLater },
    subject: table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name: file?.name ?? title,
    nameEn: file?.nameEn ?? titlesEn,
    columns: (db, lang) =>
      Promise.all(
        columns.map(async (column) =>
          exportColumn(row, column, { lang, names: await loadNames(db, lang, { table, row, name: column.name }) }),
        ),
      ),
    rows: (db, actor, query) => list(db, actor, query as AnyRow) as unknown as RowsQuery<AnyRow>,
    shown: (_reader, rows) => rows.map(shown),
  }
}

const createGet =
  (declaration: object, reads: EntityReads) =>
  async (db: Db, actor: Actor, id: number): Promise<AnyRow> => {
    const row = await reads.find(db, actor, id)
    if (!row) throw missingError(declaration as never)
    return reads.detail(db, actor, row)
  }

/** Rows that people only read: a list, one row and the export. */
export const createReadEntity = <C extends ReadCalls, T extends EditedTable>(
  declaration: ReadDeclaration<C, T>,
): ServedEntity<{ db: Db }> => {
  const reads = createEntityReads(declaration) as EntityReads
  const exporter = createExporter(declaration as never, reads)
  const get = createGet(declaration, reads)
  return {
    exporter,
    table: declaration.table,
    draft: undefined,
    routes: ({ db }) => readRoutes(declaration.of, { db, reads, get, exporter }),
  }
}

/** Makes the functions, calls and export of an entity of its declaration. */
export const createEntity = <C extends EntityCalls, T extends EditedTable, D extends { db: Db } = { db: Db }>(
  declaration: EntityDeclaration<C, T, D>,
): Entity<C, D> & { editable: EditableTable<T> } => {
  // The reading side never uses what C, T and D say.
  const reads = createEntityReads(declaration) as EntityReads
  const writes = createEntityWrites(declaration, reads)
  const exporter = createExporter(declaration as never, reads)
  const get = createGet(declaration, reads)
  return {
    ...writes,
    page: (db, actor, query) => reads.page(db, actor, query) as Promise<Page<ListRowOf<C>>>,
    get: get as Entity<C, D>['get'],
    exporter,
    table: declaration.table,
    draft: declaration.of.create.body,
    // The calls are bound without their types, which follow from the declaration.
    routes: (deps) => [
      ...readRoutes(declaration.of, { db: deps.db, reads, get, exporter }),
      ...writeRoutes(declaration.of, { deps, writes: writes as never }),
    ],
  }
}

type ReadParts = {
  db: Db
  reads: EntityReads
  get: (db: Db, actor: Actor, id: number) => Promise<AnyRow>
  exporter: EntityExporter | undefined
}

const readRoutes = (of: ReadCalls, { db, reads, get, exporter }: ReadParts): Route[] => {
  const { list, simpleList } = of
  const options = simpleList && Object.keys((simpleList.data as z.ZodArray<z.ZodObject>).element.shape)
  return [
    route(of.page, ({ query, actor }) => reads.page(db, actor, query)),
    ...(list
      ? [
          route(list, async ({ query, actor }) =>
            reads.complete(db, actor, await reads.list(db, actor, query).execute()),
          ),
        ]
      : []),
    route(of.get, ({ query, actor }) => get(db, actor, query.id)),
    ...(simpleList && options ? [route(simpleList, ({ actor }) => reads.choices(db, actor, options))] : []),
    ...(exporter ? exportRoutes(db, exporter) : []),
  ]
}

type WriteParts<D extends { db: Db }> = {
  deps: D
  writes: Pick<Entity<EntityCalls, D>, 'create' | 'update' | 'delete'> & {
    move: (deps: D, caller: Caller, move: Move) => Promise<true>
  }
}

const writeRoutes = <D extends { db: Db }>(of: EntityCalls, { deps, writes }: WriteParts<D>): Route[] => {
  const { deleteList, move } = of
  return [
    route(of.create, ({ body, caller }) => writes.create(deps, caller, body)),
    route(of.update, ({ body, caller }) => writes.update(deps, caller, body as never)),
    ...(move ? [route(move, ({ body, caller }) => writes.move(deps, caller, body))] : []),
    ...(deleteList ? [route(deleteList, ({ query, caller }) => writes.delete(deps, caller, query.ids))] : []),
    route(of.delete, ({ query, caller }) => writes.delete(deps, caller, [query.id])),
  ]
}

/** The same entity with further calls, or other spellings of its own. */
export const addRoutes = <C extends EntityCalls, D extends { db: Db }>(
  entity: Entity<C, D>,
  more: (deps: D) => Route[],
): Entity<C, D> => ({ ...entity, routes: (deps) => [...entity.routes(deps), ...more(deps)] })
