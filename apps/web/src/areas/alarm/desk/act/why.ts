import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { type Code, codes } from '@tocsin/contract/codes'
import type { Lang } from '@tocsin/contract/field'
import { word } from '#texts/words.ts'

/** Why something cannot be done to this record now, in the reader's language, with the name where a name helps. */
export const whyText = (code: Code, record: WarnRecordRow, lang: Lang): string => {
  const state = word('recordState', record.state, lang)
  const text = (lang === 'en' ? code.en : code.zh).replace('{state}', state)
  return code === codes.notOwner && record.ownerName ? `${text} (${record.ownerName})` : text
}
