import type { ColumnType, Generated } from 'kysely'
import { z } from 'zod'

/** One table at run time: its row type, and the columns that the database fills when an insert omits them. */
export type TableRow = { row: z.ZodObject; filled: readonly string[]; sight: VisibilityColumns }

/**
 * How a row becomes visible (DESIGN 5): through its school, its department or its user. With several columns one match
 * suffices. `open` tables are not limited.
 */
export type VisibilityColumns = 'open' | { school?: string; dept?: string; user?: string }

export const table = <
  const R extends z.ZodObject,
  const F extends keyof z.output<R> & string,
  const S extends VisibilityColumns,
>(
  row: R,
  filled: readonly F[],
  sight: S,
) => ({ row, filled, sight })

type Json = object | unknown[] | null
/** Insert types: generated columns are optional, nullable ones too (absent means null). */
export type Columns<T extends TableRow> = {
  [K in keyof z.output<T['row']>]: K extends T['filled'][number]
    ? Generated<z.output<T['row']>[K]>
    : null extends z.output<T['row']>[K]
      ? ColumnType<z.output<T['row']>[K], z.output<T['row']>[K] | undefined, z.output<T['row']>[K]>
      : z.output<T['row']>[K]
}

/** Columns that every table edited by people fills by itself. */
export const editedFilled = ['id', 'version', 'createTime', 'creator', 'updateTime', 'updater'] as const

export const Bytes = z.custom<Buffer>((value) => value instanceof Uint8Array)
export const Jsonb = z.custom<Json>((value) => typeof value === 'object')
