import { labelIn, type Lang } from '@tocsin/contract/field'
import type { z } from 'zod'
import type { ExportCell, CsvColumn } from '#http/csv'

/** A column of a sheet; `width` in characters. Without an English title it is headed alike in both languages. */
export type SheetColumn<R> = CsvColumn<R> & { titleEn?: string; width?: number; date?: boolean }

const inEnglish = (cell: ExportCell): ExportCell => (typeof cell === 'boolean' ? (cell ? 'Yes' : 'No') : cell)

/** The columns as a reader of this language wants them. What a code is called is said by each column's own cells. */
export const localizeColumns = <R>(lang: Lang, columns: readonly SheetColumn<R>[]): readonly SheetColumn<R>[] =>
  lang === 'en'
    ? columns.map((column) => ({
        ...column,
        title: column.titleEn ?? column.title,
        cell: (row) => inEnglish(column.cell(row)),
      }))
    : columns

const isInstant = (schema: z.ZodType): boolean => {
  const { def } = schema as unknown as { def: { type: string; innerType?: z.ZodType; out?: z.ZodType } }
  if (def.type === 'date') return true
  const inner = def.innerType ?? def.out
  return inner ? isInstant(inner) : false
}

type More<R, V> = { title?: string; titleEn?: string; width?: number; cell?: (value: V, row: R) => ExportCell }

/** Headed by the contract's labels; instants become date cells. A name that the schema does not have does not compile. */
export const sheetColumn = <S extends z.ZodObject, K extends keyof z.output<S> & keyof S['shape'] & string>(
  of: S,
  name: K,
  { title, titleEn, width, cell }: More<z.output<S>, z.output<S>[K]> = {},
): SheetColumn<z.output<S>> => {
  const schema = of.shape[name] as z.ZodType
  const date = isInstant(schema)
  return {
    title: title ?? labelIn('zh-cn', schema),
    titleEn: titleEn ?? labelIn('en', schema),
    width: width ?? (date ? 20 : 16),
    ...(date && { date }),
    // Whatever is no cell by itself must say how it is shown.
    cell: (row) => (cell ? cell(row[name], row) : (row[name] as ExportCell)),
  }
}
