import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { type Code, told } from '@tocsin/contract/code'
import { codes } from '@tocsin/contract/codes'
import type { Lang } from '@tocsin/contract/field'
import { ApiError } from '#api/error.ts'
import { textInPlace } from '#api/present.ts'
import { recordOf } from './perform.ts'

/** Why something cannot be done to this record now, in the reader's language, with the name where a name helps. */
export const whyText = (code: Code, record: WarnRecordRow, lang: Lang): string => {
  const text = told(code, { state: record.state }, lang)
  return code === codes.notOwner && record.ownerName ? `${text} (${record.ownerName})` : text
}

/** What the server's "no" means to a person, in his language: where the state forbids it, the record as it is comes with it. */
export const refusalText = (error: unknown, lang: Lang): string => {
  const wrong = error instanceof ApiError && error.code === codes.wrongState.code
  const now = wrong ? recordOf(error) : undefined
  return now ? whyText(codes.wrongState, now, lang) : textInPlace(error, lang)
}
