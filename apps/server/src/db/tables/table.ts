import type { ColumnType, Generated } from 'kysely'
import { z } from 'zod'

/** One table at run time: its row, and the columns that the database fills when an insert leaves them out. */
export type TableRow = { row: z.ZodObject; filled: readonly string[]; sight: VisibilityColumns }

/**
 * How a row is seen (DESIGN 5): through the school it is about, the department it belongs to, the person it is about.
 * Several columns widen: one of them suffices. `open` tables are not limited.
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
/** Insert types: filled columns are optional, nullable ones too (absent is null). */
export type Columns<T extends TableRow> = {
  [K in keyof z.output<T['row']>]: K extends T['filled'][number]
    ? Generated<z.output<T['row']>[K]>
    : null extends z.output<T['row']>[K]
      ? ColumnType<z.output<T['row']>[K], z.output<T['row']>[K] | undefined, z.output<T['row']>[K]>
      : z.output<T['row']>[K]
}

/** Columns that every people-edited table fills by itself. */
export const editedFilled = ['id', 'version', 'createTime', 'creator', 'updateTime', 'updater'] as const

export const Bytes = z.custom<Buffer>((value) => value instanceof Uint8Array)
export const Jsonb = z.custom<Json>((value) => typeof value === 'object')
