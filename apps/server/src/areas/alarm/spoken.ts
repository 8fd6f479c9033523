import { type AlarmWordKind, alarmWord } from '@tocsin/contract/alarm/words'
import { type Lang, labelIn } from '@tocsin/contract/field'
import type { z } from 'zod'
import type { Cell, CsvColumn } from '#http/csv'

type Value = Cell | readonly string[]

const spoken = (value: Value, kind: AlarmWordKind | undefined, lang: Lang): Cell => {
  if (Array.isArray(value)) return value.map((one) => spoken(one, kind, lang)).join(lang === 'en' ? ', ' : '、')
  if (value === true || value === false) return lang === 'en' ? (value ? 'Yes' : 'No') : value
  // What is no list is a cell.
  const cell = value as Cell
  return kind && (typeof cell === 'string' || typeof cell === 'number') ? alarmWord(kind, cell, lang) : cell
}

/** Columns of an export as a screen of this language shows them: labels of the contract, words for codes. */
export const spokenColumns = <K extends string>(
  shape: Record<K, z.ZodType>,
  fields: readonly K[],
  { words, lang }: { words: Partial<Record<K, AlarmWordKind>>; lang: Lang },
): CsvColumn<Record<K, Value>>[] =>
  fields.map((field) => ({
    title: labelIn(lang, shape[field]),
    cell: (row) => spoken(row[field], words[field], lang),
  }))
