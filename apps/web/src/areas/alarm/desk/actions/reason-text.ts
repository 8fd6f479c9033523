import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { type Code, errorMessage } from '@tocsin/contract/code'
import { codes } from '@tocsin/contract/codes'
import type { Lang } from '@tocsin/contract/field'
import { ApiError } from '#api/error.ts'
import { inlineErrorText } from '#api/error-display.ts'
import { recordFromError } from './submit-verb.ts'

/** Why something cannot be done to this record now, in the reader's language, with the name where a name helps. */
export const reasonText = (code: Code, record: WarnRecordRow, lang: Lang): string => {
  const text = errorMessage(code, { state: record.state }, lang)
  return code === codes.notOwner && record.ownerName ? `${text} (${record.ownerName})` : text
}

/** What the server's "no" means to a person, in his language: where the state forbids it, the record as it is comes with it. */
export const errorReasonText = (error: unknown, lang: Lang): string => {
  const wrong = error instanceof ApiError && error.code === codes.wrongState.code
  const now = wrong ? recordFromError(error) : undefined
  return now ? reasonText(codes.wrongState, now, lang) : inlineErrorText(error, lang)
}
