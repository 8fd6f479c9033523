import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { type Code, errorMessage } from '@tocsin/contract/codes/code'
import { codes } from '@tocsin/contract/codes'
import type { Lang } from '@tocsin/contract/field'
import { ApiError } from '#api/error.ts'
import { inlineErrorText } from '#api/error-display.ts'
import { recordFromError } from './submit-verb.ts'

/** Why a verb is not allowed now, in the user's language, with a name where it helps. */
export const reasonText = (code: Code, record: WarnRecordRow, lang: Lang): string => {
  const text = errorMessage(code, { state: record.state }, lang)
  return code === codes.notOwner && record.ownerName ? `${text} (${record.ownerName})` : text
}

/**
 * The server's rejection in the user's language; when the state forbids the verb, the error carries the current record.
 */
export const errorReasonText = (error: unknown, lang: Lang): string => {
  const wrong = error instanceof ApiError && error.code === codes.wrongState.code
  const now = wrong ? recordFromError(error) : undefined
  return now ? reasonText(codes.wrongState, now, lang) : inlineErrorText(error, lang)
}
