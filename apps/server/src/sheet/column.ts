import { labelIn } from '@tocsin/contract/field'
import type { z } from 'zod'
import type { Cell, CsvColumn } from '#http/csv'

/** A column of a sheet; `width` in characters. */
export type SheetColumn<R> = CsvColumn<R> & { width?: number; date?: boolean }

const isInstant = (schema: z.ZodType): boolean => {
  const { def } = schema as unknown as { def: { type: string; innerType?: z.ZodType; out?: z.ZodType } }
  if (def.type === 'date') return true
  const inner = def.innerType ?? def.out
  return inner ? isInstant(inner) : false
}

type More<R, V> = { title?: string; width?: number; cell?: (value: V, row: R) => Cell }

/** Headed by the contract's label; instants become date cells. A name that the schema does not have does not compile. */
export const sheetColumn = <S extends z.ZodObject, K extends keyof z.output<S> & keyof S['shape'] & string>(
  of: S,
  name: K,
  { title, width, cell }: More<z.output<S>, z.output<S>[K]> = {},
): SheetColumn<z.output<S>> => {
  const schema = of.shape[name] as z.ZodType
  const date = isInstant(schema)
  return {
    title: title ?? labelIn('zh-cn', schema),
    width: width ?? (date ? 20 : 16),
    ...(date && { date }),
    // Whatever is no cell by itself must say how it is shown.
    cell: (row) => (cell ? cell(row[name], row) : (row[name] as Cell)),
  }
}
