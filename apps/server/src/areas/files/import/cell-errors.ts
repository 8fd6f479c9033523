import { type Code, fillTemplate, type Params, codeMessage } from '@tocsin/contract/codes'
import { labelOf } from '@tocsin/contract/field'
import type { ImportReason } from '@tocsin/contract/files/import'
import { type FieldError, fieldErrors, issueText, type Rule } from '@tocsin/contract/issue'
import type { z } from 'zod'
import { constraintError, violatedConstraint } from '#db/constraint-error'
import { BusinessError, ValidationError } from '#http/business-error'

/** A business error of one cell, in both languages. */
export const cellError = (field: string, { zh, en }: Code, params?: Params): ImportReason => ({
  field,
  message: fillTemplate(zh, params),
  messageEn: fillTemplate(en, params),
})

export const cellErrorFrom = (field: string, { code, message, params }: BusinessError): ImportReason => ({
  field,
  message,
  messageEn: codeMessage({ code, msg: message, ...(params && { params }) }, 'en'),
})

const toReason = (error: Omit<FieldError, 'message'>): ImportReason => ({
  field: error.field,
  message: issueText(error, 'zh-cn'),
  messageEn: issueText(error, 'en'),
})

/** One cell breaks a rule of its field, named by the heading of the spreadsheet. */
export const ruleError = (sheet: z.ZodObject, field: string, rule: Rule): ImportReason => {
  const label = labelOf(sheet.shape[field] as z.ZodType)
  return toReason({ field, rule, ...(label && { label }) })
}

/** What the schema of a field rejects, named by the heading of the spreadsheet. */
export const ruleErrorsFrom = (
  sheet: z.ZodObject,
  field: string,
  issues: readonly z.core.$ZodIssue[],
): ImportReason[] =>
  fieldErrors(
    sheet,
    issues.map((issue) => ({ ...issue, path: [field] })),
  ).map(toReason)

/** Which cell an error of the database is about. */
export type WriteErrorFields = { key: string; constraints: Readonly<Record<string, string>> }

/** Why a row was rejected while it was written; undefined for an error that is a failure of the system. */
export const writeErrorReason = (error: unknown, { key, constraints }: WriteErrorFields): ImportReason | undefined => {
  if (error instanceof BusinessError) return cellErrorFrom(key, error)
  if (error instanceof ValidationError && error.errors[0]) return toReason(error.errors[0])
  const conflict = constraintError(error)
  return conflict && cellError(constraints[violatedConstraint(error) ?? ''] ?? key, conflict.code, conflict.params)
}
