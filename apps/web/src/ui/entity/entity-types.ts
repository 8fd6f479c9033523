import type { Data, Endpoint } from '@tocsin/contract/endpoint'
import type { Lang } from '@tocsin/contract/field'
import type { ById, ByIds } from '@tocsin/contract/page'
import type { ReactElement, ReactNode } from 'react'
import type { z } from 'zod'
import type { EnumKind } from '#texts/enum-labels.ts'
import type { Column } from '../column.tsx'
import type { ControlKind } from './schema-controls.tsx'

/** What `entityEndpoints` and `readEndpoints` of the contract make; an entity may have further calls. */
export type EntityCalls = {
  page: Endpoint & { query: z.ZodObject; data: z.ZodObject<{ list: z.ZodArray }> }
  get: Endpoint & { query: typeof ById; data: z.ZodObject }
  /** All rows of a tree. */
  list?: Endpoint & { query: z.ZodObject }
  /** Without these three, people only read the rows. */
  create?: Endpoint & { body: z.ZodObject }
  update?: Endpoint & { body: z.ZodObject }
  delete?: Endpoint & { query: typeof ById }
  move?: Endpoint
  deleteList?: Endpoint & { query: typeof ByIds }
  export?: Endpoint & { query: z.ZodObject }
  exportLater?: Endpoint
}

/** What the form of a row starts with. */
export type EntityDetail<C extends EntityCalls> = Data<C['get']>
/** A row of the list, which may have less. */
export type EntityRow<C extends EntityCalls> =
  Data<C['page']> extends { list: readonly (infer R)[] } ? R : EntityDetail<C>
type Name<O> = keyof O & string

/** A column: a field of the row, one that looks different (by itself, or as a tag), or any column. */
export type EntityColumn<R> =
  | Name<R>
  | {
      [K in Name<R>]: { name: K; show?: (value: R[K], row: R) => ReactNode; tag?: EnumKind } & Omit<
        Partial<Column<R>>,
        'key' | 'render'
      >
    }[Name<R>]
  | Column<R>

/** A field of the form: the control that its schema asks for, one that differs, or an element between the fields. */
export type EntityField<D extends z.ZodObject> =
  | Name<D['shape']>
  | {
      name: Name<D['shape']>
      help?: ReactNode
      disabled?: boolean
      placeholder?: string
      /** Another control than the usual one of the schema. */
      as?: ControlKind
      control?: ReactElement
    }
  | FieldGroup<D>
  | ReactElement

/** Fields that belong together; rare ones are folded until they are needed. */
export type FieldGroup<D extends z.ZodObject> = {
  group: string
  hint: string
  rare?: boolean
  fields: readonly EntityField<D>[]
}

/** A filter: a field of the query, or one with a control of its own. */
export type EntityFilter<C extends EntityCalls> =
  | Name<C['page']['query']['shape']>
  | { name: Name<C['page']['query']['shape']>; control: ReactElement }

/** The name of a row, in titles and questions. */
export type NameOf<R> = (row: R, lang: Lang) => string
