import { z } from 'zod'
import { Id } from '../codecs.ts'
import { type EntityTitles, endpoint, type VisibilityKind } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { ById, ByIds, page } from '../page.ts'

type Mask<S extends z.ZodObject> = { readonly [K in keyof S['shape']]?: true }

/** The draft of a new row: some fields may be absent. */
type NewDraft<D extends z.ZodObject, O> = z.ZodObject<
  { [K in keyof D['shape']]: K extends keyof O ? z.ZodOptional<D['shape'][K]> : D['shape'][K] },
  z.core.$strict
>

const version = field(z.int().optional(), '版本', 'Version')

/** Any part of the draft, of the row with this id. */
type RowEdit<D extends z.ZodObject> = z.ZodObject<
  { [K in keyof D['shape']]: z.ZodOptional<D['shape'][K]> } & { id: typeof Id; version: typeof version },
  z.core.$strict
>

type Verb = 'deleteList' | 'export'

type Declaration<
  R extends z.ZodObject,
  D extends z.ZodObject,
  O,
  Q extends z.ZodObject,
  C,
  V,
  T extends z.ZodObject,
> = EntityTitles & {
  /** `/police/station` gives `/police/station/page`. */
  path: `/${string}`
  /** `police:station`, to which the verbs are added: query, create, update, delete, export. */
  permission: string
  scope: VisibilityKind
  row: R
  /** What `get` returns, where that is more than the row of the list. */
  detail?: T
  draft: D
  /** Fields that may be absent when a row is created. */
  optional?: O
  query: Q
  /** Fields of the options that every signed-in user may read. Left out: no such call. */
  choice?: C
  verbs?: V
}

const callsOf =
  ({ permission, scope }: { permission: string; scope: VisibilityKind }) =>
  (verb: string) =>
    ({ kind: 'json', permission: `${permission}:${verb}` as string, scope }) as const

const detailOf = <R extends z.ZodObject, T extends z.ZodObject>({ row, detail }: { row: R; detail?: T }): T =>
  // Without one, T is R.
  detail ?? (row as unknown as T)

const readCalls = <R extends z.ZodObject, D extends z.ZodObject, O, Q extends z.ZodObject, C, T extends z.ZodObject>(
  entity: Declaration<R, D, O, Q, C, unknown, T>,
) => {
  const { path, permission, scope, row, query, choice, title, titleEn, titlesEn } = entity
  const call = callsOf(entity)
  // zod cannot type a mask of a schema that is a type parameter; the types say what it makes, here and below.
  const offered = row.pick((choice ?? {}) as never) as unknown as z.ZodObject<
    Pick<R['shape'], keyof C & keyof R['shape']>
  >
  return {
    page: endpoint({
      ...call('query'),
      method: 'GET',
      path: `${path}/page`,
      summary: `${title}分页`,
      summaryEn: `${titlesEn}, by page`,
      titles: { title, titleEn, titlesEn },
      query,
      data: page(row),
    }),
    get: endpoint({
      ...call('query'),
      method: 'GET',
      path: `${path}/get`,
      summary: `${title}详情`,
      summaryEn: `One ${titleEn}`,
      query: ById,
      data: detailOf<R, T>(entity),
    }),
    simpleList: endpoint({
      ...call('query'),
      permission: 'token',
      method: 'GET',
      path: `${path}/simple-list`,
      summary: `${title}选项`,
      summaryEn: `${titlesEn} to choose from`,
      data: z.array(offered),
    }),
    ...exportEndpoints({ permission: `${permission}:export`, scope, path, title, titleEn: titlesEn, query }),
  }
}

type ReadOnly<R extends z.ZodObject, Q extends z.ZodObject> = Omit<
  Declaration<R, R, undefined, Q, undefined, undefined, R>,
  'draft' | 'optional' | 'choice' | 'verbs' | 'detail'
>

