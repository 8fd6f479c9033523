import type { Rule } from '@tocsin/contract/issue'
import type { ImportReason } from '@tocsin/contract/files/import'
import { type UserSheetField, UserSheetRow } from '@tocsin/contract/access/user-import'
import type { z } from 'zod'
import { ruleError as sheetRuleError, ruleErrorsFrom, writeErrorReason } from '#areas/files/import/cell-errors'

/** One cell of a user breaks a rule of its field. */
export const ruleError = (field: UserSheetField, rule: Rule): ImportReason => sheetRuleError(UserSheetRow, field, rule)

/** What the schema of a field rejects. */
export const ruleErrorFrom = (field: UserSheetField, error: z.core.$ZodError): ImportReason[] =>
  ruleErrorsFrom(UserSheetRow, field, error.issues)

export const userConstraints = {
  users_username_key: 'username',
  users_mobile_key: 'mobile',
  users_email_key: 'email',
} as const

/** Why a user was rejected while they were written; undefined for a failure of the system. */
export const writeError = (error: unknown): ImportReason | undefined =>
  writeErrorReason(error, { key: 'username', constraints: userConstraints })
