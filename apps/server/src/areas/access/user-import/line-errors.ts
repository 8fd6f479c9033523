import { type Code, fillTemplate, type Params, codeMessage } from '@tocsin/contract/codes'
import { labelOf } from '@tocsin/contract/field'
import { type FieldError, fieldErrors, issueText, type Rule } from '@tocsin/contract/issue'
import { type ImportReason, type UserSheetField, UserSheetRow } from '@tocsin/contract/access/user-import'
import type { z } from 'zod'
import { constraintError } from '#db/constraint-error'
import { ValidationError, BusinessError } from '#http/business-error'

/** A refusal of one cell, in both languages. */
export const cellError = (field: UserSheetField, { zh, en }: Code, params?: Params): ImportReason => ({
  field,
  message: fillTemplate(zh, params),
  messageEn: fillTemplate(en, params),
})

const ofRule = (error: Omit<FieldError, 'message'>): ImportReason => ({
  field: error.field,
  message: issueText(error, 'zh-cn'),
  messageEn: issueText(error, 'en'),
})

/** One cell breaks a rule of its field. */
export const ruleError = (field: UserSheetField, rule: Rule): ImportReason => {
  const label = labelOf(UserSheetRow.shape[field])
  return ofRule({ field, rule, ...(label && { label }) })
}

/** What the field's schema refuses, under the heading of the sheet. */
export const ruleErrorFrom = (field: UserSheetField, error: z.core.$ZodError): ImportReason[] =>
  fieldErrors(
    UserSheetRow,
    error.issues.map((issue) => ({ ...issue, path: [field] })),
  ).map(ofRule)

export const cellErrorFrom = (field: UserSheetField, { code, message, params }: BusinessError): ImportReason => ({
  field,
  message,
  messageEn: codeMessage({ code, msg: message, ...(params && { params }) }, 'en'),
})

const fieldOf = new Map<string, UserSheetField>([
  ['users_username_key', 'username'],
  ['users_mobile_key', 'mobile'],
  ['users_email_key', 'email'],
])

/** What was refused while it was written; undefined for what is no refusal but a failure. */
export const writeError = (error: unknown): ImportReason | undefined => {
  if (error instanceof BusinessError) return cellErrorFrom('username', error)
  if (error instanceof ValidationError && error.errors[0]) return ofRule(error.errors[0])
  const { constraint } = (error ?? {}) as { constraint?: string }
  const conflict = constraintError(error)
  return conflict && cellError(fieldOf.get(constraint ?? '') ?? 'username', conflict.code, conflict.params)
}
