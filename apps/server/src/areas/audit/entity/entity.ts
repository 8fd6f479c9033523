import { type Lang, labelKindOf } from '@tocsin/contract/field'
import type { Page } from '@tocsin/contract/page'
import type { z } from 'zod'
import type { Db } from '#db/db'
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
  ExportColumn,
  ListRowOf,
  NewOf,
  QueryOf,
  RowOf,
} from './declaration.ts'
import { type AnyRow, createEntityReads, type EntityReads } from './entity-read.ts'
import { createEntityWrites, missingError } from './entity-write.ts'
import { enumWord } from './enum-words.ts'

/** The export of any entity. */
export type EntityExporter = Exporter<ExportOptions, AnyRow, AnyRow>

/** What the registry of entities needs of each. */
export type ServedEntity<D extends { db: Db }> = {
  routes: (deps: D) => Route[]
  exporter: EntityExporter | undefined
  table: EditedTable
  draft: z.ZodObject
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

const exportColumn = (row: z.ZodObject, { name, width, cell }: LooseColumn, lang: Lang): SheetColumn<AnyRow> => {
  const kind = labelKindOf(row.shape[name] as z.ZodType)
  const show = cell ?? (kind ? (value: unknown) => enumWord(kind, value, lang) : undefined)
  return sheetColumn(row, name, {
    ...(width !== undefined && { width }),
    ...(show && { cell: (value: unknown, whole: AnyRow) => show(value, whole, lang) }),
  })
}

const createExporter = (
  { of, table, file, exported }: EntityDeclaration<EntityCalls, EditedTable, { db: Db }>,
  { list, shown }: EntityReads,
): EntityExporter | undefined => {
  const { export: now, exportLater } = of
  if (!now || !exportLater) return undefined
  const row = of.get.data
  const names: readonly ExportColumn<AnyRow>[] =
    exported ?? Object.keys(row.shape).filter((name) => !notExported.has(name))
  const { title = '', titlesEn = '' } = of.page.titles ?? {}
  return {
    endpoints: { export: now, exportLater },
    subject: table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name: file?.name ?? title,
    nameEn: file?.nameEn ?? titlesEn,
    columns: async (_db, lang) =>
      names.map((column) =>
        exportColumn(row, (typeof column === 'string' ? { name: column } : column) as LooseColumn, lang),
      ),
    rows: (db, actor, query) => list(db, actor, query as AnyRow) as unknown as RowsQuery<AnyRow>,
    shown: (_reader, rows) => rows.map(shown),
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
  const get = async (db: Db, actor: Actor, id: number): Promise<RowOf<C>> => {
    const row = await reads.find(db, actor, id)
    if (!row) throw missingError(declaration as never)
    return (await reads.detail(db, actor, row)) as RowOf<C>
  }
  return {
    ...writes,
    page: (db, actor, query) => reads.page(db, actor, query) as Promise<Page<ListRowOf<C>>>,
    get,
    exporter,
    table: declaration.table,
    draft: declaration.of.create.body,
    routes: (deps) => entityRoutes(declaration.of, { deps, reads, writes: writes as never, get, exporter }),
  }
}

type Parts<C extends EntityCalls, D extends { db: Db }> = {
  deps: D
  reads: EntityReads
  writes: Pick<Entity<EntityCalls, D>, 'create' | 'update' | 'delete'>
  get: Entity<C, D>['get']
  exporter: EntityExporter | undefined
}

/** Binds the calls that the entity has. */
const entityRoutes = <C extends EntityCalls, D extends { db: Db }>(
  of: EntityCalls,
  { deps, reads, writes, get, exporter }: Parts<C, D>,
): Route[] => {
  const { db } = deps
  const { simpleList, deleteList } = of
  const options = simpleList && Object.keys((simpleList.data as z.ZodArray<z.ZodObject>).element.shape)
  return [
    route(of.page, ({ query, actor }) => reads.page(db, actor, query)),
    route(of.get, ({ query, actor }) => get(db, actor, query.id)),
    ...(simpleList && options ? [route(simpleList, ({ actor }) => reads.choices(db, actor, options))] : []),
    route(of.create, ({ body, caller }) => writes.create(deps, caller, body)),
    route(of.update, ({ body, caller }) => writes.update(deps, caller, body as never)),
    ...(deleteList ? [route(deleteList, ({ query, caller }) => writes.delete(deps, caller, query.ids))] : []),
    route(of.delete, ({ query, caller }) => writes.delete(deps, caller, [query.id])),
    ...(exporter ? exportRoutes(db, exporter) : []),
  ]
}

/** The same entity with further calls, or other spellings of its own. */
export const addRoutes = <C extends EntityCalls, D extends { db: Db }>(
  entity: Entity<C, D>,
  more: (deps: D) => Route[],
): Entity<C, D> => ({ ...entity, routes: (deps) => [...entity.routes(deps), ...more(deps)] })
