import { type Labels, type Lang, wordOf } from '@tocsin/contract/field'
import type { z } from 'zod'
import type { Db } from '#db/db'
import { BadInput } from '#http/refusal'
import { badField } from '../edit.ts'

const states: Labels<'true' | 'false'> = { true: ['启用', 'Enabled'], false: ['停用', 'Disabled'] }

/** Of a dictionary or an entry, in a sheet. */
export const stateIn =
  (lang: Lang) =>
  (on: boolean): string =>
    wordOf(states, String(on), lang)

/** The words of a dictionary as people read them, by value; those that are out of use too. */
export const wordsOf = async (db: Db, dictType: string, lang: Lang): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .selectFrom('dictData')
    .select(['value', 'label', 'labelEn'])
    .where('dictType', '=', dictType)
    .execute()
  return new Map(rows.map(({ value, label, labelEn }) => [value, (lang === 'en' && labelEn) || label]))
}

type Values = Readonly<Record<string, unknown>>
/** Fields of a draft whose values are of a dictionary; `at` says where the draft stands in what was sent. */
export type Worded = { draft: z.ZodObject; types: Readonly<Record<string, string>>; at?: string }

const valuesIn = (given: Values, field: string): string[] =>
  [given[field] ?? []].flat().filter((value) => typeof value === 'string')

const unknownWord = ({ draft, at = '' }: Worded, field: string): BadInput => {
  const { errors } = badField(draft, field, 'choice')
  return new BadInput(errors.map((error) => ({ ...error, field: `${at}${field}` })))
}

/** Refuses what its dictionary does not have in use; a value that was there before may stay. */
export const checkWords = async (trx: Db, worded: Worded, given: Values, before: Values = {}) => {
  for (const [field, type] of Object.entries(worded.types)) {
    const kept = valuesIn(before, field)
    const fresh = new Set(valuesIn(given, field).filter((value) => !kept.includes(value)))
    if (fresh.size === 0) continue
    const known = await trx
      .selectFrom('dictData')
      .innerJoin('dictType', 'dictType.type', 'dictData.dictType')
      .select('value')
      .where('dictType.type', '=', type)
      .where('dictType.enabled', '=', true)
      .where('dictData.enabled', '=', true)
      .where('value', 'in', [...fresh])
      .execute()
    if (known.length < fresh.size) throw unknownWord(worded, field)
  }
}
