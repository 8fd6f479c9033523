import type { Lang } from '@tocsin/contract/field'
import type { z } from 'zod'
import type { Db } from '#db/db'
import { ValidationError } from '#http/business-error'
import { fieldError } from '../edit-transaction.ts'

/** The labels of a dictionary by value; disabled entries too. */
export const loadDictLabels = async (db: Db, dictType: string, lang: Lang): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .selectFrom('dictData')
    .select(['value', 'label', 'labelEn'])
    .where('dictType', '=', dictType)
    .execute()
  return new Map(rows.map(({ value, label, labelEn }) => [value, (lang === 'en' && labelEn) || label]))
}

type Values = Readonly<Record<string, unknown>>
/** Fields of a draft with values of a dictionary; `at` is the path of the draft in the input. */
export type DictFields = { draft: z.ZodObject; types: Readonly<Record<string, string>>; at?: string }

const valuesIn = (given: Values, field: string): string[] =>
  [given[field] ?? []].flat().filter((value) => typeof value === 'string')

const unknownWord = ({ draft, at = '' }: DictFields, field: string): ValidationError => {
  const { errors } = fieldError(draft, field, 'choice')
  return new ValidationError(errors.map((error) => ({ ...error, field: `${at}${field}` })))
}

/** Rejects values that are not enabled entries of their dictionary; an unchanged value may stay. */
export const checkDictValues = async (trx: Db, worded: DictFields, given: Values, before: Values = {}) => {
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
