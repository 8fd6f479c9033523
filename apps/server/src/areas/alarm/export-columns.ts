import { type AlarmLabelKind, alarmLabel } from '@tocsin/contract/alarm/alarm-labels'
import { type Lang, labelIn } from '@tocsin/contract/field'
import type { z } from 'zod'
import type { ExportCell, CsvColumn } from '#http/csv'

type Value = ExportCell | readonly string[]

const spoken = (value: Value, kind: AlarmLabelKind | undefined, lang: Lang): ExportCell => {
  if (Array.isArray(value)) return value.map((item) => spoken(item, kind, lang)).join(lang === 'en' ? ', ' : '、')
  if (value === true || value === false) return lang === 'en' ? (value ? 'Yes' : 'No') : value
  // Every value that is not a list is one cell.
  const cell = value as ExportCell
  return kind && (typeof cell === 'string' || typeof cell === 'number') ? alarmLabel(kind, cell, lang) : cell
}

/** Columns of an export in this language: labels from the contract, and words instead of codes. */
export const localizedColumns = <K extends string>(
  shape: Record<K, z.ZodType>,
  fields: readonly K[],
  { words, lang }: { words: Partial<Record<K, AlarmLabelKind>>; lang: Lang },
): CsvColumn<Record<K, Value>>[] =>
  fields.map((field) => ({
    title: labelIn(lang, shape[field]),
    cell: (row) => spoken(row[field], words[field], lang),
  }))
