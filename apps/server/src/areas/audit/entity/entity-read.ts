import { dictTypeOf, unwrap } from '@tocsin/contract/field'
import { type Page, sortNames } from '@tocsin/contract/page'
import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import { z } from 'zod'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped } from '#db/scope'
import { byWord, toOrderBy } from '#db/sort'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import type { EditedTable } from '../edit-row.ts'
import { type ChildTables, loadChildren } from './child-rows.ts'
import type { ReadCalls, ReadDeclaration } from './declaration.ts'

export type AnyRow = Record<string, unknown>
// Kysely cannot type a query over a table that is a type parameter. What leaves this folder is typed again.
export type AnyTables = Record<string, AnyRow>
type AnyOn = ExpressionBuilder<AnyTables, string>
export type AnyRows = SelectQueryBuilder<AnyTables, string, AnyRow>

/** Options of a form at most; a longer list needs a search. */
const MAX_CHOICES = 1000
/** Fields of a query that choose no rows. */
const notFilters = new Set(['pageNo', 'pageNum', 'pageSize', 'orderBy', 'format', 'lang'])

const coreOf = (schema: z.ZodType): z.ZodType => {
  const inner = unwrap(schema)
  return inner ? coreOf(inner) : schema
}
/** The type of a schema inside of its wrappers. */
export const coreType = (schema: z.ZodType): string => coreOf(schema).def.type

/** A word is sorted by its place among all words. */
const sortExpression = (schema: z.ZodType, column: string) => {
  const core = coreOf(schema)
  return core instanceof z.ZodEnum ? byWord(sql.ref(column), core.options.map(String)) : sql.ref(column)
}

/** Tells whether one of the columns contains the text. */
export const anyContains = <On extends { or: (list: Expression<SqlBool>[]) => Expression<SqlBool> }, C extends string>(
  on: On & ((column: C, operator: 'ilike', value: string) => Expression<SqlBool>),
  columns: readonly C[],
  text: string,
): Expression<SqlBool> => on.or(columns.map((column) => on(column, 'ilike', likePattern(text))))

const plainFilter = (schema: z.ZodType | undefined, column: string, value: unknown) => (on: AnyOn) => {
  if (Array.isArray(value) && schema && coreType(schema) === 'tuple')
    return on.and([on(column, '>=', value[0]), on(column, '<=', value[1])])
  if (Array.isArray(value)) return on(column, 'in', value)
  const contained =
    typeof value === 'string' && schema && coreType(schema) === 'string' && dictTypeOf(schema) === undefined
  return contained ? on(column, 'ilike', likePattern(value)) : on(column, '=', value)
}

type Order = { orderBy?: string | undefined; by?: readonly string[] }
type Filter = (on: never, value: never) => Expression<SqlBool>

/** Adds the conditions of a query, and the order. */
const createConditions = <C extends ReadCalls, T extends EditedTable>(
  { of, keyword = [], filters = {}, order }: ReadDeclaration<C, T>,
  columnOf: (field: string) => string,
) => ({
  filter: (found: AnyRows, query: AnyRow): AnyRows =>
    Object.entries(query).reduce((left, [name, value]) => {
      if (value === undefined || value === '' || notFilters.has(name)) return left
      if (Array.isArray(value) && value.length === 0) return left
      const own = (filters as Record<string, Filter | undefined>)[name]
      if (own) return left.where((on) => own(on as never, value as never))
      if (name === 'keyword' || name === 'keywords')
        return left.where((on) => anyContains(on as never, keyword, String(value)))
      return left.where(plainFilter(of.page.query.shape[name] as z.ZodType | undefined, columnOf(name), value))
    }, found),
  inOrder: (found: AnyRows, { orderBy, by = order }: Order = {}): AnyRows => {
    const usual = (by.includes('id') || by.includes('-id') ? by : [...by, 'id']).map((name) =>
      name.startsWith('-') ? sql`${sql.ref(name.slice(1))} desc` : sql.ref(name),
    )
    const columns = Object.fromEntries(
      sortNames(of.page.query).map((name) => {
        const schema = of.get.data.shape[name] as z.ZodType
        const isNullable = schema instanceof z.ZodNullable
        return [name, { by: sortExpression(schema, columnOf(name)), ...(isNullable && { nullable: true as const }) }]
      }),
    )
    return found.orderBy(
      toOrderBy<{ orderBy?: string }>(orderBy, { columns, usual: sql.join(usual), id: sql.ref('id') }),
    )
  },
})

