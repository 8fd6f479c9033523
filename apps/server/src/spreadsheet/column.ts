import { labelIn, type Lang } from '@tocsin/contract/field'
import type { z } from 'zod'
import type { ExportCell, CsvColumn } from '#http/csv'

/** A column of a spreadsheet; `width` in characters. Without an English title both languages share one heading. */
export type SheetColumn<R> = CsvColumn<R> & { titleEn?: string; width?: number; date?: boolean }

const inEnglish = (cell: ExportCell): ExportCell => (typeof cell === 'boolean' ? (cell ? 'Yes' : 'No') : cell)

/** The columns in the reader's language. Each column's own cells translate codes. */
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

/**
 * With the labels of the contract as headings; instants become date cells. A name outside of the schema does not
 * compile.
 */
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
    // A value that is no cell by itself needs a conversion.
    cell: (row) => (cell ? cell(row[name], row) : (row[name] as ExportCell)),
  }
}