/** The calls of rows that people only read: a list, one row, the export. */
export const readEndpoints = <R extends z.ZodObject, Q extends z.ZodObject>(entity: ReadOnly<R, Q>) => {
  const { simpleList: _none, ...calls } = readCalls<R, R, undefined, Q, undefined, R>({ ...entity, draft: entity.row })
  return calls
}

const writeCalls = <
  R extends z.ZodObject,
  D extends z.ZodObject,
  O extends Mask<D>,
  Q extends z.ZodObject,
  C,
  T extends z.ZodObject,
>(
  entity: Declaration<R, D, O, Q, C, unknown, T>,
) => {
  const { path, row, draft, optional, title, titleEn, titlesEn } = entity
  const call = callsOf(entity)
  const a = /^[aeio]/i.test(titleEn) ? 'an' : 'a'
  const created = (optional ? draft.partial(optional as never) : draft) as unknown as NewDraft<D, O>
  const edited = draft.partial().extend({ id: row.shape['id'] as typeof Id, version }) as unknown as RowEdit<D>
  return {
    create: endpoint({
      ...call('create'),
      method: 'POST',
      path: `${path}/create`,
      summary: `新增${title}`,
      summaryEn: `Create ${a} ${titleEn}`,
      body: created,
      data: Id,
    }),
    update: endpoint({
      ...call('update'),
      method: 'PUT',
      path: `${path}/update`,
      summary: `修改${title}`,
      summaryEn: `Change ${a} ${titleEn}`,
      body: edited,
      row: detailOf<R, T>(entity),
      data: z.literal(true),
    }),
    deleteList: endpoint({
      ...call('delete'),
      method: 'DELETE',
      path: `${path}/delete-list`,
      summary: `批量删除${title}`,
      summaryEn: `${titlesEn}: delete several, all or none`,
      query: ByIds,
      data: z.literal(true),
    }),
    delete: endpoint({
      ...call('delete'),
      method: 'DELETE',
      path: `${path}/delete`,
      summary: `删除${title}`,
      summaryEn: `Delete ${a} ${titleEn}`,
      query: ById,
      data: z.literal(true),
    }),
  }
}

const allCalls = <
  R extends z.ZodObject,
  D extends z.ZodObject,
  O extends Mask<D>,
  Q extends z.ZodObject,
  C,
  T extends z.ZodObject,
>(
  entity: Declaration<R, D, O, Q, C, unknown, T>,
) => ({ ...readCalls(entity), ...writeCalls(entity) })

type AllCalls<
  R extends z.ZodObject,
  D extends z.ZodObject,
  O extends Mask<D>,
  Q extends z.ZodObject,
  C,
  T extends z.ZodObject,
> = ReturnType<typeof allCalls<R, D, O, Q, C, T>>
type VerbCalls = { deleteList: 'deleteList'; export: 'export' | 'exportLater' }
type Always = 'page' | 'get' | 'create' | 'update' | 'delete'

/**
 * The calls of an entity that people list and edit. One that differs spreads the result and replaces the call that
 * differs.
 */
export const entityEndpoints = <
  R extends z.ZodObject,
  D extends z.ZodObject,
  Q extends z.ZodObject,
  const O extends Mask<D> = object,
  const C extends Mask<R> | undefined = undefined,
  const V extends readonly Verb[] = [],
  T extends z.ZodObject = R,
>(
  entity: Declaration<R, D, O, Q, C, V, T>,
) => {
  type Calls = AllCalls<R, D, O, Q, C, T>
  type Name = Always | VerbCalls[V[number]] | (C extends undefined ? never : 'simpleList')
  const { simpleList, deleteList, export: exportNow, exportLater, ...always } = allCalls<R, D, O, Q, C, T>(entity)
  const has = (verb: Verb) => entity.verbs?.includes(verb) ?? false
  const calls = {
    ...always,
    ...(entity.choice && { simpleList }),
    ...(has('deleteList') && { deleteList }),
    ...(has('export') && { export: exportNow, exportLater }),
  }
  // Which of the calls there are follows from `choice` and `verbs`, as the type says.
  return calls as unknown as Pick<Calls, Name & keyof Calls>
}