/** How rows become what calls return. */
const createPresentation = <C extends ReadCalls, T extends EditedTable>(
  entity: ReadDeclaration<C, T>,
  columnOf: (field: string) => string,
) => {
  const { of, decorate } = entity
  /** Only the fields of the schema: a table may have more columns. */
  const fieldsOf = ({ shape }: z.ZodObject, row: AnyRow): AnyRow => {
    const fields = Object.keys(shape).filter((field) => columnOf(field) in row)
    return Object.fromEntries(fields.map((field) => [field, row[columnOf(field)]]))
  }
  const shown = (row: AnyRow): AnyRow =>
    entity.shown
      ? (entity.shown(row as never) as AnyRow)
      : fieldsOf(of.page.data.shape.list.element as z.ZodObject, row)
  const decorated = async (db: Db, actor: Actor, list: readonly AnyRow[]): Promise<AnyRow[]> =>
    (decorate ? await decorate(db, actor, list) : list) as AnyRow[]
  const complete = (db: Db, actor: Actor, found: readonly AnyRow[]): Promise<AnyRow[]> =>
    decorated(db, actor, found.map(shown))
  const detail = async (db: Db, actor: Actor, row: AnyRow): Promise<AnyRow> => {
    if (entity.detail) return (await entity.detail(db, actor, row as never)) as AnyRow
    const [whole] = await decorated(db, actor, [entity.shown ? shown(row) : fieldsOf(of.get.data, row)])
    return {
      ...whole,
      ...(entity.children && (await loadChildren(db, of.get.data, entity.children as ChildTables, row))),
    }
  }
  return { shown, complete, detail }
}

/** The reading side of an entity: pages, one row, options, and the rows of its export. */
export const createEntityReads = <C extends ReadCalls, T extends EditedTable>(entity: ReadDeclaration<C, T>) => {
  const { table, columns = {}, order, computed, handle = scoped, choice } = entity
  const columnOf = (field: string): string => (columns as Record<string, string>)[field] ?? field
  const idColumn: string = `${table}.id`
  const { shown, complete, detail } = createPresentation(entity, columnOf)
  const rows = (db: Db, actor: Actor): AnyRows => {
    const all = (handle(db, actor) as unknown as Kysely<AnyTables>).selectFrom(table as string) as AnyRows
    return entity.rows ? all.where(entity.rows as never) : all
  }
  const select = (found: AnyRows): AnyRows => {
    const all = found.selectAll(table as string)
    return computed ? all.select((on) => computed(on as never) as never) : all
  }
  const { filter, inOrder } = createConditions(entity, columnOf)
  return {
    shown,
    detail,
    columnOf,
    complete,
    find: (db: Db, actor: Actor, id: number): Promise<AnyRow | undefined> =>
      select(rows(db, actor)).where(idColumn, '=', id).executeTakeFirst(),
    list: (db: Db, actor: Actor, query: AnyRow): AnyRows =>
      inOrder(select(filter(rows(db, actor), query)), query as Order),
    page: async (db: Db, actor: Actor, query: AnyRow): Promise<Page<AnyRow>> => {
      const { limit, offset } = toOffsetLimit(query)
      const found = filter(rows(db, actor), query)
      const [list, total] = await Promise.all([
        inOrder(select(found), query as Order)
          .limit(limit)
          .offset(offset)
          .execute(),
        countCapped(db, found.select(idColumn)),
      ])
      return { list: await complete(db, actor, list), ...total }
    },
    choices: async (db: Db, actor: Actor, names: readonly string[]): Promise<AnyRow[]> => {
      const { where = {}, order: by = order } = choice ?? {}
      const found = Object.entries(where).reduce((left, [name, value]) => left.where(name, '=', value), rows(db, actor))
      const list = await inOrder(select(found), { by }).limit(MAX_CHOICES).execute()
      return list.map((row) => {
        const whole = shown(row)
        return Object.fromEntries(names.map((name) => [name, whole[name]]))
      })
    },
  }
}
export type EntityReads = ReturnType<typeof createEntityReads>
